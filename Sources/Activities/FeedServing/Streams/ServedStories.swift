internal import FeedModel
package import FeedStorage
internal import Synchronization
internal import System

/// The facts about a story by which lists are made.
struct ServedStory: Hashable, Sendable {
  let place: StreamPlace
  let position: Int32
  /// The indices of the story's list of feeds and its list of tags in `ServedStories`.
  let (feeds, tags): (Int32, Int32)
  let (isRead, isStarred): (Bool, Bool)
  /// The time of coming, in microseconds since 1970, made different for each story in the order of
  /// places: apps sort by it.
  fileprivate(set) var stamp: Int64 = 0

  var number: UInt64 { place.number }

  /// Returns the number by which apps know a story: that of its id without the highest bit.
  ///
  /// RSS Guard cannot read negative ids, nor NetNewsWire those above `Int64.max`.
  static func number(_ id: UInt64) -> UInt64 { id & UInt64(Int64.max) }
}

/// A story's place among all, which stays the same as long as the story is stored.
struct StreamPlace: Hashable, Comparable, Sendable {
  /// The times of coming to this home and of publishing, in microseconds since 1970.
  let (arrived, date): (Int64, Int64)
  /// The number of the story's id.
  let number: UInt64

  /// Orders the newest first: new stories come before all others.
  static func < (one: StreamPlace, other: StreamPlace) -> Bool {
    (other.arrived, other.date, one.number) < (one.arrived, one.date, other.number)
  }
}

/// The form in which a continuation gives the place of a page's last story.
extension StreamPlace {
  init?(_ text: String) {
    let parts = text.split(separator: "_")
    guard parts.count == 3, let arrived = Int64(parts[0]), let date = Int64(parts[1]),
      let number = UInt64(parts[2], radix: 16)
    else { return nil }
    self.init(arrived: arrived, date: date, number: number)
  }

  var text: String { "\(arrived)_\(date)_\(number.hexadecimal)" }
}

/// The stories and feeds of one version of the files, from which requests are answered.
package final class ServedStories: Sendable {
  let library: Library
  let feeds: ServedFeeds
  let removal: TrackerRemoval
  /// The stories in the order of their places.
  let all: [ServedStory]
  /// The different lists of feeds' URLs, of their names for apps, and of tags that stories have.
  let (feedLists, feedNames, tagLists): ([[String]], [[String]], [[String]])
  /// The times, in microseconds since 1970, since when lists have had the stories that arrived
  /// shortly before they were saved.
  let listed: [UInt64: Int64]

  /// Makes the stories of a file that was saved at a time, in microseconds since 1970; `former` is
  /// `listed` of the version before.
  init(_ library: Library, savedAt saved: Int64, after former: [UInt64: Int64]?) throws {
    self.library = library
    feeds = ServedFeeds(library)
    removal = TrackerRemoval(library.subscriptions)
    var reading = ServedStoryIndex()
    try reading.read(library.items)
    all = reading.stories.sorted { $0.place < $1.place }.stamped
    let urls = reading.feedLists
    (feedLists, tagLists) = (urls, reading.tags.lists)
    feedNames = urls.map { $0.map(ServedFeeds.name(ofFeed:)) }
    let late = all.prefix { $0.place.arrived > saved - StreamQuery.longestSave }
    listed = Dictionary(
      uniqueKeysWithValues: Set(late.map(\.number)).map { number in
        (number, former.map { $0[number] ?? saved } ?? .min)
      }
    )
  }

  /// Returns true for a story that a list could have had at a time, in microseconds since 1970.
  func wasListed(_ story: ServedStory, at time: Int64) -> Bool {
    listed[story.number].map { $0 <= time } ?? true
  }

  func stories(_ numbers: Set<UInt64>) -> [ServedStory] {
    guard !numbers.isEmpty else { return [] }
    return all.filter { numbers.contains($0.number) }
  }

  /// Returns the ids that stories have in the data file.
  func ids(of stories: [ServedStory]) throws -> ItemIDs {
    try library.items.ids(at: stories.map { Int($0.position) }.sorted())
  }

  /// The tags of stories in alphabetical order, each as it was first written.
  var tags: [String] {
    tagLists.flatMap(\.self).distinct { $0.lowercased() }.sorted {
      $0.lowercased() < $1.lowercased()
    }
  }
}

