import Testing

@testable import FeedParsing

@Suite("MarkupRepair")
struct MarkupRepairTests {
  typealias Row = (input: String, output: String)

  /// The text between `<r>` and `</r>`, and that which libxml2 gets.
  static let references: [Row] = [
    (
      "a &amp; b &lt; c &#8217; &#x2019; &quot;&apos;&gt;",
      "a &amp; b &lt; c &#8217; &#x2019; &quot;&apos;&gt;",
    ),
    ("Fish & Chips &amp; more", "Fish &amp; Chips &amp; more"),
    ("AT&T Q&A; &", "AT&amp;T Q&amp;A; &amp;"),
    ("?a=1&b=2&copy=3&c", "?a=1&amp;b=2&amp;copy=3&amp;c"),
    ("&nbsp;&eacute;&hellip;&Aacute;", "\u{A0}é…Á"),
    ("&LT;&AMP;&nvlt;", "&lt;&amp;&lt;\u{20D2}"),
    ("&unknown; &;", "&amp;unknown; &amp;;"),
    ("don&#146;t &#x80;", "don’t €"),
    ("a&#27;b&#0;c&#x1F;d&#xFFFE;e", "abcde"),
    ("&#x110000;&#99999999999999999999;&#xD800;", "\u{FFFD}\u{FFFD}\u{FFFD}"),
    ("&#55357;&#56832; &#xD83D;x", "😀 \u{FFFD}x"),
    ("&#8217 s &#X41; &#65", "’ s A A"),
    ("&#; &#x; &# 65;", "&amp;#; &amp;#x; &amp;# 65;"),
    ("&#60;&#38;", "&#60;&#38;"),
    (
      "&" + String(repeating: "a", count: 200) + ";",
      "&amp;" + String(repeating: "a", count: 200) + ";",
    ),
  ]

  static let texts: [Row] = [
    ("1 < 2", "1 &lt; 2"),
    ("I <3 you <- <", "I &lt;3 you &lt;- &lt;"),
    ("a<b<c/>", "a&lt;b<c/>"),
    ("Joe <joe@example.org>", "Joe &lt;joe@example.org>"),
    ("<http://example.org/>", "&lt;http://example.org/>"),
    ("<>", "&lt;>"), ("</>", "&lt;/>"), ("</ a>", "&lt;/ a>"),
    ("a]]>b]]]>c]]", "a]]&gt;b]]]&gt;c]]"),
    ("<!DOCTYPE html>", "&lt;!DOCTYPE html>"), ("<![if x]>", "&lt;![if x]>"),
    ("<![CDATA[a & b < c ]] ]> <x> &nbsp;]]>", "<![CDATA[a & b < c ]] ]> <x> &nbsp;]]>"),
    ("<![cdata[a]]>", "<![CDATA[a]]>"),
    ("<![CDATA[a]]]]><![CDATA[>b]]>", "<![CDATA[a]]]]><![CDATA[>b]]>"),
    ("a<!-- b & <c>\n -- \n-->d", "a<!--\n\n-->d"),
    ("a<?php x > y\n?>d", "a<!--\n-->d"),
    ("a<?xml version='1.0'>d", "a<!---->d"),
    ("<é>x</é>", "<é>x</é>"), ("<×>", "&lt;×>"),
  ]

  static let tags: [Row] = [
    ("<a b='1' c = \"2\"  />", "<a b=\"1\" c=\"2\"/>"),
    ("<a\n>x</a\n>", "<a\n>x</a\n>"),
    ("<a b=\"x > y\" c=\"&amp;\">x</a>", "<a b=\"x > y\" c=\"&amp;\">x</a>"),
    ("<a b='?x=1&y=2'/>", "<a b=\"?x=1&amp;y=2\"/>"),
    ("<a b='\"' c='x<y'/>", "<a b=\"&quot;\" c=\"x&lt;y\"/>"),
    ("<a b='&nbsp;&#27;x'/>", "<a b=\"\u{A0}x\"/>"),
    ("<a b=1 c=2>x</a>", "<a b=\"1\" c=\"2\">x</a>"),
    ("<a b=http://x/>x</a>", "<a b=\"http://x/\">x</a>"),
    ("<a b=all/>", "<a b=\"all\"/>"),
    ("<a b c='1'/>", "<a b=\"\" c=\"1\"/>"),
    ("<a b='1'c='2'/>", "<a b=\"1\" c=\"2\"/>"),
    ("<a b='1\" 2='3'/>", "<a b=\"1&quot; 2=\"/>"),
    ("<a b='1' / c='2'/>", "<a b=\"1\" c=\"2\"/>"),
    ("<a b='1' x b='2'/>", "<a b=\"1\" x=\"\"/>"),
    ("<a b='1'<c/></a>", "<a b=\"1\"><c/></a>"),
    ("<a b=\"x><c>He said \"no\"</c></a>", "<a b=\"x\"><c>He said \"no\"</c></a>"),
    ("<a/b c='1'>x</a>", "<a b=\"\" c=\"1\">x</a>"),
  ]

