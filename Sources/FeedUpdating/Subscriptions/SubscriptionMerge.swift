import FeedModel
import FeedStorage

/// Puts subscriptions together, none twice however its URL is spelled.
struct SubscriptionMerge {
  private(set) var subscriptions: [Subscription]
  private(set) var added: [Subscription] = []
  /// Those that were there before, and were to be added again; as they were, each once.
  private(set) var known: [Subscription] = []
  private(set) var hasChanged = false
  private var places: [String: Int] = [:]
  private var seen: Set<Int> = []
  private let countBefore: Int

  init(_ subscriptions: [Subscription]) {
    self.subscriptions = subscriptions
    countBefore = subscriptions.count
    for (place, subscription) in subscriptions.enumerated() {
      places[Self.key(subscription.url)] = place
    }
  }

  /// Adds a subscription, or what is said anew of one that is there.
  ///
  /// A title that the reader says takes the place of another; one that a list has does not.
  mutating func add(_ new: Subscription, replacingTitle replacesTitles: Bool = false) {
    guard let place = places[Self.key(new.url)] else {
      places[Self.key(new.url)] = subscriptions.count
      subscriptions.append(new)
      added.append(new)
      hasChanged = true
      return
    }
    if place < countBefore, seen.insert(place).inserted { known.append(subscriptions[place]) }
    for tag in new.tags where !subscriptions[place].tags.contains(tag) {
      subscriptions[place].tags.append(tag)
      hasChanged = true
    }
    if let command = new.passwordCommand, command != subscriptions[place].passwordCommand {
      subscriptions[place].passwordCommand = command
      hasChanged = true
    }
    // To be allowed in a private network is the reader's word; of the internet lists say it, too.
    if new.state.isOnInternet == false, subscriptions[place].state.isOnInternet != false {
      subscriptions[place].state.isOnInternet = false
      hasChanged = true
    }
    if let title = new.title, title != subscriptions[place].title,
      replacesTitles || subscriptions[place].title == nil
    {
      subscriptions[place].title = title
      hasChanged = true
    }
  }

  /// The URL with which lists call the subscription to `url`; nil when there is none.
  func listedURL(of url: String) -> String? {
    places[Self.key(url)].map { subscriptions[$0].listedURL ?? subscriptions[$0].url }
  }

  /// The subscription to `url`, however that is spelled.
  func subscription(to url: String) -> Subscription? {
    places[Self.key(url)].map { subscriptions[$0] }
  }

  /// Two users of a server are two feeds; a user with a password and without is one.
  private static func key(_ url: String) -> String {
    guard WebURL.isWeb(url) else { return url }
    let user = WebURL.user(of: url).map { " " + $0 } ?? ""
    return WebURL.canonical(url) + user
  }
}

extension LibraryStore {
  /// Adds what is not there yet, and keeps what else the list was that it comes from, in one step,
  /// which `record` takes back.
  ///
  /// `original` gives a subscription as it was before the command, which may have changed it in an
  /// earlier step; nil where that step added it.
  func subscribe(
    to new: [Subscription],
    of list: OutlineDocument? = nil,
    undoneBy record: UndoRecord,
    original: (Subscription) -> Subscription? = { $0 },
  ) throws(CommandError) -> SubscriptionMerge {
    try commandErrors { try prepareHome() }
    return try change { library throws(CommandError) in
      var merge = SubscriptionMerge(library.subscriptions)
      for subscription in new { merge.add(subscription, replacingTitle: list == nil) }
      var change = LibraryChange(subscriptions: merge.hasChanged ? merge.subscriptions : nil)
      if let list { change.outlines = try outlines(with: list, merge) }
      guard merge.hasChanged || change.outlines != nil else { return (change, merge) }
      var record = record
      record.restore(library.subscriptions.compactMap(original))
      if change.outlines != nil { record.outlines = try outlines() }
      change.undo = .record(record, clearing: [])
      return (change, merge)
    }
  }

  /// What is kept of lists, with this one; nil when it has nothing new.
  private func outlines(
    with list: OutlineDocument,
    _ merge: SubscriptionMerge,
  ) throws(CommandError) -> OutlineDocument? {
    let old = try outlines()
    var list = list
    for index in list.body.indices {
      list.body[index].feed = list.body[index].feed.flatMap(merge.listedURL)
    }
    let listed = Set(merge.subscriptions.map { $0.listedURL ?? $0.url })
    let new = old.adding(list, listed: listed)
    return new == old ? nil : new
  }
}
