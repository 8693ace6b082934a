internal import FeedParsing
internal import System

struct CallBenchmark {
  private static let rounds = 10_000

  func contests() -> [Contest] {
    dates() + [lines(), titles()]
  }

  private func dates() -> [Contest] {
    [
      Contest(name: "a date of RFC 822", contenders: [news(DateWorkload.rfc822)]),
      Contest(
        name: "a date of RFC 3339",
        contenders: [
          foundation("2026-10-02T08:15:00Z") { try Date($0, strategy: .iso8601) },
          news(DateWorkload.rfc3339),
        ],
      ),
      Contest(name: "a date in an odd form", contenders: [news(DateWorkload.odd)]),
    ]
  }

  private func news(_ dates: [String]) -> Contender {
    Contender(name: "news", calls: Self.rounds * dates.count) {
      for _ in 0..<Self.rounds {
        for date in dates { blackHole(FeedDate.date(date)) }
      }
    }
  }

  private func foundation(
    _ text: String,
    _ date: @escaping (String) throws -> Date,
  ) -> Contender {
    Contender(name: "Foundation's parser", calls: Self.rounds) {
      for _ in 0..<Self.rounds { blackHole(try date(text)) }
    }
  }

  private func lines() -> Contest {
    let clean = "Maker of batteries to open plant in the north, sources said on Monday"
    return Contest(
      name: "a line of 70 bytes",
      contenders: [
        line("a copy as a string", clean) { String(decoding: $0, as: UTF8.self) },
        line("news", clean, SafeText.line(utf8:)),
        line("news, white space to be collapsed", "\n\t " + clean + "  \n", SafeText.line(utf8:)),
        line("news, not ASCII", "Größe “caf\u{e9}” – " + clean, SafeText.line(utf8:)),
        line("news, invisible characters", clean + "\u{202e}\u{7}", SafeText.line(utf8:)),
      ],
    )
  }

  private func line(
    _ name: String,
    _ text: String,
    _ clean: @escaping (UnsafeBufferPointer<UInt8>) -> String,
  ) -> Contender {
    let bytes = Array(text.utf8)
    return Contender(name: name, calls: Self.rounds) {
      for _ in 0..<Self.rounds { blackHole(bytes.withUnsafeBufferPointer(clean)) }
    }
  }

  private func titles() -> Contest {
    Contest(
      name: "a story with nothing but a title, in RSS",
      contenders: [
        title("plain", "Maker of batteries to open plant"),
        title(
          "references",
          "Maker of batteries &amp;amp; chips to open &amp;#8220;plant&amp;#8221;",
        ),
        title("markup", "Maker of &lt;b&gt;batteries&lt;/b&gt; to &lt;i&gt;open&lt;/i&gt; plant"),
        title("CDATA", "<![CDATA[Maker of <b>batteries</b> &amp; chips to open plant]]>"),
      ],
    )
  }

  private func title(_ name: String, _ title: String) -> Contender {
    let items = (0..<Self.rounds).map { "<item><title>\(title) \($0)</title></item>\n" }
    let document = Array(
      "<rss version=\"2.0\"><channel><title>T</title>\(items.joined())</channel></rss>".utf8
    )
    return Contender(name: name, calls: Self.rounds) { _ = try ParsingBenchmark.parse(document) }
  }
}

/// Takes a result, so that the compiler does not leave out the work for it.
@inline(never)
private func blackHole<T>(_ value: T) {
  withExtendedLifetime(value) {}
}
