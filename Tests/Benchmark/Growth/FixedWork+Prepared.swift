internal import CommandSupport
internal import FeedParsing
internal import FeedStorage
internal import NewsCommands
internal import TestSupport

extension FixedWork {
  func prepared(size: Int, in folder: String) throws -> () throws -> Void {
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
    case .mergeRenamed: return try merging(size, each: size, kind: .renamed, folder)
    case .mergeShared: return try merging(size, each: size / 2, kind: .shared, folder)
    case .mergeOneLink: return try merging(size, each: size, kind: .oneLink, folder)
    case .mergeOneTitle: return try merging(size, each: size, kind: .oneTitle, folder)
    case .mergeOneGUID: return try merging(size, each: size, kind: .oneGUID, folder)
    case .moveFeeds: return try moving(size, folder)
    case .encode: return encoding(size, folder)
    case .decode: return try decoding(size, folder)
    case .list: return try command(["list"], over: size, folder)
    case .grep: return try command(["list", "--grep", "plant zebra"], over: size, folder)
    case .open: return try command(["open", "1"], over: size, folder)
    case .save: return try saving(over: size, folder)
    case .fetch: return try fetching(size, folder)
    case .fetchNothingNew: return try fetchingAgain(size, folder)
    case .importing: return try importing(size, folder)
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

  private func merging(
    _ stories: Int,
    each: Int,
    kind: MergeWorkload.Kind = .usual,
    _ folder: String,
  ) throws -> () throws -> Void {
    let feeds = stories / each
    let workload = try MergeWorkload(stories: stories, feeds: feeds, kind: kind, folder: folder)
    return { _ = try workload.merge() }
  }

  private func moving(_ stories: Int, _ folder: String) throws -> () throws -> Void {
    let workload = try MergeWorkload(stories: stories, feeds: stories / 10, folder: folder)
    return { _ = try workload.move() }
  }

  private func encoding(_ count: Int, _ folder: String) -> () throws -> Void {
    let stories = StoryChanges(adding: StoryWorkload.stories(count))
    return {
      try LibraryStore(home: "\(folder)/encode").update { (library) in
        var change = LibraryChange(stories)
        change.stories.removed = Set(0..<library.items.count)
        return (change, ())
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
    return { try Self.run(words, home: "\(folder)/\(count)") }
  }

  private static func run(_ words: [String], home: String) throws {
    let status = status(of: ["--home", home] + words)
    guard status == 0 else { throw UnexpectedOutput(text: "status \(status)") }
  }

  /// Runs a command of `news` in this process, which saves once however slow the machine is.
  ///
  /// It reads itself what strangers wrote if it `isAlone`.
  static func status(of words: [String], isAlone: Bool = false) -> Int32 {
    var environment = Environment.process()
    if isAlone { environment.beginReading = { _, _ in } }
    environment.savingInterval = .seconds(3_600)
    defer { Starter.end() }
    return NewsCommand.run(arguments: words, environment: environment)
  }

  private func saving(over count: Int, _ folder: String) throws -> () throws -> Void {
    let store = try filledStore(count, folder)
    // The first save that copies makes the index.
    try StoreBenchmark.add(StoryWorkload.stories(10, from: count), to: store, keeping: count)
    let new = StoryWorkload.stories(10, from: count + 10)
    return { try StoreBenchmark.add(new, to: store, keeping: count) }
  }

  /// Counting instructions takes fifty times as long.
  private static let patientFetch = ["fetch", "--deadline", "600"]

  private func fetching(_ feeds: Int, _ folder: String) throws -> () throws -> Void {
    let urls = try GrowthFeeds.files(feeds, folder: folder)
    try Self.subscribe(to: urls, folder)
    return { try Self.run(Self.patientFetch, home: folder) }
  }

  private func fetchingAgain(_ feeds: Int, _ folder: String) throws -> () throws -> Void {
    let site = try GeneratedSite(feeds: feeds)
    try Self.subscribe(to: site.urls, folder)
    try Subprocess.expectSuccess(
      [CommandLine.arguments[0], Self.commandArgument, "--home", folder] + Self.patientFetch
    )
    return {
      try Self.run(Self.patientFetch, home: folder)
      withExtendedLifetime(site) {}
    }
  }

  private static func subscribe(to urls: [String], _ folder: String) throws {
    try writeFile("\(folder)/urls", urls.joined(separator: "\n").utf8)
    try run(["import", "--files", "--allow-private", "\(folder)/urls"], home: folder)
  }

  private func importing(_ feeds: Int, _ folder: String) throws -> () throws -> Void {
    let path = "\(folder)/feeds.opml"
    try writeFile(path, GrowthFeeds.outlines(feeds).utf8)
    return { try Self.run(["import", path], home: folder) }
  }

  private func filledStore(_ count: Int, _ folder: String) throws -> LibraryStore {
    let store = LibraryStore(home: "\(folder)/\(count)")
    try store.update { (_) in
      (LibraryChange(StoryChanges(adding: StoryWorkload.stories(count))), ())
    }
    return store
  }
}
