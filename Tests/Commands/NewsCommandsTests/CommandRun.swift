import FeedFetching
import FeedModel
import FeedStorage
import Synchronization
import TestSupport
import Testing

@testable import CommandLine
@testable import CommandSupport
@testable import NewsCommands
@testable import System

struct CommandResult: Equatable {
  var output: String
  var errors: String
  var status: Int32
}

/// Runs commands in this process: words in, text and status out, with a home of their own.
///
/// Unchecked: a test has its own, and only one thread at a time reads what it gives to commands.
final class CommandRun: @unchecked Sendable {
  let folder: TemporaryFolder
  var variables: [String: String]
  var terminal = TerminalFacts()
  var fetcher = FakeFetcher()
  /// A fetcher of real servers, in the place of `fetcher`.
  var realFetcher: (any FeedFetcher)?
  var input: [String] = []
  /// True where a second reading of all input gives nothing, as that of a pipe does.
  var isInputReadOnce = false
  /// The arguments of each start of the program that `launch` finds.
  var launched: [[String]] = []
  var launchStatus: Int32 = 0
  /// The answers of the system's programs to their words and their input.
  var programs: ([String], String) -> POSIX.ProgramAnswer? = { _, _ in nil }
  var startProgram: ([String]) -> ProgramPipe? = { _ in nil }
  /// The pipe to the program that has started this command to talk with it.
  var caller = ProgramPipe(readingFrom: -1, writingTo: -1)
  /// The result of the command that talked with `caller`.
  var served: CommandResult?
  /// The texts that went to the pager, which reads all of each.
  var paged: [String] = []
  var outputFailure: Int32 = 0
  /// 2026-11-01T12:00:00Z, a Sunday.
  var now = 1_793_534_400.0
  /// The signal that has asked the process to end.
  var signal: Int32?
  var isMacOS = false
  var machine = (name: "laptop", id: "1")

  init() throws {
    folder = try TemporaryFolder()
    variables = ["NEWS_HOME": folder.path("home")]
  }

  var store: LibraryStore { LibraryStore(home: folder.path("home")) }

  /// Undoes the latest change, whoever made it.
  @discardableResult
  func undoLatest(_ words: String...) throws -> CommandResult {
    let changes = try store.history().changes.filter { !$0.origin.isBack }
    let latest = try #require(changes.max { $0.number < $1.number })
    return run(["undo", "\(latest.change)"] + words)
  }

  /// Stores that servers asked to wait ten minutes.
  func hold(_ servers: String...) throws {
    let time = Date(timeIntervalSince1970: now)
    let holds = servers.map { server in
      let since = time.addingTimeInterval(-60)
      let until = time.addingTimeInterval(600)
      return (server, RetryTime(server: server, status: 429, since: since, until: until))
    }
    try store.update { _ in
      var change = LibraryChange()
      change.feeds.retryTimes = Dictionary(uniqueKeysWithValues: holds)
      return (change, ())
    }
  }

  @discardableResult
  func callAsFunction(_ words: String...) -> CommandResult {
    run(words)
  }

  @discardableResult
  func run(_ words: [String]) -> CommandResult {
    let output = Collector(failure: outputFailure)
    let errors = Collector(failure: 0)
    let status = NewsCommand.run(
      arguments: words,
      environment: environment(
        TextOutput { output.take($0) },
        TextOutput(capacity: 0) { errors.take($0) },
      ),
    )
    return CommandResult(
      output: output.text,
      errors: errors.text,
      status: status,
    )
  }

  func useTerminal(_ columns: Int, variables extra: [String: String] = [:]) {
    terminal.isInputTerminal = true
    terminal.isOutputTerminal = true
    terminal.isErrorTerminal = true
    terminal.columns = columns
    variables.merge(extra) { $1 }
  }

  var context: CommandContext {
    get throws {
      try CommandContext(command: "list", arguments: Arguments(), environment: testEnvironment)
    }
  }

  var testEnvironment: Environment {
    environment(TextOutput { _ in 0 }, TextOutput { _ in 0 })
  }

  func environment(_ output: TextOutput, _ errors: TextOutput) -> Environment {
    Environment(
      program: .news,
      variable: { self.variables[$0] },
      clock: .utc(now),
      output: output,
      errorOutput: errors,
      readLine: { self.input.isEmpty ? nil : self.input.removeFirst() },
      readInput: { _, body throws(FileReadingError) in
        Array(self.input.joined(separator: "\n").utf8).withUnsafeBytes(body)
        if self.isInputReadOnce { self.input = [] }
      },
      terminal: terminal,
      currentFolder: { self.folder.path },
      makeFetcher: { self.realFetcher ?? self.fetcher },
      launch: { words in
        self.launched.append(words)
        return self.launchStatus
      },
      runProgram: { self.programs($0, $1) },
      startProgram: { self.startProgram($0) },
      caller: caller,
      executable: { "/usr/local/bin/news" },
      machine: { self.machine },
      showInPager: { _, _, lines in
        self.paged.append(lines.joined())
        return 0
      },
      cancelOnInterruption: { _ in },
      interruption: { self.signal },
      isMacOS: isMacOS,
    )
  }
}

/// Collects the text written to a stream, or refuses it with an `errno`.
final class Collector: Sendable {
  private let bytes = Mutex<[UInt8]>([])
  private let failure: Int32

  init(failure: Int32) {
    self.failure = failure
  }

  var text: String { String(decoding: bytes.withLock { $0 }, as: UTF8.self) }

