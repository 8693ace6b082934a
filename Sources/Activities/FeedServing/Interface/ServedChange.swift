internal import FeedModel
package import FeedStorage
package import System

/// A change that an app asks for, in the form in which it goes to the process that makes it.
package struct ServedChange: Hashable, Sendable {
  package enum Kind: CaseIterable, Sendable {
    /// Changes the marks and tags of stored stories in one step.
    case mark
    /// Gives a tag of feeds and stories, the removed one, another name, or removes it.
    case renameTag
    /// Changes the title and the tags of a followed feed.
    case editFeed
    /// Fetches a URL of the web, and follows its feed.
    case subscribe
    case unsubscribe
    /// Follows the feeds of a list; fails with the status `notAFeed` for other text.
    case importList
    case noteLogIn
  }

  package private(set) var kind: Kind
  package var edit = ServedEdit()
  package var stories = ItemIDs()
  /// The URLs of followed feeds, or the one to follow.
  package var feeds: [String] = []
  /// The list of feeds, or the secret of the account of a log-in.
  package var text = ""

  package init(_ kind: Kind, _ edit: ServedEdit = ServedEdit(), feeds: [String] = []) {
    (self.kind, self.edit, self.feeds) = (kind, edit, feeds)
  }

  /// Returns false for what no server sends: the process that sends may have been taken over.
  package var isSound: Bool {
    guard (edit.added + edit.removed).allSatisfy(SyncKey.isTag) else { return false }
    return switch kind {
    case .mark, .unsubscribe, .importList, .noteLogIn: true
    case .renameTag: edit.removed.count == 1 && edit.added.count <= 1
    case .editFeed: feeds.count == 1
    case .subscribe: feeds.count == 1 && WebURL.isWeb(feeds[0])
    }
  }
}

/// New marks of stories or a new title of a feed (nil for the old one), and new and former tags.
package struct ServedEdit: Hashable, Sendable {
  package var marks = ItemMarks()
  package var title: String?
  package var (added, removed): ([String], [String]) = ([], [])

  package init() {}

  package var isEmpty: Bool { self == ServedEdit() }
}

extension ServedChange: RecordValue {
  package static let blank = ServedChange(.noteLogIn)

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    coder.code(&kind, among: Kind.allCases)
    for flag in StoryFlag.allCases { coder.code(&edit.marks[flag]) }
    coder.code(&edit.title, .line)
    coder.code(&edit.added, .line)
    coder.code(&edit.removed, .line)
    coder.code(&stories)
    coder.code(&feeds, .source)
    coder.code(&text, .source)
  }
}

/// The ways to make changes and to write lists, each of which throws the reason of a failure.
package struct ServedActions: Sendable {
  let make: @Sendable (ServedChange) throws -> Void
  /// Returns the followed feeds as OPML.
  let exportedList: @Sendable () throws -> String

  package init(
    make: @escaping @Sendable (ServedChange) throws -> Void,
    exportedList: @escaping @Sendable () throws -> String,
  ) {
    (self.make, self.exportedList) = (make, exportedList)
  }
}