  static let balance: [Row] = [
    ("<a>x</b></a>", "<a>x</a>"),
    ("<a><b>x</a>", "<a><b>x</b></a>"),
    ("<language>en</langauge><b/>", "<language>en</language><b/>"),
    ("<Title>x</title>", "<Title>x</Title>"),
    ("<dc:date>x</date>", "<dc:date>x</dc:date>"),
    ("<b><i>x</b></i>y", "<b><i>x</i></b>y"),
    ("a<br>b<BR/>c<img src='x'>d</br>", "a<br/>b<BR/>c<img src=\"x\"/>d"),
    ("<p>a<p>b<p>c", "<p>a</p><p>b</p><p>c</p>"),
    (
      "<item><title>a<link>b<description>c<pubDate>d</item>",
      "<item><title>a</title><link>b</link><description>c</description><pubDate>d</pubDate></item>",
    ),
    (
      "<item><title>a</title><item><title>b</title></item>",
      "<item><title>a</title></item><item><title>b</title></item>",
    ),
    ("<atom:link href='x'><item>a</item>", "<atom:link href=\"x\"></atom:link><item>a</item>"),
    ("<description>a<item>b</item>", "<description>a</description><item>b</item>"),
    (
      "<entry><link href=\"a\"><id>b</id></entry>",
      "<entry><link href=\"a\"></link><id>b</id></entry>",
    ),
    (
      "<image><title>a</title><link>b</link></image>",
      "<image><title>a</title><link>b</link></image>",
    ),
    ("<a>x</a <b>y</b>", "<a>x</a><b>y</b>"),
    ("<a>x</a foo='1'>", "<a>x</a>"),
  ]

  @Test(
    "text, tags and references become what XML allows",
    arguments: [references, texts, tags, balance].joined(),
  )
  func content(_ row: Row) {
    let run = StageRun.repair([UInt8]("<r>\(row.input)</r>"))
    #expect(run.text == "<r>\(row.output)</r>")
    #expect(run.isRootClosed)
    #expect(run.notes.isEmpty == Self.isUntouched(row))
  }

  /// Returns true if nothing was repaired: line feeds of comments and other quotes are no repair.
  private static func isUntouched(_ row: Row) -> Bool {
    row.input == row.output || row.input.hasPrefix("a<!--") || row.input.hasPrefix("a<?php")
      || row.input.hasPrefix("<![cdata[") || row.input.hasPrefix("<a b='1' c = ")
  }

  static let prologs: [Row] = [
    ("<?xml version='1.0'?>\n<r/>", "\n<r/>"),
    ("\n\n  <?xml version='1.0'?><r/>", "\n\n<r/>"),
    ("\u{FEFF}<?xml version='1.0'?><?xml version='1.0'?><r/>", "<r/>"),
    ("<?xml version='1.0'><r/>", "<r/>"),
    ("<!-- a <b> -- \n --><?xml-stylesheet href='x'?><r/>", "\n<r/>"),
    ("<br />\n<b>Warning</b>: x in <b>/x.php</b>\n<?xml version='1.0'?><rss/>", "\n\n<rss/>"),
    ("Notice: x < y\n<rss version='2.0'/>", "\n<rss version=\"2.0\"/>"),
    ("ï»¿<r/>", "<r/>"),
    ("<!DOCTYPE rss PUBLIC \"-//N//DTD RSS 0.91//EN\" \"http://n/r>.dtd\">\n<r/>", "\n<r/>"),
    ("<!doctype rss><r>&nbsp;</r>", "<r>\u{A0}</r>"),
    ("<r/>\n<!-- cached -->", "<r/>"),
  ]

