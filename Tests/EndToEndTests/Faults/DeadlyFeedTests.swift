import Synchronization
import TestSupport
import Testing

@Suite("A feed whose answer kills the program, with the built program")
struct DeadlyFeedTests {
  private let news: News

  init() throws {
    news = try News()
  }

  private static func feed(_ title: String) -> String {
    "<rss version=\"2.0\"><channel><title>T</title><item><title>\(title)</title></item></channel></rss>"
  }

  /// Whether the run in `home` has noted that the feed is being read, and no other with it.
  private static func isAlone(_ url: String, in home: String) -> Bool {
    let names = (try? namesInFolder(home)) ?? []
    let texts = names.filter { $0.hasPrefix("running.") }.compactMap {
      try? readText("\(home)/\($0)")
    }
    let lines = texts.joined().split(separator: "\n").filter { $0.first != "-" && $0.first != "d" }
    return lines == ["r \(url)"]
  }

  /// Kills the process at a moment at which the feed alone is being read.
  private static func end(_ process: Int32, reading url: String, in home: String) {
    waitUntil {
      // It stands still: what was read of it stays true.
      kill(process, SIGSTOP)
      let isAlone = isAlone(url, in: home)
      kill(process, isAlone ? SIGKILL : SIGCONT)
      return isAlone
    }
  }

  /// A server with a feed of which the beginning kills whoever reads it.
  private func server(_ victim: Monitor<Int32?>) throws -> FaultyServer {
    let (home, port) = (news.home, Monitor<Int?>(nil))
    let server = try FaultyServer { _ in
      .head(then: [
        .send(Array("<rss version=\"2.0\"><channel>".utf8)),
        .run {
          let url = "http://127.0.0.1:\(port.change { $0 } ?? 0)/deadly"
          victim.wait { $0 != nil }
          if let process = victim.change({ $0 }) { Self.end(process, reading: url, in: home) }
        },
        .hang,
      ])
    }
    port.change { $0 = server.port }
    return server
  }

  /// Starts a run that the feed is to kill.
  private func die(_ victim: Monitor<Int32?>, _ arguments: [String]) throws -> Subprocess.Result {
    let run = try Subprocess(
      [news.program] + arguments,
      environment: [
        "NEWS_HOME": news.home, "HOME": news.folder.path, "no_proxy": "*", "TZ": "UTC",
      ],
    )
    victim.change { $0 = run.pid }
    defer { victim.change { $0 = nil } }
    return try run.wait()
  }

  @Test("costs no other feed anything from the second run on, and is left alone after the third")
  func deadly() throws {
    let victim = Monitor<Int32?>(nil)
    let server = try server(victim)
    let deadly = server.url("/deadly")
    // In files: a server may keep them waiting where the machine is busy.
    let files = try (0...7).map { try news.folder.write(Self.feed("\($0)"), to: "\($0).xml") }
    let urls = files.prefix(4) + [deadly] + files.dropFirst(4)
    for url in urls { _ = try news.run("subscribe", "--no-check", url) }
    #expect(try die(victim, ["fetch"]).status == 137)
    let second = try die(victim, ["fetch"])
    #expect(second.status == 137 && second.text.isEmpty)
    #expect(try news.titles().sorted() == (0...7).map { "\($0)" })
    let doctor = try news.run("doctor", "--offline").text
    #expect(doctor.contains("a run ended without a word while it was asking 1 feed\t"))
    #expect(doctor.contains("1 run ended without a word while it was being asked"))
    #expect(try die(victim, ["refresh", "/deadly"]).status == 137)

    let fourth = try news.run("fetch")
    #expect(outcome(fourth) == "noData: 0 new in 0 of 8 feeds")
    let line =
      "news: \(deadly): left alone, three runs ended without a word while it was being "
      + "asked; to try it all the same: news refresh --force \(deadly)\n"
    #expect(fourth.errorText == line)
    #expect(server.requests(for: "/deadly").count == 3)
    #expect(try news.run("fetch", "--due").errorText.isEmpty)
    #expect(try news.run("feeds", "--json", "/deadly").text.contains("\"deaths\":3"))
    let wrong = try news.run("doctor", "--offline", "--quiet")
    #expect(wrong.status == 1 && wrong.text.contains("\tthree runs ended without a word"))
    let wayOut = "to try it all the same: news refresh --force \(deadly)"
    for words in [["feeds", "/deadly"], ["feeds", "--json", "/deadly"], ["why", "/deadly"]] {
      let lines = try news.run(words).text.split(whereSeparator: \.isWhitespace)
      let text = lines.joined(separator: " ")
      #expect(text.contains("left alone") && text.contains(wayOut), "\(text)")
    }
    let named = try news.run("refresh", "/deadly")
    #expect(named.status == 1 && named.errorText == line)
    #expect(try news.run("clear", "--yes").status == 0)
    #expect(outcome(try news.run("fetch")) == "newData: 8 new in 8 of 8 feeds")
    #expect(server.requests(for: "/deadly").count == 3)
    #expect(try namesInFolder(news.home).allSatisfy { !$0.hasPrefix("running") })
  }

  @Test("a held feed that is asked by force and answers is let go")
  func forced() throws {
    let victim = Monitor<Int32?>(nil)
    let server = try server(victim)
    let mended = try FaultyServer { _ in .response(body: Self.feed("mended")) }
    _ = try news.run("subscribe", "--no-check", server.url("/deadly"))
    for _ in 1...3 { #expect(try die(victim, ["fetch"]).status == 137) }
    #expect(try news.run("refresh").status == 0)
    _ = try news.run("subscribe", "--no-check", mended.url("/feed"))
    #expect(try die(victim, ["refresh", "--force", "/deadly"]).status == 137)
    #expect(server.requests.count == 4)
    _ = try news.run("move", "--no-check", server.url("/deadly"), mended.url("/deadly"))
    #expect(outcome(try news.run("fetch")) == "newData: 2 new in 2 of 2 feeds")
  }
}
