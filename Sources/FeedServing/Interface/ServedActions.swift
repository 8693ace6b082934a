package import FeedStorage

/// The changes that apps ask for, made as the commands make them; each throws the reason of a
/// failure.
package struct ServedActions: Sendable {
  /// Changes the marks of stored stories in one step.
  let mark: @Sendable (MarksEdit, ItemIDs) throws -> Void
  /// Gives a tag of feeds and stories another name, or removes it for nil.
  let renameTag: @Sendable (_ tag: String, _ new: String?) throws -> Void
  /// Changes a followed feed, given by its URL.
  let edit: @Sendable (FeedEdit, _ url: String) throws -> Void
  /// Fetches a URL of the web, and follows its feed.
  let subscribe: @Sendable (FeedEdit, _ url: String) throws -> Void
  let unsubscribe: @Sendable (_ urls: [String]) throws -> Void
  /// Returns the followed feeds as OPML.
  let exportedList: @Sendable () throws -> String
  /// Follows the feeds of a list; throws a `Failure` of status `notAFeed` for other text.
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

/// A feed's new title (nil for the old one), and its new and former tags.
package struct FeedEdit: Hashable, Sendable {
  package var title: String?
  package var (added, removed): ([String], [String]) = ([], [])

  package init() {}

  package var isEmpty: Bool { self == FeedEdit() }
}