  @Test("what stands around the root element goes", arguments: prologs)
  func prolog(_ row: Row) {
    let run = StageRun.repair([UInt8](row.input))
    #expect(run.text == row.output)
    #expect(run.isRootClosed)
  }

  @Test("content after the root element is ignored, and said")
  func epilog() {
    let run = StageRun.repair([UInt8]("<r>x</r>\n</r><b>junk"))
    #expect(run.text == "<r>x</r>")
    #expect(run.notes == ["content after the root element ignored"])
  }

  /// Truncated documents, the output, and true if their root is closed.
  static let truncations: [(input: String, output: String, isClosed: Bool)] = [
    ("<r><a>x</a></r\n", "<r><a>x</a></r>", true),
    ("<r><a>x</a></r", "<r><a>x</a></r>", true),
    ("<rss><a>x</a></r", "<rss><a>x</a>", false),
    ("<r><a>x</a><b c='1", "<r><a>x</a>", false),
    ("<r><a>x</a><b", "<r><a>x</a>", false),
    ("<r><a>x &am", "<r><a>x &amp;am", false),
    ("<r><a>x &#8217", "<r><a>x ’", false),
    ("<r><a><![CDATA[x]]", "<r><a><![CDATA[x]]", false),
    ("<r><a><![CD", "<r><a>", false),
    ("<r><a>x<", "<r><a>x", false),
    ("<r><!-- x -", "<r>", false),
  ]

  @Test("a truncated document gives what is there", arguments: truncations)
  func truncated(_ row: (input: String, output: String, isClosed: Bool)) {
    let run = StageRun.repair([UInt8](row.input))
    #expect(run.text == row.output)
    #expect(run.isRootClosed == row.isClosed)
    #expect(run.error == nil)
  }

  static let refusals: [(input: String, error: FeedParsingError)] = [
    ("hello, world", .unrecognized),
    ("", .unrecognized),
    ("\u{0}PNG\u{FFFD}", .unrecognized),
    ("<!-- a\n -->\n", .unrecognized),
    ("<?xml version='1.0'?>\n\n", .malformed(line: 3, reason: "no root element")),
    ("<!DOCTYPE html><html><p>x</html>", .webPage(announced: [])),
    ("<div>x</div>", .webPage(announced: [])),
    (
      "<r a='" + String(repeating: "x", count: 300_000),
      .limitExceeded(name: "bytes of a tag", limit: 262_144),
    ),
    (
      "<r " + (0...250).map { "a\($0)='' " }.joined() + ">",
      .limitExceeded(name: "attributes of an element", limit: 250),
    ),
    (
      "<r " + (0...250).map { "a\($0)=1 " }.joined() + ">",
      .limitExceeded(name: "attributes of an element", limit: 250),
    ),
    (
      String(repeating: "<r>", count: 257), .limitExceeded(name: "depth of elements", limit: 256),
    ),
  ]

  @Test("what is no feed or hostile is refused", arguments: refusals)
  func refused(_ row: (input: String, error: FeedParsingError)) {
    #expect(StageRun.repair([UInt8](row.input)).error == row.error)
  }

  @Test(
    "a document of nothing but faults is refused",
    arguments: [("<r>", "&"), ("<r>", "<a b c d/>"), ("", "<x@"), ("", "<x y<")],
  )
  func faults(_ start: String, _ fault: String) {
    let bytes = [UInt8](start + String(repeating: fault, count: 1_100_000))
    let limit = FeedParsingError.limitExceeded(name: "number of faults", limit: 1_000_000)
    #expect(StageRun.repair(bytes).error == limit)
  }

  @Test("what was repaired is said")
  func notes() {
    let run = StageRun.repair([UInt8]("x<rss>&nbsp;&nbsp; a & b < c <d e=1></rss>"))
    #expect(
      run.notes == [
        "text before the document's beginning dropped",
        "ampersands not written as &amp;",
        "HTML entities that XML does not know: 2",
        "less-than signs not written as &lt;",
        "tags with malformed attributes",
        "elements not closed",
      ]
    )
  }
}
