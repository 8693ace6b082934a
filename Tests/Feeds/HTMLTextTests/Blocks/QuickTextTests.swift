import System
import TestSupport
import Testing

@testable import HTMLParsing
@testable import HTMLText

@Suite("QuickText")
struct QuickTextTests {
  /// Pieces of texts: those that the quick path takes, and those that only look like it.
  private static let pieces = [
    "word", "two words", " ", "  ", "\n\t", "a", "A", "eight888", "sixteen bytes ok",
    "&amp;", "&lt;", "&gt;", "&quot;", "&#39;", "&apos;", "&nbsp;", "&", " & ", "&copy;", "&amp",
    "&#8217;",
    "<p>", "</p>", "<br>", "<br/>", "<br />", "<b>", "</b>", "<i>", "</i>", "<div class=\"x\">",
    "</div>", "<a href=\"http://x.example/?a=1&amp;b=2\">", "</a>", "<a href='x'>", "<P>", "</P>",
    "<img src=\"x\" alt=\"An image\">", "<img src=\"x\" alt=\"\"/>", "<script>no</script>",
    "<!-- c -->",
    "<![CDATA[d]]>", "<", ">", "< ", "<3", "<unknown>", "</unknown>", "<dialog>", "a<b", " c>d",
    "<td", "<h2 >", "<em\n>", "<b x>", "<sup>", "</sup>", "l+1", "<li>", "<h1>", "é", "ß", "Ж", "λ",
    "’", "“", "—",
    "\u{200B}", "\u{2028}", "日本",
    "😀", "e\u{301}", "\u{AD}", "\u{7F}", "\u{1}", "\u{A0}", "\"", "'", "=\"", "x=\"<\"", "…",
  ]

  private func compare(_ text: String) -> String? {
    var result: String?
    Array(text.utf8).withUnsafeBufferPointer { bytes in
      for purpose in [PlainText.Purpose.title, .summary] {
        let quick = TextBuffer(capacity: 16)
        guard QuickText.append(bytes, for: purpose, to: quick) else { continue }
        let thorough =
          purpose == .title ? PlainText.thorough(bytes) : StorySummary.thorough(bytes)
        if quick.string != thorough {
          result = "\(purpose) “\(quick.string)”, not “\(thorough)” of “\(text)”"
        }
      }
    }
    return result
  }

  @Test("it is what the thorough readers say, for any mixture of what feeds hold")
  func equalsThorough() {
    var random = Chance(state: 7)
    var differences: [String] = []
    for _ in 0..<40_000 {
      let count = Int.random(in: 1...12, using: &random)
      let text = (0..<count).map { _ in Self.pieces.randomElement(using: &random) ?? "" }.joined()
      if let difference = compare(text) { differences.append(difference) }
    }
    #expect(differences.prefix(5) == [])
  }

  @Test("a long summary is cut at the same place", arguments: 985...1015)
  func cuts(_ length: Int) {
    let words = String(String(repeating: "nine bytes ", count: 200).prefix(length))
    #expect(compare(words) == nil)
    #expect(compare("<p>" + words + "</p><p>x</p>") == nil)
    #expect(compare(words + " <b>x</b>  y") == nil)
    #expect(compare(words.replacing("bytes", with: "bütes")) == nil)
  }

  @Test(
    "it answers for what nearly all feeds hold",
    arguments: [
      ("Plain title", "Plain title"), ("A &amp; B", "A & B"), ("A & café", "A & café"),
      ("<p>One <b>two</b>.</p><p>Three’s</p>", "One two. Three’s"),
    ],
  )
  func answers(_ html: String, _ text: String) {
    let quick = TextBuffer()
    let isRead = Array(html.utf8).withUnsafeBufferPointer {
      QuickText.append($0, for: .summary, to: quick)
    }
    #expect(isRead && quick.string == text)
  }
}