extension [ServedStory] {
  /// The stories with stamps, the newest first.
  fileprivate var stamped: [ServedStory] {
    var (stories, last) = (self, Int64.min)
    for index in indices.reversed() {
      last = Swift.max(self[index].place.arrived, last + 1)
      stories[index].stamp = last
    }
    return stories
  }
}

private struct ServedStoryIndex {
  struct Lists<Element: Hashable> {
    private(set) var lists: [[Element]] = []
    private var known: [[Element]: Int32] = [:]

    mutating func number(of list: [Element]) -> Int32 {
      if let number = known[list] { return number }
      let number = Int32(lists.count)
      lists.append(list)
      known[list] = number
      return number
    }
  }

  var stories: [ServedStory] = []
  /// PERF: lists are told apart by numbers.
  private var feeds = Lists<Int>()
  private(set) var tags = Lists<String>()
  private var feedURLs: [String] = []

  var feedLists: [[String]] { feeds.lists.map { $0.map { feedURLs[$0] } } }

  mutating func read(_ items: ItemTable) throws {
    guard var reader = ItemReader(items) else { return }
    stories.reserveCapacity(items.count)
    var numbers: [Int] = []
    for position in 0..<items.count {
      try reader.move(to: position)
      numbers.removeAll(keepingCapacity: true)
      try reader.forEachFeed { numbers.append($0) }
      let flags = try reader.flags()
      stories.append(
        ServedStory(
          place: try place(reader),
          position: Int32(position),
          feeds: feeds.number(of: numbers),
          tags: tags.number(of: try reader.strings(.tags)),
          isRead: flags[.read],
          isStarred: flags[.starred],
        )
      )
    }
    feedURLs = reader.feeds
  }

  private func place(_ story: borrowing ItemReader) throws -> StreamPlace {
    let (date, stored) = try story.instants()
    let came = try story.date(.arrived)?.timeIntervalSinceReferenceDate ?? stored
    let arrived = came ?? date ?? -Date.timeIntervalBetween1970AndReferenceDate
    return StreamPlace(
      arrived: Self.microseconds(arrived),
      date: Self.microseconds(date ?? arrived),
      number: ServedStory.number(try story.number()),
    )
  }

  private static func microseconds(_ instant: Double) -> Int64 {
    Int64(((instant + Date.timeIntervalBetween1970AndReferenceDate) * 1e6).rounded())
  }
}

/// The stories of a home as they are now, which are read once for each version of its files.
package final class ServedLibrary: Sendable {
  private let store: LibraryStore
  private let current = Mutex<(version: StoreVersion, stories: ServedStories)?>(nil)
  private let texts = Mutex<(version: StoreVersion, index: StoryTextIndex)?>(nil)

  package init(_ store: LibraryStore) { self.store = store }

  /// The time at which the stories were saved, in microseconds since 1970.
  private var saved: Int64 { Int64(FileStatus(at: store.dataPath)?.changed ?? 0) / 1_000 }

  /// Returns the present stories; simultaneous requests wait for one reading.
  func stories() throws -> ServedStories {
    try current.withLock { (current) in
      // The version is taken before the files are read: the next request reads later changes.
      let version = StoreVersion(of: store)
      if let current, current.version == version { return current.stories }
      // The former stories are released first: both together would take twice the memory.
      let former = current?.stories.listed
      current = nil
      let library = try store.read()
      let stories = try ServedStories(library, savedAt: saved, after: former)
      current = (version, stories)
      return stories
    }
  }

  /// An index of the stories' texts.
  ///
  /// PERF: to look for a text without it takes 10 ms among 100,000.
  var textIndex: StoryTextIndex {
    texts.withLock { texts in
      let version = StoreVersion(ofTexts: store)
      if let texts, texts.version == version { return texts.index }
      texts = nil
      let index = store.textIndex()
      texts = (version, index)
      return index
    }
  }
}
