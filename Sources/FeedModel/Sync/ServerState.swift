package import System

/// What a home remembers of a server.
///
/// Of each mark it has what the server had when both were merged last, the base. What a server has
/// now and differs from that was changed there; what is recorded here and differs from it is to be
/// sent, so that what could not be sent follows by itself, and what is sent twice does nothing.
package struct ServerState: Hashable, Sendable {
  /// `SyncServer.account`.
  package var account: String
  /// Goes up with each save: whoever finds another number knows that somebody else has merged.
  package var serial = 0
  /// When it was merged with the home last: `SyncState.servers` says the same.
  package var merged: UInt64 = 0
  /// Where the interface begins.
  package var root: String?
  /// The server's own name for the user.
  package var user: String?
  /// When all was read the last time.
  package var synced: Date?
  package var items: [ServerItemID: ServerItem] = [:]
  /// What had its labels; nil as long as it has shown none.
  package var labels: ServerLabels?
  /// By the feed's URL here, without an account.
  package var feeds: [String: ServerFeed] = [:]
  /// The changes that the server has refused.
  package var refusals: [ServerChange: ServerRefusal] = [:]

  package init(account: String) {
    self.account = account
  }

  /// Returns whether a story had a mark, a tag in small letters; nil of a story that it did not have.
  package func has(_ mark: SyncKey.StoryMark, _ id: ServerItemID) -> Bool? {
    guard let item = items[id] else { return nil }
    return switch mark {
    case .tag(let tag): labels?.has(tag, id)
    case .read: item.isRead
    default: item.isStarred
    }
  }

  /// Gives a story a mark, a tag as the server writes it, or takes it away.
  package mutating func set(_ mark: SyncKey.StoryMark, of id: ServerItemID, _ isSet: Bool) {
    switch mark {
    case .tag(let name): labels?.set(name, of: id, isSet)
    case .read: items[id]?.isRead = isSet
    default: items[id]?.isStarred = isSet
    }
  }

  /// What the server had of the story with an id when it was merged last; of several the first.
  package func item(of id: String) -> ServerItem? {
    guard let story = ItemID.number(of: id.utf8) else { return nil }
    return items.filter { $0.value.story == story }.min { $0.key < $1.key }?.value
  }

  /// The same of a feed.
  package func feed(_ subscription: Subscription) -> ServerFeed? {
    feeds[WebURL.withoutAccount(subscription.url)]
  }
}

/// A story that a server has, and what it had of it.
package struct ServerItem: Hashable, Sendable {
  /// The number of the id of the story here with which it was merged; 0 for none.
  package var story: UInt64 = 0
  /// Hashes of its feed with its link, and with its title and date; 0 for none.
  package var link: UInt64 = 0
  package var title: UInt64 = 0
  package var isRead: Bool
  package var isStarred: Bool

  package init(isRead: Bool, isStarred: Bool) {
    (self.isRead, self.isStarred) = (isRead, isStarred)
  }
}

/// The stories that have a server's labels, which are tags of stories here.
package struct ServerLabels: Hashable, Sendable {
  package struct Label: Hashable, Sendable {
    /// As it is written on the server.
    package let name: String
    package var stories: Set<ServerItemID>
  }

  /// By their names in small letters, as `SyncKey.StoryMark` has tags.
  package private(set) var all: [String: Label] = [:]

  package init(_ stories: [String: Set<ServerItemID>] = [:]) {
    for (name, ids) in stories { all[name.lowercased()] = Label(name: name, stories: ids) }
  }

  package var stories: [String: Set<ServerItemID>] {
    Dictionary(all.values.map { ($0.name, $0.stories) }, uniquingKeysWith: { one, _ in one })
  }

  package func has(_ tag: String, _ id: ServerItemID) -> Bool {
    all[tag]?.stories.contains(id) ?? false
  }

  /// Gives a story a label that is written so, or takes it away.
  package mutating func set(_ name: String, of id: ServerItemID, _ isSet: Bool) {
    let tag = name.lowercased()
    var label = all[tag] ?? Label(name: name, stories: [])
    if isSet { label.stories.insert(id) } else { label.stories.remove(id) }
    all[tag] = label
  }

  /// The labels of each story.
  package var byStory: [ServerItemID: [String]] {
    var tags: [ServerItemID: [String]] = [:]
    for (tag, label) in all { for id in label.stories { tags[id, default: []].append(tag) } }
    return tags
  }

  /// The stories that have lost a label since.
  package func lost(in later: ServerLabels) -> Set<ServerItemID> {
    Set(all.flatMap { tag, label in label.stories.subtracting(later.all[tag]?.stories ?? []) })
  }
}

/// What both sides had of a feed after they were merged last: each its own, as a server may not be
/// able to have what a home has.
package struct ServerFeed: Hashable, Sendable {
  /// What the server calls it: `feed/12`, `feed/https://…`.
  package var stream: String
  package var title: String?
  package var tags: [String]
  package var serverTitle: String
  package var serverTags: [String]

  package init(
    stream: String,
    title: String?,
    tags: [String],
    serverTitle: String,
    serverTags: [String],
  ) {
    (self.stream, self.title, self.tags) = (stream, title, tags)
    (self.serverTitle, self.serverTags) = (serverTitle, serverTags)
  }
}
