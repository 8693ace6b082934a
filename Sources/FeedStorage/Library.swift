package import FeedModel

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// What is stored, as it was at one moment.
package struct Library: Sendable {
  package var items: ItemTable
  /// In the user's order.
  package var subscriptions: [Subscription]
  /// Until when a host wants to be left in peace (`Retry-After`).
  package var hosts: [String: Date]
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
  /// Makes the stories that edits only number.
  package var source: StorySource?
  package var subscriptions: [Subscription]?
  package var hosts: [String: Date]?

  package init(
    items: [ItemEdit]? = nil,
    source: StorySource? = nil,
    subscriptions: [Subscription]? = nil,
    hosts: [String: Date]? = nil,
  ) {
    self.items = items
    self.source = source
    self.subscriptions = subscriptions
    self.hosts = hosts
  }
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
}

extension ItemEdit {
  /// The stories that it is.
  var storyCount: Int {
    if case .keep(let range) = self { range.count } else { 1 }
  }

  /// New objects of the data file, at most; without those of stories that are only numbered.
  var objectCount: Int {
    switch self {
    case .keep, .insertNumber: 0
    case .replace(_, let item), .insert(let item): item.objectCount
    }
  }
}
