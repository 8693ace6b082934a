package import FeedStorage

/// The changes that apps ask for, as the commands make them; each throws why it is not made.
package struct ServedActions: Sendable {
  /// Changes the marks of stories that are stored, in one step.
  let mark: @Sendable (MarksEdit, ItemIDs) throws -> Void
  /// Gives a tag of feeds and stories another name, or with nil takes it away.
  let renameTag: @Sendable (_ tag: String, _ new: String?) throws -> Void
  /// Changes a feed that is followed, by its URL.
  let edit: @Sendable (FeedEdit, _ url: String) throws -> Void
  /// Fetches what is at a URL of the web, and follows it.
  let subscribe: @Sendable (FeedEdit, _ url: String) throws -> Void
  let unsubscribe: @Sendable (_ urls: [String]) throws -> Void
  /// The feeds that are followed, as OPML.
  let exportedList: @Sendable () throws -> String
  let importList: @Sendable (_ list: String) throws -> Void

  package init(
    mark: @escaping @Sendable (MarksEdit, ItemIDs) throws -> Void,
    renameTag: @escaping @Sendable (String, String?) throws -> Void,
    edit: @escaping @Sendable (FeedEdit, String) throws -> Void,
    subscribe: @escaping @Sendable (FeedEdit, String) throws -> Void,
    unsubscribe: @escaping @Sendable ([String]) throws -> Void,
    exportedList: @escaping @Sendable () throws -> String,
    importList: @escaping @Sendable (String) throws -> Void,
  ) {
    (self.mark, self.renameTag, self.edit) = (mark, renameTag, edit)
    (self.subscribe, self.unsubscribe) = (subscribe, unsubscribe)
    (self.exportedList, self.importList) = (exportedList, importList)
  }
}

package struct MarksEdit: Hashable, Sendable {
  package var marks = ItemMarks()
  package var (added, removed): ([String], [String]) = ([], [])

  package init() {}
}

/// A feed's new title, nil for the old one, and its tags.
package struct FeedEdit: Hashable, Sendable {
  package var title: String?
  /// Tags.
  package var (added, removed): ([String], [String]) = ([], [])

  package init() {}

  package var isEmpty: Bool { self == FeedEdit() }
}
