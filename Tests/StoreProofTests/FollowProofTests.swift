import TestSupport
import Testing

@Suite(
  "A list that is followed beside four writers, of whom every third run is killed",
  .serialized,
)
struct FollowProofTests {
  private let folder: TemporaryFolder
  private let program: String
  private let rounds = 60 * ProofScale.factor

  init() throws {
    folder = try TemporaryFolder()
    program = try BuiltProduct.path("news")
  }

  private var settings: [String: String?] {
    ["NEWS_HOME": folder.path("home"), "HOME": folder.path, "TERM": "dumb", "TZ": "UTC"]
  }

  private func news(_ words: [String], killedAt operation: Int? = nil) throws -> Int32 {
    let fault = operation.map { FaultShim.Fault(operation: $0, kind: "kill") }
    let shim = try FaultShim.environment(of: folder.path("home"), fault: fault)
    return try Subprocess.run(
      [program] + words,
      environment: fault == nil ? settings : settings.merging(shim) { $1 },
    ).status
  }

  private func publish(_ name: String, round: Int) throws {
    let items = (round..<round + 20).map { number in
      let minute = number % 5 == 0 ? (number * 7 + round) % 60 : number % 60
      let title = number % 3 == 0 ? "\(name) \(number), \(round)" : "\(name) \(number)"
      return "<item><guid>\(name)\(number)</guid><title>\(title)</title>"
        + "<pubDate>Sun, 01 Nov 2026 10:\(minute < 10 ? "0" : "")\(minute):00 GMT</pubDate></item>"
    }.joined()
    let head = "<rss version=\"2.0\"><channel><title>\(name)</title>"
    try folder.write("\(head)\(items)</channel></rss>", to: name + ".new")
    try moveFile(folder.path(name + ".new"), to: folder.path(name))
  }

  private func line(_ writer: Int, round: Int) throws -> [String] {
    switch writer {
    case 0, 1:
      let name = ["a", "b"][writer]
      try publish(name, round: round)
      return ["refresh", folder.path(name), "--keep", "30"]
    case 2: return [round % 2 == 0 ? "star" : "unstar", "--all", "--grep", "\(round % 10)"]
    default: return round % 2 == 0 ? ["clear", "--yes", "--feed", folder.path("a")] : ["undo"]
    }
  }

  private func write(_ writer: Int, _ killed: Monitor<Int>) throws {
    for round in 1...rounds {
      let isKilled = (round + writer) % 3 == 0
      let operation = isKilled ? 10 + (round * 37 + writer * 11) % 120 : nil
      let status = try news(line(writer, round: round), killedAt: operation)
      if status == 137 { killed.change { $0 += 1 } }
    }
  }

  @Test("is told nothing twice, and ends as the list is")
  func soak() throws {
    for name in ["a", "b"] {
      try publish(name, round: 0)
      #expect(try news(["subscribe", folder.path(name)]) == 0)
    }
    let follower = try Subprocess(
      [program, "list", "--follow", "--json", "-n", "1000"],
      environment: settings,
    )
    var list = FollowedList()
    while list.order.count < 40 { list.take(try follower.readLine()) }
    let killed = Monitor(0)
    let failures = Monitor<[String]>([])
    let writers = try (0..<4).map { writer in
      try TestThread {
        do { try write(writer, killed) } catch { failures.change { $0.append("\(error)") } }
      }
    }
    let end = try TestThread {
      for writer in writers { writer.join() }
      // The story is the newest of all: changes before it in the same save are told before it.
      let story =
        "<item><title>the end</title><pubDate>Sun, 01 Nov 2026 12:00:00 GMT</pubDate></item>"
      let text = "<rss version=\"2.0\"><channel><title>c</title>\(story)</channel></rss>"
      do {
        try folder.write(text, to: "c")
        let status = try news(["subscribe", folder.path("c")])
        failures.change { if status != 0 { $0.append("the end: \(status)") } }
      } catch { failures.change { $0.append("\(error)") } }
    }
    var told = 0
    while list.stories[list.order.first ?? ""]?.contains("\"the end\"") != true {
      let line = try follower.readLine()
      try #require(!line.isEmpty)
      list.take(line)
      told += 1
    }
    end.join()
    let listed = try Subprocess.run([program, "list", "--json"], environment: settings).text
    print("followed: \(told) changes beside \(killed.change { $0 }) killed runs")
    #expect(failures.change { $0 } == [])
    #expect(list.problems == [])
    #expect(list.order == FollowedList.listed(listed).order)
    #expect(list.stories == FollowedList.listed(listed).stories)
    #expect(told > 100 && killed.change { $0 } > 5)
  }
}
