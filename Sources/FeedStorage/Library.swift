package import FeedModel
internal import PropertyLists
package import System

/// What is stored, as it was at one moment.
package struct Library: Sendable {
  package var items: ItemTable
  /// In the user's order.
  package var subscriptions: [Subscription]
  /// By whom they hold: a server's (`https://example.com:8443`) all of its feeds; that of a server
  /// to which a redirect led, under the feed's URL, that feed alone.
  package var holds: [String: ServerHold]
}

/// A server's wish to be left in peace for a while (`Retry-After`).
package struct ServerHold: Hashable, Sendable {
  /// Who asked for it: scheme, host and port.
  package let server: String
  /// The status of the answer that said so.
  package let status: Int
  /// When it said so.
  package let since: Date
  package let until: Date

  package init(server: String, status: Int, since: Date, until: Date) {
    self.server = server
    self.status = status
    self.since = since
    self.until = until
  }
}

/// How much of the subscriptions is read.
package enum SubscriptionDetail: Hashable, Sendable {
  case whole
  /// URLs, titles and tags alone, to name feeds with; not to be saved.
  case names
}

/// What is to be changed; nil leaves a part as it is.
package struct LibraryChange: Sendable {
  /// The stories in their whole new order.
  package var items: [ItemEdit]?
  /// Makes the stories that edits only number; called once for each, in the order of the edits.
  package var source: StorySource?
  package var subscriptions: [Subscription]?
  package var holds: [String: ServerHold]?
  package var outlines: OutlineDocument?
  /// Stories that edits bring from elsewhere.
  package var other: ItemTable?
  /// Whether the data file that was set aside as a whole takes its place again, instead of `items`.
  package var restoresDataFile = false
  package var order = SavingOrder.storiesFirst
  /// What becomes of what `news undo` would take back; saved with the change.
  package var undo = UndoChange.kept

  package init(
    items: [ItemEdit]? = nil,
    source: StorySource? = nil,
    subscriptions: [Subscription]? = nil,
    holds: [String: ServerHold]? = nil,
    outlines: OutlineDocument? = nil,
  ) {
    self.outlines = outlines
    self.items = items
    self.source = source
    self.subscriptions = subscriptions
    self.holds = holds
  }
}

/// What is saved first, since a process can be stopped in between.
package enum SavingOrder: Sendable {
  /// Where stories come: with the old validators one request more is made than needed, while with
  /// new validators and old stories a story could be missed for ever.
  case storiesFirst
  /// Where stories go: validators that outlive them would keep them from coming back.
  case subscriptionsFirst
}

/// A part of the stories' new order.
package enum ItemEdit: Hashable, Sendable {
  /// Stories that stay as they are, by their old places; copied as bytes.
  case keep(Range<Int>)
  // PERF: boxed, so that sorting the edits of a refresh moves pointers, not whole stories.
  /// A story with new content; what its dictionary holds besides is kept.
  indirect case replace(Int, StoredItem)
  indirect case insert(StoredItem)
  /// A story that the change's source makes.
  case insertNumber(Int)
  /// Stories that stay as they are but for their marks; the rest of them is copied as bytes.
  case mark(Range<Int>, ItemMarks)
  /// A story that stays as it is but for its marks and feeds.
  indirect case adjust(Int, ItemAdjustment)
  /// Stories of the change's other table, by their places there; copied as bytes.
  case bring(Range<Int>)
  indirect case bringAdjusted(Int, ItemAdjustment)
  /// A story of the other table with new content, as `replace`.
  indirect case bringReplaced(Int, StoredItem)
}

extension ItemEdit {
  /// The stories that it is.
  var storyCount: Int {
    switch self {
    case .keep(let range), .mark(let range, _), .bring(let range): range.count
    case .replace, .insert, .insertNumber, .adjust, .bringAdjusted, .bringReplaced: 1
    }
  }
}

/// What a reader did with a story, as far as it is to be changed; nil leaves a mark as it is.
package struct ItemMarks: Hashable, Sendable {
  package var isRead: Bool?
  package var isStarred: Bool?

  package init(isRead: Bool? = nil, isStarred: Bool? = nil) {
    self.isRead = isRead
    self.isStarred = isStarred
  }
}

/// What is changed of a story without looking at the rest of it.
package struct ItemAdjustment: Hashable, Sendable {
  package var marks = ItemMarks()
  /// The URLs of all feeds that carry it; nil leaves them as they are.
  package var feeds: [String]?

  package init(marks: ItemMarks = ItemMarks(), feeds: [String]? = nil) {
    self.marks = marks
    self.feeds = feeds
  }
}
