import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Three homes that are killed now and then, and meet in a folder and by a program in ssh's place.
@Suite("Homes that are killed while they synchronize")
struct KilledSyncTests {
  private let homes: [News]
  private let folder: TemporaryFolder
  private let server: FaultyServer
  private let stories = Monitor(200)

  init() throws {
    folder = try TemporaryFolder()
    homes = try (0..<3).map { _ in try News() }
    let stories = stories
    server = try FaultyServer { _ in
      let items = (0..<stories.change { $0 }).map { number in
        "<item><title>story \(number)</title><guid>\(number)</guid></item>"
      }
      return .response(
        body: "<rss version=\"2.0\"><channel><title>T</title>\(items.joined())</channel></rss>"
      )
    }
    // The program does what ssh does, on this machine: the first word behind `--` is the home's
    // number.
    let program = homes[0].program
    #expect(mkdir(folder.path("bin"), 0o755) == 0)
    try folder.write(
      """
      #!/bin/sh
      while [ "$1" != -- ]; do shift; done
      export NEWS_HOME="$(cat '\(folder.path)'/$2)" PATH="\(String(program.dropLast(5))):$PATH"
      exec sh -c "$3"

      """,
      to: "bin/ssh",
    )
    #expect(chmod(folder.path("bin/ssh"), 0o755) == 0)
    #expect(mkdir(folder.path("shared"), 0o755) == 0)
    for (number, news) in homes.enumerated() {
      try folder.write(news.home, to: "\(number)")
      #expect(try news.run("subscribe", "--no-check", server.url("/feed")).status == 0)
      #expect(try news.run("fetch").status == 0)
      #expect(try sync(number, folder.path("shared")).status == 0)
    }
  }

  private var path: [String: String?] {
    ["PATH": "\(folder.path("bin")):/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"]
  }

  @discardableResult
  private func sync(_ number: Int, _ words: String...) throws -> Subprocess.Result {
    try homes[number].run(["sync"] + words, environment: path)
  }

  private func marks() throws -> [[String: String]] {
    let all = try homes.map { news in
      let stories = try news.run("list", "--json").text.split(separator: "\n").map { line in
        line.split(separator: ",")
      }
      return Dictionary(
        stories.compactMap { parts in
          parts.first { $0.hasPrefix("\"title\"") }.map { title in
            (
              String(title),
              parts.filter { $0.hasPrefix("\"read\"") || $0.hasPrefix("\"starred\"") },
            )
          }
        }
      ) { first, _ in first }
    }
    return all.map { stories in
      stories.filter { title, _ in all.allSatisfy { $0[title] != nil } }
        .mapValues { $0.joined(separator: ",") }
    }
  }

  @Test("come to the same state, and nobody's marks are lost", arguments: 0..<6)
  func killed(seed: UInt64) throws {
    var chance = Chance(seed: seed)
    let shared = folder.path("shared")
    for _ in 0..<40 {
      let number = chance.below(3)
      let story = "\(1 + chance.below(200))"
      let commands = [
        ["read", story], ["star", story], ["unread", story], ["unstar", story], ["fetch"],
        ["read", "--all"], ["sync", shared],
        ["sync", "ssh:\((number + 1 + chance.below(2)) % 3)"],
        ["delete", "--all", "--grep", "is:read", "--yes"],
      ]
      let run = try homes[number].start(commands[chance.below(commands.count)], environment: path)
      if chance.below(2) == 0 {
        usleep(UInt32(chance.below(25_000)))
        run.send(SIGKILL)
      }
      _ = try run.wait()
    }
    stories.change { $0 += 20 }
    for _ in 0..<2 {
      for number in 0..<3 { #expect(try homes[number].run("refresh", "--force").status == 0) }
      for number in 0..<3 { #expect(try sync(number, shared).status == 0) }
    }
    for number in 0..<3 { #expect(try sync(number, shared).status == 0) }
    // Nothing takes back what a home has marked and synchronized.
    _ = try homes[0].run("list")
    #expect(try homes[0].run("star", "7").status == 0)
    try sync(0, "ssh:1")
    try sync(1, shared)
    try sync(2, shared)
    try sync(0, shared)
    let states = try marks()
    #expect(states[0].count >= 20)
    #expect(states[0] == states[1] && states[1] == states[2])
    #expect(states[2].values.contains { $0.contains("\"starred\":true") })
    #expect(try namesInFolder(shared).allSatisfy { !$0.hasSuffix(".new") })
  }
}
