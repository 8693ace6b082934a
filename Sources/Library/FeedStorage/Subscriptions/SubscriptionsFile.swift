internal import FeedModel
internal import PropertyLists
internal import System

/// The file of subscriptions, `feeds.plist`.
///
/// A dictionary with the version, the subscriptions in the user's order and the servers that asked
/// to wait. Keys that this version does not know are kept.
///
/// The version is that of the whole store: the data file has no place for one that other programs
/// would not take for a story. A program that changes the form of any file raises it here first.
struct SubscriptionsFile {
  let path: String

  /// The version of the store that this program writes; a newer one is refused.
  static let version = 2

  func read() throws -> FollowedFeeds {
    let contents = try contents()
    var feeds = FollowedFeeds.table.contents(contents.root) ?? FollowedFeeds()
    feeds.subscriptions = try contents.subscriptions()
    // Earlier versions did not say; one that knows a body has stored its stories.
    if contents.root["stories"]?.integer == nil,
      feeds.subscriptions.contains(where: { $0.state.bodyDigest != nil })
    {
      feeds.savedStories = 1
    }
    return feeds
  }

  private func contents() throws -> SubscriptionsContents {
    try SubscriptionsContents(reader(), path: path)
  }

  /// Replaces the file after `last`; the caller holds the lock.
  ///
  /// Subscriptions are written one after the other, so that thousands are never property-list
  /// values at once.
  func save(_ feeds: FollowedFeeds, after last: () throws -> Void = {}) throws {
    let old = try contents()
    let root = FollowedFeeds.table.dictionary(feeds, over: old.root)
    let oldFeeds = try old.feedsByURL()
    try AtomicFile(path: path, .following(.none)).replace(after: last) { sink in
      var writer = BinaryPropertyListWriter()
      // Titles and tags come from outside.
      writer.sharesStrings = false
      var written: [BinaryPropertyListWriter.Object] = []
      try Self.forEach(feeds.subscriptions, over: old, oldFeeds) { (feed) in
        written.append(writer.add(feed))
        guard writer.isFull else { return }
        try sink(writer.piece)
        writer.discardPiece()
      }
      let list = writer.add(array: written)
      let isWhole = try writer.finish(root: writer.add(root, with: list, as: "feeds"), to: sink)
      guard isWhole else {
        throw StorageError.tooLarge(path: path, limit: LibraryStore.maximumSize)
      }
    }
  }

  private static func forEach(
    _ subscriptions: [Subscription],
    over old: SubscriptionsContents,
    _ oldFeeds: [String: Int],
    _ body: (PropertyListValue) throws -> Void,
  ) throws {
    var unknown = UnknownEntries(old)
    for subscription in subscriptions {
      let listed = subscription.listedURL.flatMap { oldFeeds[$0] }
      let kept = try (oldFeeds[subscription.url] ?? listed).map { try unknown.of($0) }
      try body(.dictionary(Subscription.table.dictionary(subscription, over: kept ?? [:])))
    }
  }

  static var names: PropertyListCoding<[String: String]> { .dictionary(of: .string) }

  func reader() throws -> BinaryPropertyListReader? {
    guard let (reader, _) = try LibraryStore.reader(path) else { return nil }
    let version = try StorageError.translating(path) {
      guard try reader.entries(reader.root) != nil else { return nil as PropertyListValue? }
      guard let version = try reader.value(of: "version", in: reader.root) else {
        return .integer(1)
      }
      return try reader.value(version)
    }
    try check(version)
    return reader
  }

  /// Returns true for a file of an earlier version, and throws for one of a newer.
  func isFormer() throws -> Bool {
    guard let reader = try reader() else { return false }
    return try StorageError.translating(path) {
      try (reader.value(of: "version", in: reader.root).flatMap(reader.integer) ?? 1)
        < Int64(Self.version)
    }
  }

  private func check(_ version: PropertyListValue?) throws {
    switch version {
    case .integer(...Int64(Self.version)): return
    case .integer(let number): throw newer(Int(number))
    case .unsigned: throw newer(.max)
    case nil:
      throw StorageError.damaged(path: path, reason: "the top-level object is not a dictionary")
    default: throw StorageError.damaged(path: path, reason: "the version is not a number")
    }
  }

  private func newer(_ version: Int) -> StorageError {
    .newerVersion(path: path, version: version, supported: Self.version)
  }
}

extension FollowedFeeds {
  fileprivate static let table: PropertyListTable<FollowedFeeds> = .init(
    FollowedFeeds(),
    [
      .version { _ in SubscriptionsFile.version },
      // It only keeps its place: the subscriptions are written one after the other.
      .init("feeds", read: { _, _ in }, write: { _ in .array([]) }),
      // Earlier versions had a date alone, which nobody can say a server had asked for.
      .init("hosts", { $1(&$0.retryTimes) }, .dictionary(of: .dictionary(RetryTime.table))),
      .init("stories", { $1(&$0.savedStories) }, always: .count),
      .init("\(SubscriptionsFile.formerNames)", { $1(&$0.formerNames) }, SubscriptionsFile.names),
      .init("formerFeeds", { $1(&$0.formerFeeds) }, .list(of: .dictionary(Subscription.table))),
      .init("lists", { $1(&$0.lists) }, .list(of: .dictionary(FeedList.table))),
    ],
  )
}

extension RetryTime {
  fileprivate static let table: PropertyListTable<RetryTime> = .init(
    RetryTime(server: "", status: 0, since: .distantPast, until: .distantPast),
    [
      .init("server", { $1(&$0.server) }, required: .string),
      .init("status", { $1(&$0.status) }, always: .count),
      .init("since", { $1(&$0.since) }, required: .date),
      .init("until", { $1(&$0.until) }, required: .date),
    ],
  )
}
