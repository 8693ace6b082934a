internal import CommandLine
internal import FeedLibrary
package import FeedModel
package import FeedParsing
package import FeedStorage
import System

package struct ImportedFeed: Hashable, Sendable {
  package var url: String
  var title: String?
  var ownTitle: String?
  var link: String?
  var tags: [String] = []
  var cleared: [UInt64] = []
  var isFollowed = true

  package init(
    url: String,
    title: String? = nil,
    ownTitle: String? = nil,
    link: String? = nil,
    tags: [String] = [],
    isFollowed: Bool = true,
  ) {
    self.url = url
    self.title = title
    self.ownTitle = ownTitle
    self.link = link
    self.tags = tags
    self.isFollowed = isFollowed
  }
}

/// A file with the stories of another program or home.
///
/// It is read twice, so that only one feed's stories are in memory: first for the feed of each
/// story, then feed by feed.
package protocol ImportSource {
  /// Calls `note` for each story with its feed (nil if the file names none) and its key, the newest
  /// first as far as the file knows; and for each followed feed.
  ///
  /// - Returns: false if the file breaks off.
  func index(_ note: (ImportedFeed?, _ key: Int?) throws -> Void) throws -> Bool

  func stories(_ keys: [Int], of feed: String) throws -> StoryBatch
}

package struct StoryBatch {
  package var items: [Item] = []
  package var texts: [StoryText?] = []
  package var articles: [StoryText?] = []
  /// The marks and ids that the stories had there (`ImportedStory.original`).
  package var originals: [StoredItem] = []
  var deleted: Set<Int> = []
  var size = 0

  /// Throws if the stories of one feed would fill the memory.
  package static func check(_ size: Int, of feed: String) throws {
    guard size <= ImportedStories.maximumTexts else {
      let name = Spelling.quoted(feed)
      throw Failure("\(name): refused: bytes of texts over \(ImportedStories.maximumTexts)")
    }
  }
}

extension ImportedStory {
  /// A blank to fill with the facts of a story.
  package static let original = StoredItem(id: "", item: Item(), feeds: [], stored: nil)
}

package struct ForeignStories {
  private var stories: [ForeignStory] = []
  private var originals: [StoredItem] = []
  private var deleted: Set<Int> = []
  package private(set) var size = 0

  package init(size: Int = 0) {
    self.size = size
  }

  package mutating func add(_ story: ForeignStory) {
    if story.isDeleted { deleted.insert(stories.count) }
    size += (story.html ?? story.text)?.utf8.count ?? 0
    stories.append(story)
    var original = ImportedStory.original
    (original.isRead, original.isStarred) = (story.isRead, story.isStarred)
    (original.tags, original.stored) = (story.tags, story.stored)
    originals.append(original)
  }

  package func batch(of feed: String, in name: String) throws -> StoryBatch {
    do throws(FeedParsingError) {
      let (items, texts) = try FeedParser.read(stories, of: feed)
      let originals = Array(originals.prefix(items.count))
      return StoryBatch(items: items, texts: texts, originals: originals, deleted: deleted)
    } catch {
      throw Failure("\(name): \(error)")
    }
  }
}

package struct ImportedStories {
  package static let maximumFeeds = 10_000
  /// The most bytes of the texts of one feed, which are in memory together.
  package static let maximumTexts = 256 << 20
  private static let maximumStories = 2_000_000

  package private(set) var subscriptions: [Subscription] = []
  package private(set) var deliveries: [FeedDelivery] = []
  package private(set) var list = ImportedList()
  private var count = 0

  private let known: SubscriptionMerge
  private let permission: ImportedURL.Permission
  /// The URL here of each feed there, or nil for one that is left out.
  private var urls: [String: String?] = [:]
  private var keys: [(url: String, stories: [(key: Int, index: Int)])] = []
  private var numbers: [String: Int] = [:]
  private var followed: Set<String> = []
  private var filters: [String: String] = [:]
  private var moved: [String: String] = [:]

  package init(_ library: Library, _ permission: ImportedURL.Permission) {
    known = SubscriptionMerge(forList: library.subscriptions)
    self.permission = permission
    for subscription in library.subscriptions {
      for url in subscription.state.formerURLs { moved[url] = subscription.url }
    }
  }

  package mutating func read(_ source: some ImportSource, _ spool: StorySpool) throws {
    var strays = 0
    list.isCutShort = try !source.index { feed, key in
      guard let feed else {
        strays += 1
        return
      }
      guard let url = url(of: feed), let key else { return }
      guard urls.count <= Self.maximumFeeds else {
        throw Failure("refused: number of feeds over \(Self.maximumFeeds)")
      }
      try add(key, of: url)
    }
    if strays > 0 { list.refuse(Count.stories(strays), "of no feed") }
    for feed in keys { try deliver(feed.stories, of: feed.url, from: source, spool) }
    keys = []
  }

  private mutating func url(of feed: ImportedFeed) -> String? {
    if urls[feed.url] == nil { urls[feed.url] = .some(urlAfterMoves(of: feed.url)) }
    guard let url = urls[feed.url] ?? nil else { return nil }
    if feed.isFollowed, followed.insert(url).inserted {
      subscriptions.append(subscription(feed, at: url))
    }
    return url
  }

  private mutating func urlAfterMoves(of url: String) -> String? {
    if let known = known.subscription(to: url)?.url ?? moved[url] { return known }
    do {
      let (filter, url) = try ImportedURL.filtered(url, permission)
      let taken = try ImportedURL.read(url, permission)
      filters[taken] = filter
      return taken
    } catch {
      list.refuse(url, ImportedURL.kind(url) ?? error.line)
      return nil
    }
  }

  private func subscription(_ feed: ImportedFeed, at url: String) -> Subscription {
    let title = feed.title.map { SafeText.line($0) }.flatMap { $0.isEmpty ? nil : $0 }
    var subscription = ImportedURL.subscription(url, title: title, permission)
    subscription.state.title = feed.ownTitle.map {
      SafeText.prefix(SafeText.line($0), maximumCharacters: 300)
    }
    subscription.state.link = feed.link.flatMap { WebURL.resolve($0, against: nil) }
    subscription.tags = feed.tags
    subscription.state.cleared = feed.cleared
    subscription.filter = filters[url]
    return subscription
  }

  private mutating func add(_ key: Int, of url: String) throws {
    let number = numbers[url] ?? keys.count
    count += 1
    guard count <= Self.maximumStories else {
      throw Failure("refused: number of stories over \(Self.maximumStories)")
    }
    if number == keys.count {
      keys.append((url, []))
      numbers[url] = number
    }
    keys[number].stories.append((key, count))
  }

  private mutating func deliver(
    _ stories: [(key: Int, index: Int)],
    of url: String,
    from source: some ImportSource,
    _ spool: StorySpool,
  ) throws {
    let batch = try source.stories(stories.map(\.key), of: url)
    var imported: [ImportedStory] = []
    for (number, original) in batch.originals.enumerated() {
      var original = original
      original.feeds = original.feeds.compactMap { other in
        self.url(of: ImportedFeed(url: other, isFollowed: false)).flatMap { $0 == url ? nil : $0 }
      }
      let isDeleted = batch.deleted.contains(number)
      imported.append(ImportedStory(original, at: stories[number].index, isDeleted: isDeleted))
    }
    guard !imported.isEmpty else { return }
    let delivery = FeedDelivery(
      feed: url,
      items: batch.items,
      texts: batch.texts,
      articles: batch.articles,
      imported: imported,
      isComplete: false,
      spool: spool,
    )
    deliveries.append(delivery)
  }
}
