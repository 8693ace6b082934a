import TestSupport
import Testing

@Suite("A file in the store that nobody's program wrote", .serialized)
struct HostileFileTests {
  private static let allowance = 50 << 20

  @Test("is an error or a right answer in 50 MB and no time, and is left as it is")
  func allFiles() throws {
    let empty = try HostileStore()
    let base = try #require(try empty.run(["list"], limit: nil).memory)
    let limit = base.data + Self.allowance
    let stores: @Sendable () throws -> HostileStore = { try HostileStore() }
    let costs = try Parallel.map(HostileFile.all, workers: stores) { store, file in
      try store.cost(of: file, limit: limit)
    }
    #expect(costs.flatMap { $0.problems } == [])
    let memory = (costs.map { $0.memory }.max() ?? 0) - base.resident
    let runs = costs.map { $0.runs }.reduce(0, +)
    let slowest = costs.map { $0.slowest }.sorted { $0.seconds > $1.seconds }.prefix(3)
    print(
      "hostile files: \(costs.count) in \(runs) runs, at most \(memory >> 20) MB above an empty "
        + "store; slowest: \(slowest.map { "\($0.name): \($0.seconds) s" })"
    )
    #expect(memory <= Self.allowance)
    #expect(costs.count > 150)
  }
}

private struct HostileStore {
  struct Cost {
    var problems: [String] = []
    var memory = 0
    /// The most processor time, and the file that took it.
    var slowest = (seconds: 0.0, name: "")
    var runs = 0
  }

  private let folder: TemporaryFolder
  private let news: String

  init() throws {
    folder = try TemporaryFolder()
    news = try BuiltProduct.path("news")
    try folder.write(ShapedStore.feed, to: "feed.xml")
  }

  private var home: String { folder.path("home") }

  func run(_ words: [String], limit: Int?) throws -> BoundedRun {
    let words = words.map { $0 == "FEED" ? folder.path("feed.xml") : $0 }
    return try BoundedRun([news, "--home", home] + words, data: limit, seconds: 60, in: folder)
  }

  func cost(of file: HostileFile, limit: Int) throws -> Cost {
    var cost = Cost()
    for words in Self.commands[file.place] ?? [] {
      try Shell.run("rm -rf \"$0\"; mkdir -m 700 \"$0\"", [home])
      try folder.write(file.bytes, to: "home/\(file.place)")
      let run = try run(words, limit: limit)
      cost.runs += 1
      cost.memory = max(cost.memory, run.memory?.resident ?? 0)
      let seconds = run.result.processorTime / .seconds(1)
      if seconds > cost.slowest.seconds { cost.slowest = (seconds, "\(file.name), \(words[0])") }
      if let problem = try problem(file, words, run) {
        cost.problems.append("\(file.name), \(words): \(problem)")
      }
    }
    return cost
  }

  private static let commands = [
    "newsdata.plist": [["list"], ["list", "--json"], ["read", "1"], ["refresh", "FEED"]],
    "feeds.plist": [["feeds"], ["fetch"]],
    "ledger.plist": [["log"]],
    "listing.plist": [["show", "1"]],
  ]

  private func problem(_ file: HostileFile, _ words: [String], _ run: BoundedRun) throws -> String?
  {
    let result = run.result
    guard result.status < 128 else {
      return "signal \(result.status - 128): \(result.errorText.prefix(200))"
    }
    guard run.memory != nil else { return "it did not tell its memory" }
    let isRefused = result.status != 0
    if isRefused, result.status != 1 || !result.errorText.contains("news: ") {
      return "status \(result.status): \(result.errorText.prefix(200))"
    }
    let isUntouched = try readFile(folder.path("home/\(file.place)")) == file.bytes
    let isReader = file.place != "newsdata.plist" || words[0] == "list"
    if !isUntouched, isRefused || isReader { return "the file is another one" }
    // Such a story may be marked, and new ones put in front of it, or not.
    guard isReader else { return nil }
    switch file.answer {
    case .lines(let count):
      return lines(result, words) == count ? nil : "\(lines(result, words)) lines"
    case .linesUnlessJSON(let count) where !words.contains("--json"):
      return lines(result, words) == count ? nil : "\(lines(result, words)) lines"
    case .refused, .linesUnlessJSON: return isRefused ? nil : "it was not refused"
    }
  }

  private func lines(_ result: Subprocess.Result, _ words: [String]) -> Int {
    words.contains("--json")
      ? result.text.split(separator: "\"n\":").count - 1
      : result.text.split(separator: "\n").count
  }
}
