import System
import Testing

@testable import HTMLParsing

@Suite("Text out of markup")
struct PlainTextTests {
  @Test(
    "markup goes, words stay",
    arguments: [
      ("plain", "plain"), ("<b>bold</b> text", "bold text"), ("in<b>li</b>ne", "inline"),
      ("<p>One</p><p>Two<br>Three</p>", "One Two Three"), ("foo<P>bar<BR/>baz", "foo bar baz"),
      ("<ul><li>a<li>b</ul>", "a b"), ("<td>a</td><td>b</td>", "a b"), ("x<wbr>y", "xy"),
      ("<a href=\"a>b\">link</a>", "link"), ("<a title='it\"s' href=x>link</a>", "link"),
      ("a<!-- <b> -->b", "ab"), ("<!-->x", "x"), ("<!---->x", "x"),
      ("<!DOCTYPE html>x", "x"), ("<?php echo 1 ?>x", "x"),
      ("<style>p{}</style><SCRIPT>a<b</SCRIPT >x", "x"),
      ("<head><title>t</title></head>body", "body"),
      ("<video src=x>no video</video>after", "after"), ("<iframe src=x>open", "open"),
      ("<o:p></o:p>x<my-tag a=\"1\">y</my-tag>", "xy"), ("<foo>bar</foo> baz", "bar baz"),
      ("<![CDATA[<p>wrapped <i>twice</i></p>]]>", "wrapped twice"),
      ("cut <a href=\"http://exa", "cut"), ("x<A HREF=foo>y</A>", "xy"), ("Title</a> ", "Title"),
      ("<b>a<c</b> d", "a<c d"), ("<p>if a<b</p> then", "if a<b then"), ("x <img src=y> z", "x z"),
      ("a <?php b ?> c", "a c"), ("a <![if x]>b<![endif]>", "a b"), ("a<br>b <hr/>c", "a b c"),
      ("<a href=\"open>text</a>", "text"), ("<p>\n  indented\n</p>", "indented"),
    ],
  )
  func markup(html: String, expected: String) {
    #expect(PlainText.fromHTML(html) == expected)
  }

  @Test(
    "what only looks like markup survives",
    arguments: [
      "1 < 2", "a<b c", "if a<b and c>d", "AT&T", "R&D & co", "I <3 you </3", "x <> y", "<?> what",
      "List<String>", "Vec<B> and List<Button>", "#include <stdio.h>", "git checkout <branch-name>",
      "The <dialog> element", "Using <script> in HTML", "a && b", "100% <", "& more", "&bogus;",
      "&#;", "&#x;", "&#X;", "&#xg;", "</>", "<!>", "if a<b", "a<p", "foo <a", "x<table",
      "cut <strong", "the <middle> of it", "if a<b or a<c>d", "if a<b and c=d>e", "<title> is bare",
      "<noscript> for all", "<head> and <body>", "How <input> works", "<a> and <b>",
      "use </b> here",
      "</div> is missing", "see <!-- this", "a <!b> c", "<?php how", "a <![b c",
      "the <table 3> shows",
      "AT&T <NYSE: T> falls", "vector<std::string> x", "see <http://x.example/> now", "<o:p> alone",
    ],
  )
  func lookalikes(text: String) {
    #expect(PlainText.fromHTML(text) == text)
  }

  @Test(
    "a title that is all markup is shown as it is, not as nothing",
    arguments: [
      ("<b>", "<b>"), ("<marquee> <blink>", "<marquee> <blink>"),
      ("<script>alert(1)</script>", "<script>alert(1)</script>"),
      ("<script> explained", "<script> explained"), ("<img src=x alt=\"A &amp; B\">", "A & B"),
      ("<p></p>", ""), ("<br/>", ""), ("<img src=x>", ""), ("<!-- x -->", ""), ("", ""),
    ],
  )
  func onlyMarkup(html: String, expected: String) {
    #expect(PlainText.fromHTML(html) == expected)
  }

  @Test(
    "references are decoded once, as HTML has them",
    arguments: [
      ("1 &lt; 2 &amp;amp; 3", "1 < 2 &amp; 3"), ("&lt;b&gt;x&lt;/b&gt;", "<b>x</b>"),
      ("&eacute;&Eacute;&nbsp;&rarr;", "éÉ →"), ("&copy 2020 &copy2020", "© 2020 ©2020"),
      ("&notit; &notin;", "¬it; ∉"), ("&#233;&#xE9;&#XE9;", "ééé"), ("&#233x", "éx"),
      ("don&#146;t &#128; &#150;", "don’t € –"),
      ("&#0;&#xD800;&#x110000;", "\u{FFFD}\u{FFFD}\u{FFFD}"),
      ("&#99999999999999999999;", "\u{FFFD}"), ("a&#27;[31mb&#x9b;c", "a [31mb›c"),
      ("a&#8238;b&zwnj;c", "ab\u{200C}c"), ("&CounterClockwiseContourIntegral;", "∳"),
      ("&nGt;", "\u{226B}\u{20D2}"), ("&NewLine;a&Tab;b", "a b"), ("&ampamp;", "&amp;"),
    ],
  )
  func references(html: String, expected: String) {
    #expect(PlainText.fromHTML(html) == expected)
  }

  @Test("in plain text nothing is markup")
  func plain() {
    let output = TextBuffer()
    Array(" the <b> tag &amp; \n more ".utf8).withUnsafeBufferPointer {
      PlainText.append(text: $0, for: .title, to: output)
    }
    #expect(output.string == "the <b> tag &amp; more")
  }
}
