import FeedModel
import FeedParsing
import HTMLParsing
import System
import TestSupport
import Testing

@testable import HTMLText

@Suite("Summaries")
struct StorySummaryTests {
  @Test(
    "a power in a summary is in brackets, as it is in a story's text",
    arguments: [
      ("2<sup>l+1</sup> a", "2^(l+1) a"), ("x<SUP><i>n</i>-1</SUP >", "x^(n-1)"),
      ("1<sup>st</sup>", "1st"), ("10<sup>3</sup>", "10³"), ("a</sup>b<sup>2n", "ab^(2n)"),
      ("a<sup>a long note, number 1</sup>", "a^(a long note, number 1)"),
      ("x<sup>a<sub>i</sub>-1</sup> y<sub>2</sub>", "x^(a_i-1) y₂"),
    ],
  )
  func powers(html: String, expected: String) {
    #expect(ShownText.summary(html) == expected)
  }

  @Test("a summary is at most a thousand characters, and ends with an ellipsis if there was more")
  func summary() {
    #expect(ShownText.summary("<p>short</p>") == "short")
    #expect(ShownText.summary("<b>") == "")
    #expect(ShownText.summary("<img alt='x y'>") == "x y")
    #expect(ShownText.summary("see <b>this") == "see this")
    #expect(ShownText.summary("cut <strong") == "cut")
    #expect(ShownText.summary("cut <!-- anywhere") == "cut")
    for piece in ["word ", "<p>wörd</p>", "👩\u{200D}👩\u{200D}👧 ", "&eacute;", "\n   \n x"] {
      let text = ShownText.summary(String(repeating: piece, count: 40_000))
      #expect(text.count <= 1000 && text.last == "…")
      #expect(text.count >= 300)
    }
    let exact = String(repeating: "x", count: 1000)
    #expect(ShownText.summary("<p>\(exact)</p>") == exact)
    #expect(ShownText.summary(exact + "y").count == 1000)
    let style = "<style>\(String(repeating: "x", count: 40_000))</style>"
    #expect(ShownText.summary("<p>Wait…</p>\(style)<p>b") == "Wait… b")
  }

  @Test(
    "hostile text costs no more than its length, as a title and as a summary",
    arguments: [
      "<", "<a", "<a b", "<b ", "&", "&a", "&#", "<!--", "<![CDATA[", "<a b=\"", "<a b='<a b=\"",
      "</",
      "<x>", "<svg>", "<p><i></i>", "<zz-z ", "</svg", "<script", "&notin", "]]>", "<b x <",
    ],
  )
  func hostile(piece: String) {
    let text = String(repeating: piece, count: 200_000 / piece.utf8.count)
    #expect(ShownText.summary(text).count <= 1000)
    #expect(PlainText.fromHTML(text).utf8.count <= 3 * text.utf8.count)
  }

  /// Returns the words of a text as its summary, a search and `show` have them.
  private func readings(_ html: String) -> [String] {
    let text = StoryText(isHTML: true, bytes: Array(html.utf8))
    let shown = StoryDocumentReader.document(text, link: "").words(hasPictures: false)
    return [ShownText.summary(html), text.lineWithoutPictures, SafeText.line(shown)]
  }

  @Test(
    "summaries, searches and what is shown are read alike",
    arguments: [
      ("<foo>bar", "bar"), ("a <foo>b", "a b"), ("<p>a</x> b", "a b"), ("<a X>0<b>1<a Y>2", "012"),
      ("a vector<int> b", "a vector<int> b"),
      ("<p>List<String> and Map<K,V></p>", "List<String> and Map<K,V>"),
      ("#include <stdio.h> <p>", "#include <stdio.h>"), ("<p>x<foo>y</foo>z", "xyz"),
      ("<table>A<tr><td>B</td></tr>C</table>", "AC B"), ("<p>if a<b and c>d", "if ad"),
      ("<button>1</button>2", "2"), ("<p hidden>no</p>yes", "yes"),
      ("<ruby>a<rt>b</ruby>", "a(b)"),
      ("<p>cut <a href=\"http://exa", "cut"), ("<q>a</q>", "“a”"), ("<p>這個 \n 段落\nx", "這個段落 x"),
    ],
  )
  func alike(_ html: String, _ words: String) {
    #expect(readings(html) == [words, words, words])
  }

  @Test(
    "so are the documents of the standard's tests",
    .enabled(
      if: BuiltProduct.htmlTests() != nil,
      "there is no ../shared/html5lib-tests, nor NEWS_TEST_HTML",
    ),
  )
  func standard() throws {
    let path = (BuiltProduct.htmlTests() ?? "") + "/tree-construction.json"
    let tests = try readFile(path).withUnsafeBytes { try JSONDocument($0).value() }
    var differences: [String] = []
    for test in tests?.elements ?? [] {
      let html = test["data"]?.text ?? ""
      let readings = readings(html)
      let isAlike = readings.allSatisfy { $0 == PlainText.beginning(of: readings[2]) }
      if !readings[2].isEmpty, !isAlike { differences.append("\(html): \(readings)") }
    }
    #expect(differences.prefix(50) == [])
  }
}
