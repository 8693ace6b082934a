import TestSupport
import Testing

@Suite("The record as pictures, with the built program")
struct StatsProgramTests {
  private let news: News

  init() throws {
    news = try News()
  }

  @Test("what a 304 saves is counted by the size that the feed's document had")
  func saved() throws {
    let body =
      "<rss version=\"2.0\"><channel><title>T</title><item><title>a</title></item></channel></rss>"
    let server = try FaultyServer { request in
      request.header("If-None-Match") == nil
        ? .response(headers: ["ETag: \"1\""], body: body)
        : .response(status: "304 Not Modified", headers: ["ETag: \"1\""], body: "")
    }
    _ = try news.run("subscribe", server.url("/feed"))
    for _ in 0..<2 { _ = try news.run("fetch") }
    let log = try news.run("log", "--json", "-n2").text
    let saved = ",\"unchanged\":1,\"saved\":\(body.utf8.count)}"
    #expect(log.split(separator: saved).count == 3, "\(log)")
    let picture = try news.run("stats", environment: ["LC_ALL": "C"]).text
    #expect(picture.contains("conditional requests: 2 of "), "\(picture)")
    #expect(picture.contains("\nsaved \(2 * body.utf8.count) bytes ###"), "\(picture)")
  }

  @Test("a terminal gets colours and blocks by the locale, a pipe neither colours nor a fault")
  func streams() throws {
    try storeHostile()
    let environment = ["LC_ALL": "C.UTF-8", "NEWS_PAGER": "cat"]
    let terminal = try news.terminal(["stats", "--since", "0001-01-01"], environment: environment)
    #expect(terminal.end() == 0)
    #expect(terminal.screen.contains("failed      60 \u{1b}[31m█"))
    let words = "'\(news.program)' stats --since 0001-01-01"
    let script = ["/bin/bash", "-c", "\(words) | head -n 1; echo ${PIPESTATUS[0]}"]
    let piped = try Subprocess.run(script, environment: news.settings)
    #expect(piped.text.hasSuffix(" days\n0\n") && piped.errorText.isEmpty, "\(piped.text)")
  }

  @Test("files full of absurd dates and numbers give pictures all the same, and nothing hidden")
  func hostile() throws {
    try storeHostile()
    for since in ["0001-01-01", "100000w", "1970-01-01", "now", "9999-12-31"] {
      for words in [[], ["--json"]] {
        let result = try news.run(["stats", "--since", since] + words)
        #expect(result.status == 0, "\(since) \(words): \(result.errorText)")
        let isHidden = { (scalar: Unicode.Scalar) in scalar.value < 0x20 && scalar != "\n" }
        #expect(!result.text.unicodeScalars.contains(where: isHidden), "\(since) \(words)")
      }
    }
    #expect(try news.run("stats", "--since", "0001-01-01").text.contains("\nruns by "))
  }

  private func storeHostile() throws {
    let script = """
      import plistlib, datetime, sys
      def write(name, value):
          with open(sys.argv[1] + "/" + name, "wb") as file: plistlib.dump(value, file)
      dates = [datetime.datetime(*day) for day in ((1, 1, 1), (9999, 12, 31), (1970, 1, 1), (2026, 1, 1))]
      numbers = [-1, 2**63 - 1, -2**63, 0]
      seconds = [float("nan"), float("inf"), -1e300, 1e300, 3.5]
      title = "\\u202eT" + "\\n\\t " * 9
      keys = ("asked", "failed", "new", "requests", "bytes", "unchanged", "savedBytes")
      write("ledger.plist", [
          {"started": date, "outcome": "failed", "seconds": s, **{key: number for key in keys}}
          for date in dates for number in numbers for s in seconds
      ] + [{"started": "x"}, 3, {"started": dates[3], "outcome": "noData", "seconds": "y"}])
      write("newsdata.plist", [
          {"title": title, "link": "", "pubDate": "", "date": date, "stored": stored,
           "feeds": ["https://a.example/", 7, "", "https://b.example/"]}
          for date in dates for stored in dates
      ])
      write("feeds.plist", {"feeds": [
          {"url": "https://a.example/", "title": title,
           "state": {"lastOutcome": "failed", "lastError": title, "failures": 2**63 - 1, "bodyBytes": -5,
                     "lastSucceeded": dates[1] if number else dates[0]}}
          for number in range(2)
      ]})
      write("habits.plist", {"looks": [1000.0] * 168, "since": dates[1], "date": dates[0]})
      """
    #expect(try Subprocess.run(["mkdir", "-m", "700", "-p", news.home]).status == 0)
    let made = try Subprocess.run(["python3", "-c", script, news.home])
    #expect(made.status == 0, "\(made.errorText)")
  }
}
