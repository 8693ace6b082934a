internal import TestSupport

/// Pieces of work of a fixed size, each done alone, so that its instructions can be counted.
///
/// `--work` alone prints their names; `--work NAME 0` prepares one and does not do it, so that the
/// difference to `--work NAME 1` is the work. A third word makes it of another size.
enum FixedWork: String, CaseIterable {
  case parseRSS = "parse-rss"
  case parseBrokenRSS = "parse-broken-rss"
  case parseAtom = "parse-atom"
  case parseJSONFeed = "parse-json-feed"
  case dates
  case text
  case merge
  case mergeManyFeeds = "merge-many-feeds"
  case mergeOneFeed = "merge-one-feed"
  case mergeRenamed = "merge-renamed"
  case mergeShared = "merge-shared"
  case mergeOneLink = "merge-one-link"
  case mergeOneTitle = "merge-one-title"
  case mergeOneGUID = "merge-one-guid"
  case moveFeeds = "move-feeds"
  case encode
  case decode
  case list
  case grep
  case open
  case save
  case fetch
  case fetchNothingNew = "fetch-nothing-new"
  case importing = "import"

  static let argument = "--work"
  /// The option before a name and a size: prints the processor seconds and the peak memory in
  /// bytes.
  static let measuringArgument = "--measure"
  /// The option before the words of a command of `news`; `aloneArgument` runs it without a process
  /// that reads.
  static let commandArgument = "--command"
  static let aloneArgument = "--command-alone"

  static func run(_ words: [String]) throws {
    guard let name = words.first else {
      for work in allCases where work.isCounted { print(work.rawValue) }
      return
    }
    guard let work = FixedWork(rawValue: name) else {
      throw UnexpectedOutput(text: "there is no work \(name)")
    }
    let numbers = words.dropFirst().map { Int($0) ?? 1 }
    let folder = try TemporaryFolder()
    let size = numbers.dropFirst().first ?? work.usualSize
    let run = try work.prepared(size: size, in: folder.path)
    for _ in 0..<(numbers.first ?? 1) { try run() }
    withExtendedLifetime(folder) {}
  }

  static func measure(_ words: [String]) throws {
    guard words.count == 2, let work = FixedWork(rawValue: words[0]), let size = Int(words[1])
    else { throw UnexpectedOutput(text: "--measure takes the name of a work and its size") }
    let folder = try TemporaryFolder()
    let run = try work.prepared(size: size, in: folder.path)
    var seconds = 0.0
    let bytes = try ResidentMemory.peak {
      let start = ProcessorTime.seconds
      try run()
      seconds = ProcessorTime.seconds - start
    }
    print(seconds, bytes ?? .nan)
    withExtendedLifetime(folder) {}
  }

  /// False of work of which only the growth is worth knowing.
  private var isCounted: Bool {
    switch self {
    case .mergeRenamed, .mergeShared, .mergeOneLink, .mergeOneTitle, .mergeOneGUID, .moveFeeds:
      false
    default: true
    }
  }

  /// The size in bytes of documents, rounds of calls, stories, or feeds.
  private var usualSize: Int {
    switch self {
    case .parseRSS, .parseBrokenRSS, .parseAtom, .parseJSONFeed: 1_000_000
    case .dates, .text: 1_000
    case .merge: 2_000
    case .mergeManyFeeds: 4_000
    case .mergeOneFeed: 2_000
    case .mergeRenamed, .mergeShared, .mergeOneLink, .mergeOneTitle, .mergeOneGUID, .moveFeeds:
      1_000
    case .encode, .decode, .list, .grep, .open, .save: 5_000
    case .fetch, .fetchNothingNew: 100
    case .importing: 1_000
    }
  }
}

extension FixedWork {
  /// Returns the works that no command does alone, for a process of the benchmark.
  static func growing(_ benchmark: String) -> [GrowthWork] {
    [
      (merge, "merge feeds of 50, stories"), (mergeManyFeeds, "merge feeds of 10, stories"),
      (mergeOneFeed, "merge one feed, stories"),
      (mergeRenamed, "merge renamed stories, stories"),
      (mergeShared, "merge feeds that share stories, stories"),
      (mergeOneLink, "merge stories of one link, stories"),
      (mergeOneTitle, "merge stories of one title, stories"),
      (mergeOneGUID, "merge stories of one guid, stories"),
      (moveFeeds, "move all feeds, stories"), (encode, "encode, stories"),
      (decode, "decode, stories"),
    ].map { work, name in
      GrowthWork(name: name, largest: 160_000) { size in
        let words = [work.rawValue, String(size)]
        return PreparedWork(
          words: [benchmark, measuringArgument] + words,
          without: [benchmark, argument, work.rawValue, "0", String(size)],
          isMeasuredInside: true,
        )
      }
    }
  }
}
