internal import FeedModel
internal import FeedStorage
internal import System

struct StoreBenchmark {
  let count: Int
  let folder: String

  func saving() throws -> Contest {
    let stories = StoryWorkload.stories(count)
    let store = LibraryStore(home: "\(folder)/store-\(count)")
    try store.update { (_) in
      (LibraryChange(StoryChanges(adding: stories)), ())
    }
    let bytes = try Files.read(store.dataPath)
    var added = count
    return Contest(
      name: "save \(count) stories, 10 of them new",
      contenders: [
        Contender(name: "write and fsync of the same \(bytes.count / 1_000_000) MB") {
          try Files.writeDurably(bytes, to: "\(folder)/copy")
        },
        Contender(name: "news", budgets: [.ratio(5), .seconds(0.2)]) {
          added += 10
          try Self.add(StoryWorkload.stories(10, from: added), to: store, keeping: count)
        },
      ],
    )
  }

  /// Adds stories in front and drops as many at the end, so that each round saves as much.
  static func add(
    _ stories: [StoredItem],
    to store: LibraryStore,
    keeping count: Int,
  ) throws {
    try store.update { (_) in
      let last = count - stories.count..<count
      return (LibraryChange(StoryChanges(adding: stories, removing: last)), ())
    }
  }
}

/// Stories as they stand in a reader's store, about 260 bytes each.
enum StoryWorkload {
  static func stories(_ count: Int, from first: Int = 0) -> [StoredItem] {
    (first..<first + count).map(story)
  }

  static func subscription(_ number: Int) -> Subscription {
    var subscription = Subscription(url: "https://www.example.org/feed/\(number)")
    subscription.state.title = "Batteries and plants, number \(number)"
    subscription.state.link = "https://www.example.org/\(number)"
    subscription.state.validators = CacheValidators(
      etag: "\"5c8f-\(number)\"",
      lastModified: "Mon, 18 Mar 2019 14:02:11 GMT",
      url: subscription.url,
    )
    subscription.state.bodyDigest = String(repeating: "0123456789abcdef", count: 2)
    subscription.state.lastAsked = Date(timeIntervalSince1970: 1_790_000_000)
    subscription.state.hints.timeToLive = 60
    subscription.state.evicted = (0..<20).map { UInt64($0) }
    return subscription
  }

  private static func story(_ number: Int) -> StoredItem {
    var item = Item(
      title: "Maker of batteries to open plant number \(number) – sources",
      link: Workload.link(number, "article/us-batteries-plant-\(number)"),
      pubDate: "Mon, 18 Mar 2019 14:02:11 GMT",
      date: Date(timeIntervalSince1970: 1_790_000_000 - Double(number)),
      guid: "tag:example.org,2026:\(number)",
    )
    item.summary = "The company said on Monday that it would spend \(number) euros."
    let digits = String(number, radix: 16)
    return StoredItem(
      id: String(repeating: "0", count: 16 - digits.count) + digits,
      item: item,
      feeds: ["https://www.example.org/feed/\(number % 100)"],
      stored: Date(timeIntervalSince1970: 1_790_000_000),
    )
  }
}
