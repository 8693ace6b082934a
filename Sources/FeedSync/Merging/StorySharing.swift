internal import CommandLine
internal import FeedFetching
internal import FeedModel
internal import FeedParsing
internal import FeedStorage
internal import FeedUpdating
import System

/// Stories sent from machine to machine, in the format of `news export --json`.
struct StorySharing {
  let context: SyncContext
  let store: LibraryStore
  let limit: Duration

  /// The bytes sent in one sync; the next one sends the rest.
  static let maximumBytes = 32 << 20
  /// The most bytes that are received: the last story may exceed the sender's limit.
  static let mostReceived = maximumBytes + (8 << 20)

  // MARK: To others

  /// The newest stories that some machine lacks, or nil if none does; each machine is given by the
  /// hashes that it does not want.
  ///
  /// Marks are synchronized separately. Accounts, files and saved pages are not sent: a page that
  /// is a feed's story too would become a second story elsewhere.
  func stories(for machines: [StoryHashes]) throws -> [UInt8]? {
    guard !machines.isEmpty else { return nil }
    let library = try store.library(.names)
    let keys = try SharedMarks(library.items, library.subscriptions)
    let lacked = (0..<keys.count).filter { index in
      let keys = keys.keys(of: index)
      return machines.contains { !keys.contains(where: $0.contains) }
    }
    return lacked.isEmpty ? nil : try document(lacked, of: library, keys)
  }

  private func document(
    _ indices: [Int],
    of library: Library,
    _ keys: SharedMarks,
  ) throws -> [UInt8]? {
    let texts = store.textIndex()
    var bytes: [UInt8] = []
    try library.items.forEachStory(at: indices) { index, reader in
      guard bytes.count < Self.maximumBytes else { return }
      var story = try reader.item()
      guard story.feeds.first != Subscription.savedURL else { return }
      story.feeds = story.feeds.map(WebURL.withoutAccount).filter(SyncKey.isFeed)
      guard !story.feeds.isEmpty else { return }
      (story.isRead, story.isStarred, story.file, story.matches) = (false, false, nil, [])
      story.typedTexts = [:]
      var exported = try ExportedStory(story, texts)
      if !keys.hasID(at: index) { exported.story.id = "" }
      bytes += Array((bytes.isEmpty ? "{\"stories\":[\n" : ",\n").utf8)
      bytes += Array(PrintedJSON.object(ExportedStory.fields, exported).description.utf8)
    }
    return bytes.isEmpty ? nil : bytes + Array("\n]}\n".utf8)
  }

  // MARK: From others

  func take(_ path: String, but state: SyncState) throws -> Int {
    let body = ReceivedBody()
    try SyncFolder.readStories(path, maximumBytes: Self.mostReceived) { body.append($0) }
    return try body.withBytes { bytes in
      try take(ReaderImport(bytes, name: path), but: state)
    }
  }

  func take(_ document: ReaderImport, but state: SyncState) throws -> Int {
    let library = try store.library()
    let source = LackedStories(document, state, Set(library.subscriptions.map(\.sharedURL)))
    var stories = ImportedStories(library, ImportedURL.Permission())
    try stories.read(source, StorySpool(folder: store.home))
    guard !stories.deliveries.isEmpty else { return 0 }
    return try store.change(waitAtMost: limit) { library in
      // The rules of the other machine have been applied to these stories already.
      let taken = try library.merging(stories.deliveries, now: context.now())
      var change = taken.change
      change.origin = nil
      return (change, taken.incoming.insertions.count)
    }
  }
}

/// The stories of another machine that this home never had: of feeds it follows, and starred ones.
///
/// At most 20,000 are taken; the next sync takes more.
private struct LackedStories: ImportSource {
  private static let most = 20_000

  private let document: ReaderImport
  private let state: SyncState
  private let followed: Set<String>

  init(_ document: ReaderImport, _ state: SyncState, _ followed: Set<String>) {
    (self.document, self.state, self.followed) = (document, state, followed)
  }

  func index(_ note: (ImportedFeed?, _ key: Int?) throws -> Void) throws -> Bool {
    var rest = Self.most
    return try document.index { feed, key in
      guard rest > 0, let feed, let key, SyncKey.isFeed(feed.url) else { return }
      let batch = try document.stories([key], of: feed.url)
      guard let item = batch.items.first, let original = batch.originals.first,
        isLacked(item, original, of: [feed.url] + original.feeds)
      else { return }
      rest -= 1
      try note(ImportedFeed(url: feed.url, isFollowed: false), key)
    }
  }

  private func isLacked(_ item: Item, _ original: StoredItem, of feeds: [String]) -> Bool {
    let key = ItemID.key(of: item)
    var keys = feeds.map { ItemID.number(feed: $0, key: key) }
    if let id = ItemID.number(of: original.id.utf8) { keys.append(id) }
    guard !keys.contains(where: { state.stories?.contains($0) ?? false }) else { return false }
    return feeds.contains(where: followed.contains)
      || keys.contains { state.replica.registers[.story($0, .starred)]?.value == .yes }
  }

  func stories(_ keys: [Int], of feed: String) throws -> StoryBatch {
    var batch = try document.stories(keys, of: feed)
    for index in batch.originals.indices {
      (batch.originals[index].isRead, batch.originals[index].isStarred) = (false, false)
      batch.originals[index].typedTexts = [:]
      batch.originals[index].file = nil
    }
    return batch
  }
}
