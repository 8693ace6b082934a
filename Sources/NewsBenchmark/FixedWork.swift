internal import FeedModel
internal import FeedParsing
internal import FeedStorage
internal import NewsCommands
internal import TestSupport

/// Pieces of work of a fixed size, each to be done alone, so that its instructions can be counted.
///
/// `--work` alone prints their names; `--work NAME 0` prepares one and does not do it, so that the
/// difference to `--work NAME 1` is the work.
enum FixedWork: String, CaseIterable {
  case parseRSS = "parse-rss"
  case parseBrokenRSS = "parse-broken-rss"
  case parseAtom = "parse-atom"
  case parseJSONFeed = "parse-json-feed"
  case dates
  case text
  case merge
  case encode
  case decode
  case list
  case grep

  static let argument = "--work"

  /// Does what the words after `--work` say.
  static func run(_ words: [String]) throws {
    guard let name = words.first else {
      for work in allCases { print(work.rawValue) }
      return
    }
    guard let work = FixedWork(rawValue: name) else {
      throw UnexpectedOutput(text: "there is no work \(name)")
    }
    let folder = try TemporaryFolder()
    let run = try work.prepared(in: folder.path)
    for _ in 0..<(words.dropFirst().first.flatMap { Int($0) } ?? 1) { try run() }
    withExtendedLifetime(folder) {}
  }

  private func prepared(in folder: String) throws -> () throws -> Void {
    var workload = Workload(seed: 1)
    switch self {
    case .parseRSS: return parsing(workload.rss(bytes: 1_000_000))
    case .parseBrokenRSS:
      return parsing(ParsingBenchmark.breaking(workload.rss(bytes: 1_000_000)))
    case .parseAtom: return parsing(workload.atom(bytes: 1_000_000))
    case .parseJSONFeed: return parsing(workload.jsonFeed(bytes: 1_000_000))
    case .dates: return Self.readDates
    case .text: return Self.cleaning(String(decoding: workload.rss(bytes: 1_000), as: UTF8.self))
    case .merge: return try merging(folder)
    case .encode: return encoding(folder)
    case .decode: return try decoding(folder)
    case .list: return try command(["list"], over: 5_000, folder)
    case .grep: return try command(["list", "--grep", "plant zebra"], over: 5_000, folder)
    }
  }

  private func parsing(_ document: [UInt8]) -> () throws -> Void {
    { _ = try ParsingBenchmark.parse(document) }
  }

  private static func readDates() {
    for _ in 0..<1_000 {
      for text in DateWorkload.rfc822 + DateWorkload.rfc3339 + DateWorkload.odd {
        _ = FeedDate.date(text)
      }
    }
  }

  private static func cleaning(_ text: String) -> () -> Void {
    {
      for _ in 0..<1_000 { _ = SafeText.line(text) }
    }
  }

  private func merging(_ folder: String) throws -> () throws -> Void {
    let workload = try MergeWorkload(stories: 2_000, feeds: 40, folder: folder)
    return { _ = try workload.merge() }
  }

  private func encoding(_ folder: String) -> () throws -> Void {
    let stories = StoryWorkload.stories(5_000).map { ItemEdit.insert($0) }
    return {
      try LibraryStore(home: "\(folder)/encode").update { (_) throws(StorageError) in
        (LibraryChange(items: stories), ())
      }
    }
  }

  private func decoding(_ folder: String) throws -> () throws -> Void {
    let store = try filledStore(5_000, folder)
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