  func take(_ new: UnsafeRawBufferPointer) -> Int32 {
    if failure == 0 { bytes.withLock { $0 += new } }
    return failure
  }
}

extension WallClock {
  static func utc(_ now: Double) -> WallClock {
    WallClock(now: { now }, civilTime: civilTime(utc:), seconds: seconds(utc:))
  }

  private static func civilTime(utc seconds: Int) -> CivilTime {
    let date = CivilDate(daysSinceEpoch: seconds / 86_400)
    let rest = seconds % 86_400
    return CivilTime(
      year: date.year,
      month: date.month,
      day: date.day,
      hour: rest / 3600,
      minute: rest / 60 % 60,
      second: rest % 60,
    )
  }

  private static func seconds(utc time: CivilTime) -> Int? {
    let days = CivilDate.daysSinceEpoch(year: time.year, month: time.month, day: time.day)
    return days * 86_400 + time.hour * 3600 + time.minute * 60 + time.second
  }
}

/// A fetcher of given pages, and of files.
final class FakeFetcher: FeedFetcher {
  struct Page: Sendable {
    var body = ""
    var etag: String?
    var error: FetchError?
    /// The time by the server's clock.
    var date: Date?
  }

  private let pages = Mutex<[String: Page]>([:])
  private let log = Mutex<[[FetchRequest]]>([])

  var requests: [FetchRequest] { batches.flatMap(\.self) }

  /// The requests that were made together.
  var batches: [[FetchRequest]] { log.withLock { $0 } }

  func serve(_ url: String, _ page: Page) {
    pages.withLock { $0[url] = page }
  }

  func fetch(_ batch: FetchBatch) {
    log.withLock { $0.append(batch.requests) }
    var files = batch
    files.requests.removeAll { $0.url.hasPrefix("http") }
    SourceFetcher().fetch(files)
    for request in batch.requests where request.url.hasPrefix("http") {
      let body = batch.body(request)
      let stop = WebURL.origin(of: request.url).flatMap { batch.options.stoppedServers[$0] }
      let outcome = stop.map { .failed($0, nil) } ?? outcome(request, body)
      batch.completion(request, outcome, body)
    }
  }

  private func outcome(_ request: FetchRequest, _ body: ReceivedBody) -> FetchOutcome {
    guard let page = pages.withLock({ $0[request.url] }) else { return .failed(.status(404), nil) }
    if let error = page.error { return .failed(error, nil) }
    var response = FetchResponse(status: 200, url: request.url)
    response.trust = request.trust
    response.freshness.date = page.date
    if let etag = page.etag {
      response.validators = CacheValidators(etag: etag, lastModified: nil, url: request.url)
      if request.validators?.etag == etag {
        response.status = 304
        return .notModified(response)
      }
    }
    body.begin(ResponseHead(status: 200, url: request.url))
    let isTaken = Array(page.body.utf8).withUnsafeBytes { $0.isEmpty || body.receive($0) }
    return isTaken ? .content(response) : .failed(.stoppedByReceiver, response)
  }
}

enum Sample {
  static let feed = "https://example.com/feed.xml"
  static let other = "https://example.org/atom"

  static func rss(_ title: String, _ titles: [String]) -> String {
    let items = titles.map {
      "<item><title>\($0)</title><link>https://example.com/\($0)</link></item>"
    }
    return "<rss version=\"2.0\"><channel><title>\(title)</title>"
      + "<link>https://example.com/</link>\(items.joined())</channel></rss>"
  }

  /// Returns a story that was stored so many hours before noon on 2026-11-01.
  static func story(
    _ number: Int,
    _ title: String,
    hours: Int,
    feeds: [String] = [feed],
  ) -> StoredItem {
    let date = Date(timeIntervalSince1970: 1_793_534_400 - Double(hours) * 3600)
    var item = Item(
      title: title,
      link: "https://example.com/\(number)",
      pubDate: "published \(number)",
      date: date,
      guid: "guid \(number)",
    )
    item.summary = "Summary of \(title)."
    return StoredItem(id: id(number), item: item, feeds: feeds, stored: date)
  }

  static func id(_ number: Int) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

extension CommandRun {
  func store(_ stories: [StoredItem], subscriptions: [(String, String)]) throws {
    let feeds = subscriptions.map { Subscription(url: $0.0, title: $0.1) }
    var store = store
    store.typed = OwnWords(typed: feeds.flatMap(\.ownWords))
    try store.prepareHome()
    try store.update(waitAtMost: .seconds(5)) { _ in
      (LibraryChange(StoryChanges(adding: stories), subscriptions: feeds), ())
    }
  }

  func storyTags() throws -> [String: [String]] {
    let tagged = try stories().filter { !$0.tags.isEmpty }
    return Dictionary(tagged.map { ($0.item.title, $0.tags) }, uniquingKeysWith: { $1 })
  }

  func storeSample() throws {
    var stories = [
      Sample.story(1, "Newest of all", hours: 1),
      Sample.story(2, "東京で新しい駅が開業 👩‍👩‍👧", hours: 3, feeds: [Sample.other]),
      Sample.story(3, "Café au lait", hours: 26),
      Sample.story(
        4,
        "A title that goes on and on until no terminal of eighty columns has room",
        hours: 50,
      ),
      Sample.story(5, "Oldest", hours: 24 * 400, feeds: [Sample.other, Sample.feed]),
    ]
    stories[2].isRead = true
    stories[4].isStarred = true
    try store(stories, subscriptions: [(Sample.feed, "Example"), (Sample.other, "Other Feed")])
  }
}
