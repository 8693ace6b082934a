import TestSupport
import Testing

@Suite("Byte stages under mutation")
struct ByteStageFuzzTests {
  private static let seeds = [
    """
    <?xml version="1.0" encoding="UTF-8"?><!DOCTYPE rss [<!ENTITY a "b">]>
    <rss version="2.0"><channel><title>A &amp; B &a; &nbsp;</title><link>http://x/?a=1&b=2</link>
    <item><title><![CDATA[x ]] > <b>]]></title><guid isPermaLink='false'>1</guid><br>
    <!-- c --><media:content url="http://x/" type='a'/></item></channel></rss>
    """,
    "<feed xmlns='http://www.w3.org/2005/Atom'><entry><title type=html>é &#146; 東京 😀</title></entry></feed>",
    "<html><head><link rel=alternate type='application/rss+xml' href=/f></head></html>",
  ]

  private static let pieces = [
    "<", ">", "&", "\"", "'", "]]>", "<![CDATA[", "<!--", "-->", "&#", ";", "</item>", "<item>",
    "\u{0}", "é", "<?xml ", "?>", "=", "/", "<!DOCTYPE", "[", "&amp;", "<p>", "</rss>",
  ]

  private static func mutated(_ seed: Int) -> [UInt8] {
    var generator = Chance(state: UInt64(seed))
    var bytes = [UInt8](seeds[seed % seeds.count])
    for _ in 0..<Int.random(in: 1...6, using: &generator) {
      let index = Int.random(in: 0..<bytes.count, using: &generator)
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
      case 1:
        bytes.insert(
          contentsOf: pieces.randomElement(using: &generator)?.utf8 ?? "".utf8,
          at: index,
        )
      case 2:
        bytes.removeSubrange(
          index..<min(bytes.count, index + Int.random(in: 1...8, using: &generator))
        )
      default: bytes.removeSubrange((bytes.count + index) / 2..<bytes.count)
      }
      if bytes.isEmpty { bytes = [0x3C] }
    }
    return bytes
  }

  @Test("what comes out needs no repair", arguments: 0..<40)
  func idempotent(_ block: Int) {
    for seed in block * 50..<(block + 1) * 50 {
      let once = StageRun.both(Self.mutated(seed))
      guard once.error == nil, once.isRootClosed else { continue }
      let twice = StageRun.both(once.output)
      // A `>` in text may be written either way.
      let texts = [once, twice].map { $0.text.replacing("&gt;", with: ">") }
      #expect(texts[0] == texts[1], "seed \(seed)")
      #expect(twice.notes == [], "seed \(seed)")
    }
  }
}
