package import System

/// A home's memory of a server.
///
/// Each mark is here as the server had it at the last merge, the base. A mark that the server now
/// has otherwise was changed there; one that is recorded here otherwise is to be sent, so that a
/// change that could not be sent follows by itself, and one that is sent twice does nothing.
package struct ServerState: Hashable, Sendable {
  package var account: String
  /// Goes up with each save; another number shows that another process has merged.
  package var serial = 0
  /// The time of the last merge with the home, which `SyncState.servers` must have, too.
  package var merged: UInt64 = 0
  /// The last change of each machine that was known then: a mark that is as it was told before is no
  /// change of the server's.
  package var told: Replica.Seen = [:]
  /// The beginning of the interface's URLs.
  package var root: String?
  package var user: String?
  package var synced: Date?
  /// The time, by the server's clock, at which the newest story that is known here came to it.
  package var newest: Date?
  package var items: [ServerItemID: ServerItem] = [:]
  /// The stories with labels; nil as long as the server has shown none.
  package var labels: ServerLabels?
  /// The feeds by their URLs here, without an account.
  package var feeds: [String: ServerFeed] = [:]
  package var refusals: [ServerChange: ServerRefusal] = [:]

  package init(account: String) {
    self.account = account
  }

  /// Returns a mark at the last merge, tags in lower case; nil for an unknown story or label list.
  package func has(_ mark: SyncKey.StoryMark, _ id: ServerItemID) -> Bool? {
    guard let item = items[id] else { return nil }
    return switch mark {
    case .tag(let tag): labels?.has(tag, id)
    case .read: item.isRead
    case .starred: item.isStarred
    default: nil
    }
  }

  package mutating func set(_ mark: SyncKey.StoryMark, of id: ServerItemID, _ isSet: Bool) {
    switch mark {
    case .tag(let name): labels?.set(name, of: id, isSet)
    case .read: items[id]?.isRead = isSet
    case .starred: items[id]?.isStarred = isSet
    default: break
    }
  }

  /// Returns the item that was merged with the story of an id; of several that with the least
  /// number.
  package func item(of id: String) -> ServerItem? {
    guard let story = ItemID.number(of: id.utf8) else { return nil }
    return items.filter { $0.value.story == story }.min { $0.key < $1.key }?.value
  }

  package func feed(_ subscription: Subscription) -> ServerFeed? {
    feeds[WebURL.withoutAccount(subscription.url)]
  }
}

package struct ServerItem: Hashable, Sendable {
  /// The number of the local story's id with which it was merged; 0 for none.
  package var story: UInt64 = 0
  /// Hashes of the feed with the link, and of the feed with title and date; 0 for none.
  package var link: UInt64 = 0
  package var title: UInt64 = 0
  package var isRead: Bool
  package var isStarred: Bool

  package init(isRead: Bool, isStarred: Bool) {
    (self.isRead, self.isStarred) = (isRead, isStarred)
  }
}

package struct ServerLabels: Hashable, Sendable {
  package struct Label: Hashable, Sendable {
    package let name: String
    package var stories: Set<ServerItemID>
  }

  /// The labels by their names in lower case, the spelling of tags in `SyncKey.StoryMark`.
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

  package mutating func set(_ name: String, of id: ServerItemID, _ isSet: Bool) {
    let tag = name.lowercased()
    var label = all[tag] ?? Label(name: name, stories: [])
    if isSet { label.stories.insert(id) } else { label.stories.remove(id) }
    all[tag] = label
  }

  package var byStory: [ServerItemID: [String]] {
    var tags: [ServerItemID: [String]] = [:]
    for (tag, label) in all { for id in label.stories { tags[id, default: []].append(tag) } }
    return tags
  }

  package func lost(in later: ServerLabels) -> Set<ServerItemID> {
    Set(all.flatMap { tag, label in label.stories.subtracting(later.all[tag]?.stories ?? []) })
  }
}

/// A feed after the last merge, as each side had it: a server may be unable to take the home's
/// values.
package struct ServerFeed: Hashable, Sendable {
  /// The server's id of the feed: `feed/12`, `feed/https://…`.
  package var stream: String
  package var title: String?
  package var tags: [String]
  package var serverTitle: String
  package var serverTags: [String]
  /// Tells that no document has shown yet whether the server's title is a name that the user gave.
  package var isTitleOpen = false

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
