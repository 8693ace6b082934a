internal import FeedModel
internal import FeedParsing
internal import FeedStorage
internal import NewsCommands
internal import TestSupport

/// Pieces of work of a fixed size, each to be done alone, so that its instructions can be counted.
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
  case encode
  case decode
  case list
  case grep

  static let argument = "--work"
  /// Before the name of one and its size: it prints the seconds that processors spend on it, and
  /// the bytes of memory that it takes at its peak.
  static let measuringArgument = "--measure"

  /// Does what the words after `--work` say.
  static func run(_ words: [String]) throws {
    guard let name = words.first else {
      for work in allCases { print(work.rawValue) }
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

  /// Does what the words after `--measure` say.
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

  /// In bytes of documents, rounds of calls, or stories.
  private var usualSize: Int {
    switch self {
    case .parseRSS, .parseBrokenRSS, .parseAtom, .parseJSONFeed: 1_000_000
    case .dates, .text: 1_000
    case .merge: 2_000
    case .mergeManyFeeds: 10_000
    case .mergeOneFeed: 2_000
    case .encode, .decode, .list, .grep: 5_000
    }
  }

  private func prepared(size: Int, in folder: String) throws -> () throws -> Void {
    var workload = Workload(seed: 1)
    switch self {
    case .parseRSS: return parsing(workload.rss(bytes: size))
    case .parseBrokenRSS: return parsing(ParsingBenchmark.breaking(workload.rss(bytes: size)))
    case .parseAtom: return parsing(workload.atom(bytes: size))
    case .parseJSONFeed: return parsing(workload.jsonFeed(bytes: size))
    case .dates: return Self.readDates(size)
    case .text: return Self.cleaning(workload.rss(bytes: 1_000), size)
    case .merge: return try merging(size, each: 50, folder)
    case .mergeManyFeeds: return try merging(size, each: 10, folder)
    case .mergeOneFeed: return try merging(size, each: size, folder)
    case .encode: return encoding(size, folder)
    case .decode: return try decoding(size, folder)
    case .list: return try command(["list"], over: size, folder)
    case .grep: return try command(["list", "--grep", "plant zebra"], over: size, folder)
    }
  }

  private func parsing(_ document: [UInt8]) -> () throws -> Void {
    { _ = try ParsingBenchmark.parse(document) }
  }

  private static func readDates(_ rounds: Int) -> () -> Void {
    {
      for _ in 0..<rounds {
        for text in DateWorkload.rfc822 + DateWorkload.rfc3339 + DateWorkload.odd {
          _ = FeedDate.date(text)
        }
      }
    }
  }

  private static func cleaning(_ bytes: [UInt8], _ rounds: Int) -> () -> Void {
    let text = String(decoding: bytes, as: UTF8.self)
    return {
      for _ in 0..<rounds { _ = SafeText.line(text) }
    }
  }

  private func merging(_ stories: Int, each: Int, _ folder: String) throws -> () throws -> Void {
    let workload = try MergeWorkload(stories: stories, feeds: stories / each, folder: folder)
    return { _ = try workload.merge() }
  }

  private func encoding(_ count: Int, _ folder: String) -> () throws -> Void {
    let stories = StoryWorkload.stories(count).map { ItemEdit.insert($0) }
    return {
      try LibraryStore(home: "\(folder)/encode").update { (_) throws(StorageError) in
        (LibraryChange(items: stories), ())
      }
    }
  }

  private func decoding(_ count: Int, _ folder: String) throws -> () throws -> Void {
    let store = try filledStore(count, folder)
    return {
      let table = try store.read().items
      for index in 0..<table.count { _ = try table.item(at: index) }
    }
  }

  private func command(
    _ words: [String],
    over count: Int,
    _ folder: String,
  ) throws -> () throws -> Void {
    _ = try filledStore(count, folder)
    return {
      let words = ["--home", "\(folder)/\(count)"] + words
      let status = NewsCommand.run(arguments: words, environment: .process())
      guard status == 0 else { throw UnexpectedOutput(text: "status \(status)") }
    }
  }

  private func filledStore(_ count: Int, _ folder: String) throws -> LibraryStore {
    let store = LibraryStore(home: "\(folder)/\(count)")
    try store.update { (_) throws(StorageError) in
      (LibraryChange(items: StoryWorkload.stories(count).map { .insert($0) }), ())
    }
    return store
  }
}

extension FixedWork {
  /// Those that no command does alone, for a process of the benchmark.
  static func growing(_ benchmark: String) -> [GrowthWork] {
    [
      (merge, "merge feeds of 50, stories"), (mergeManyFeeds, "merge feeds of 10, stories"),
      (mergeOneFeed, "merge one feed, stories"), (encode, "encode, stories"),
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
