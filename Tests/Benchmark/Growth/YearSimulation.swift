internal import CommandLine
internal import CommandSupport
internal import FeedStorage
internal import NewsCommands
internal import TestSupport

/// A year of a hundred feeds with ten stories a day: the size of the store, and the bytes written
/// in a day.
///
/// The feeds are files, and the commands run in this process by a clock of its own. Most of the
/// year has one run a day; the last days have a run of `fetch --due` every five minutes, and those
/// are measured.
struct YearSimulation {
  let folder: String

  private static let feeds = 100
  private static let storiesADay = 10
  private static let carried = 20
  private static let days = 365
  private static let measuredDays = 3
  private static let tick = 300
  /// Midnight.
  private static let start = 1_767_225_600

  private var home: String { "\(folder)/home" }

  private struct Day {
    var runs = 0
    var saves = 0
    var bytes = 0
  }

  func table() throws -> [String] {
    let feeds = (0..<Self.feeds).map { SimulatedFeed(number: $0, folder: folder) }
    for feed in feeds { try feed.write(until: Self.start, atMost: Self.carried) }
    try writeFile("\(folder)/urls", feeds.map(\.url).joined(separator: "\n").utf8)
    try command(["import", "--files", "\(folder)/urls"], at: Self.start)
    let measured = Self.start + (Self.days - Self.measuredDays) * 86_400
    for day in stride(from: Self.start, to: measured, by: 86_400) {
      for feed in feeds { try feed.write(until: day, atMost: Self.carried) }
      try command(["fetch", "--deadline", "600"], at: day)
    }
    let days = try (0..<Self.measuredDays).map { day in
      try timed(from: measured + day * 86_400, feeds)
    }
    return try rows(days)
  }

  private func timed(from midnight: Int, _ feeds: [SimulatedFeed]) throws -> Day {
    var day = Day()
    for now in stride(from: midnight, to: midnight + 86_400, by: Self.tick) {
      for feed in feeds where feed.posts(from: now - Self.tick, until: now) {
        try feed.write(until: now, atMost: Self.carried)
      }
      let (before, file) = (Self.bytesWritten(), FileStatus(at: "\(home)/newsdata.plist"))
      try command(["fetch", "--due", "--deadline", "600"], at: now)
      day.runs += 1
      day.bytes += Self.bytesWritten() - before
      if FileStatus(at: "\(home)/newsdata.plist")?.inode != file?.inode { day.saves += 1 }
    }
    return day
  }

  private func rows(_ days: [Day]) throws -> [String] {
    let items = try LibraryStore(home: home).read().items
    let bytes = FileStatus(at: "\(home)/newsdata.plist")?.size ?? 0
    let written = days.map(\.bytes).reduce(0, +) / days.count
    let megabytes = { (bytes: Int) in Table.fixed(Double(bytes) / 1e6, 1) + " MB" }
    let aStory = bytes / max(items.count, 1)
    let others = ["feeds.plist", "ledger.plist", "runs.plist"].map { name in
      "\(name) \(megabytes(FileStatus(at: "\(home)/\(name)")?.size ?? 0))"
    }
    return [
      "| a year of \(Self.feeds) feeds, \(Self.storiesADay) stories a day | |", "|---|---|",
      "| stories | \(items.count) |",
      "| data file | \(megabytes(bytes)) (\(Self.verdict(bytes, atMost: 13_000_000)): 13 MB) |",
      "| a story | \(aStory) bytes (\(Self.verdict(aStory, atMost: 600)): 600) |",
      "| others | \(others.joined(separator: ", ")) |",
      "| runs a day | \(days.map(\.runs).reduce(0, +) / days.count) |",
      "| of them save stories | \(days.map(\.saves).reduce(0, +) / days.count) |",
      "| written a day | \(megabytes(written)) "
        + "(\(Self.verdict(written, atMost: 1_500_000_000)): 1,500 MB) |",
    ]
  }

  private static func verdict(_ value: Int, atMost limit: Int) -> String {
    guard value > limit else { return "holds" }
    return "**MISSED**, \(Table.fixed(Double(value) / Double(limit), 2)) × of it"
  }

  private func command(_ words: [String], at now: Int) throws {
    let null = open("/dev/null", O_WRONLY | O_CLOEXEC)
    defer { close(null) }
    var environment = Environment.process()
    environment.clock.now = { Double(now) }
    environment.output = .descriptor(null)
    environment.beginReading = { _, _ in }
    let words = ["--home", home] + words
    let status = NewsCommand.run(arguments: words, environment: environment)
    guard status == 0 else {
      throw UnexpectedOutput(text: "\(words.joined(separator: " ")) ended with \(status)")
    }
  }

  /// Returns the bytes that this process has written so far; 0 where the system does not say.
  private static func bytesWritten() -> Int {
    let text = (try? POSIX.readFile("/proc/self/io", maximumBytes: 4_096)) ?? []
    let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
    let line = lines.first { $0.hasPrefix("wchar: ") }
    return line.flatMap { Int($0.dropFirst(7)) } ?? 0
  }
}

private struct SimulatedFeed {
  let number: Int
  let folder: String

  private var path: String { "\(folder)/year-\(number).xml" }
  var url: String { "file://\(path)" }
  /// Seconds from one story to the next, and the largest delay of the first after midnight.
  private static let gap = 8_640
  private var first: Int { number * 7_919 % Self.gap }

  private func count(until now: Int) -> Int { (now - first) / Self.gap }

  func posts(from: Int, until: Int) -> Bool { count(until: from) != count(until: until) }

  func write(until now: Int, atMost carried: Int) throws {
    let count = count(until: now)
    var document = "<rss version=\"2.0\"><channel><title>Feed \(number)</title>"
    for story in (count - carried + 1...count).reversed() { document += item(story) }
    try writeFile(path, (document + "</channel></rss>").utf8)
  }

  private func item(_ story: Int) -> String {
    var workload = Workload(seed: UInt64(story * 100 + number))
    let date = HTTPDateText.text(story * Self.gap + first)
    return """
      <item><title>\(workload.sentence(words: 9))</title>
      <link>https://www.example.org/\(number)/\(workload.sentence(words: 3).replacing(" ", with: "-"))-\(story)</link>
      <guid isPermaLink="false">tag:example.org,2026:\(number)-\(story)</guid>
      <category>technology</category><pubDate>\(date)</pubDate>
      <description>&lt;p&gt;\(workload.sentence(words: 90)).&lt;/p&gt;</description></item>

      """
  }
}

private enum HTTPDateText {
  static func text(_ seconds: Int) -> String {
    var (time, parts) = (time_t(seconds), tm())
    gmtime_r(&time, &parts)
    let clock = [parts.tm_hour, parts.tm_min, parts.tm_sec].map { $0 < 10 ? "0\($0)" : "\($0)" }
    return """
      \(CalendarName.weekdays[Int(parts.tm_wday)].prefix(3)), \(parts.tm_mday) \
      \(CalendarName.months[Int(parts.tm_mon)].prefix(3)) \
      \(parts.tm_year + 1_900) \(clock.joined(separator: ":")) GMT
      """
  }
}
