import FeedModel
import TestSupport
import Testing

@testable import HTMLText

@Suite("StoryDocumentReader")
struct StoryDocumentReaderTests {
  private func blocks(
    _ text: String,
    isHTML: Bool = true,
    base: String? = nil,
  ) throws -> [StoryBlock] {
    let text = StoryText(isHTML: isHTML, base: base, bytes: Array(text.utf8))
    return StoryDocumentReader.document(text, link: "https://example.com/a/story").blocks
  }

  private static func text(_ text: String) -> StoryBlock { .paragraph([.text(StoryRun(text))]) }

  @Test(
    "white space collapses, and what is not text goes",
    arguments: [
      ("a", ["a"]), ("<i></i> a \n b ", ["a b"]), ("a<b></b> b", ["a b"]),
      ("<p>a<p>b", ["a", "b"]),
      ("<p>&nbsp;<p>b</p> ", ["b"]), ("a&nbsp;<!-- x --> b", ["a b"]), ("", []), ("<p></p>", []),
      ("a<script>b</script>c<style>d</style>", ["ac"]), ("a<wbr>b<WBR/>c", ["abc"]),
      ("a<div hidden>b</div><p style='Display : none'>c</p>d", ["a", "d"]),
      ("a<br>", ["a"]), ("a<br><br>b", ["a", "b"]), ("<svg><text>a</text></svg>b", ["b"]),
      ("&amp;lt; &lt;b&gt; &hellip; &#8230; &#146;", ["&lt; <b> … … ’"]),
      ("<q>a</q> <ruby>b<rt>c</rt></ruby>", ["“a” b(c)"]),
      ("<abbr title=T>a</abbr> <abbr title=T>a</abbr>", ["a (T) a"]),
      ("a\u{202e}b\u{1b}[1m&#x9b;c&#7;d", ["ab [1m›c d"]),
      ("a &unknown; b & c", ["a &unknown; b & c"]),
      ("<noscript>a</noscript><button>b</button><template>c</template>d", ["d"]),
    ],
  )
  func paragraphs(_ html: String, _ texts: [String]) throws {
    #expect(try blocks(html) == texts.map(Self.text))
  }

  @Test(
    "short lines that are elements of their own are lines of one paragraph",
    arguments: [
      ("<div>a</div><div>b</div><div><br></div><div>c</div>", [["a", "b"], ["c"]]),
      ("<div>a<div>b</div>c</div><p>d</p><div>e</div>", [["a", "b", "c"], ["d"], ["e"]]),
      ("<div><p>a</p><p>b</p></div>", [["a"], ["b"]]),
      ("<div>a<br>b</div><div>c<br></div><div>d</div>", [["a", "b", "c", "d"]]),
      ("<div>a</div><hr><div>b</div><div>c</div>", [["a"], ["b", "c"]]),
    ],
  )
  func shortLines(_ html: String, _ texts: [[String]]) throws {
    let paragraphs = texts.map { lines in
      StoryBlock.paragraph(
        Array(lines.map { [StoryInline.text(StoryRun($0))] }.joined(separator: [.lineBreak]))
      )
    }
    #expect(try blocks(html).filter { $0 != .rule } == paragraphs)
  }

  @Test("long lines are paragraphs, whatever elements they are")
  func longLines() throws {
    let long = String(repeating: "word ", count: 20) + "end"
    let texts = [long, "a", long].map(Self.text)
    #expect(try blocks("<div>\(long)</div><div>a</div><div>\(long)</div>") == texts)
  }

  @Test("bytes that are not UTF-8 become U+FFFD")
  func invalid() throws {
    let text = StoryText(isHTML: true, bytes: [0x61, 0xFF, 0xC3, 0xA9, 0x00, 0x62])
    let document = StoryDocumentReader.document(text, link: "")
    #expect(document.blocks == [Self.text("a\u{fffd}é b")])
  }

  @Test(
    "links are http, https and mailto, against the base or the story's own link",
    arguments: [
      ("b", nil, "https://example.com/a/b"), ("/b", nil, "https://example.com/b"),
      ("b", "https://example.org/x/", "https://example.org/x/b"),
      ("b", "../x/", "https://example.com/x/b"), ("mailto:a@b.c", nil, "mailto:a@b.c"),
      ("javascript:x", nil, nil), ("#fn1", nil, nil), ("data:text/html,x", nil, nil),
      ("file:///etc/passwd", nil, nil), ("https://example.com/a/story#fn1", nil, nil),
      ("https://example.com/b#fn1", nil, "https://example.com/b#fn1"),
      ("mailto:a\u{1b}@", nil, nil),
    ] as [(String, String?, String?)],
  )
  func links(_ reference: String, _ base: String?, _ url: String?) throws {
    #expect(
      try blocks("<a href=\"\(reference)\">x</a>", base: base)
        == [.paragraph([.text(StoryRun("x", link: url))])]
    )
  }

  @Test("a footnote's number stands in brackets, whichever way it is raised")
  func notes() throws {
    #expect(try blocks("a<sup><a href='#n'>1</a></sup>") == [Self.text("a[1]")])
    #expect(try blocks("a<a href='#n'><sup>1</sup></a>") == [Self.text("a[1]")])
    #expect(
      try blocks("a<sup><a href='#n'>[1]</a></sup> <a href='#r'>↩</a>") == [Self.text("a[1] ↩")]
    )
  }

  @Test("the links by which headings lead to themselves go")
  func anchors() throws {
    let heading = [StoryBlock.heading(level: 2, [.text(StoryRun("a"))])]
    #expect(try blocks("<h2>a<a href='#a'>¶</a></h2>") == heading)
    #expect(try blocks("<h2><a href='#a'>#</a> a</h2>") == heading)
  }

  @Test("lists are nested, also where the nesting is wrong")
  func lists() throws {
    let (a, b, c) = (Self.text("a"), Self.text("b"), Self.text("c"))
    let inner = StoryBlock.list(StoryList(isOrdered: true, start: 3, items: [[b]]))
    let whole = [StoryBlock.list(StoryList(isOrdered: false, items: [[a, inner], [c]]))]
    #expect(try blocks("<ul><li>a<ol start=3><li>b</ol><li>c</ul>") == whole)
    #expect(
      try blocks("<ul><li>a</li><ul><li>b</li></ul><li>c</li></ul>") == [
        .list(
          StoryList(
            isOrdered: false,
            items: [[a, .list(StoryList(isOrdered: false, items: [[b]]))], [c]],
          )
        )
      ]
    )
    #expect(
      try blocks("<li>a<li>b") == [.list(StoryList(isOrdered: false, items: [[a], [b]]))]
    )
  }

  @Test(
    "items are numbered as their list and they themselves say",
    arguments: [
      ("<ol><li>a<li value=7>b<li>c</ol>", [1, 7, 8]),
      ("<ol reversed><li>a<li>b<li>c</ol>", [3, 2, 1]),
      ("<ol reversed start=10><li>a<li value=3>b<li>c</ol>", [10, 3, 2]),
      (
        "<ol start=x><li value=>a<li value=-4>b<li value=999999999999999>c</ol>", [1, -4, 999_999],
      ),
    ],
  )
  func numbers(_ html: String, _ numbers: [Int]) throws {
    guard case .list(let list) = try #require(try blocks(html).first) else {
      return #expect(Bool(false))
    }
    #expect(list.isOrdered && list.numbers == numbers && list.items.count == numbers.count)
  }

  @Test(
    "cells span the rows of their group, and no others",
    arguments: [
      ("<tr><td rowspan=0>a<td>b<tr><td>c<tr><td>d", [[3, 1], [1], [1]]),
      (
        "<thead><tr><th rowspan=9>a<tbody><tr><td rowspan=0>b<tr><td>c<tbody><tr><td>d",
        [[1], [2], [1], [1]],
      ),
      ("<tbody><tr><td rowspan=3>a<tr><td>b</tbody><tr><td rowspan=2>c", [[2], [1], [1]]),
    ],
  )
  func rowSpans(_ html: String, _ spans: [[Int]]) throws {
    guard case .table(let table) = try #require(try blocks("<table>\(html)</table>").first) else {
      return #expect(Bool(false))
    }
    #expect(table.rows.map { $0.map(\.rows) } == spans)
  }

  @Test("tables keep rows, headers and spans, and spans have a measure")
  func tables() throws {
    #expect(
      try blocks("<table><tr><th>a<th>b<tr><td colspan=1000000000 rowspan=0>c</table>") == [
        .table(
          StoryTable(rows: [
            [
              .init(isHeader: true, blocks: [Self.text("a")]),
              .init(isHeader: true, blocks: [Self.text("b")]),
            ], [.init(columns: 100, blocks: [Self.text("c")])],
          ])
        )
      ]
    )
    #expect(try blocks("<td>a</td><tr><td>b") == [Self.text("ab")])
  }

  @Test("pictures, also late ones; no pixels; emoji are text")
  func images() throws {
    func image(_ text: String, _ name: String, link: String? = nil) -> StoryBlock {
      .paragraph([
        .image(StoryImage(text: text, url: "https://example.com/a/\(name)", link: link))
      ])
    }
    #expect(try blocks("<img src=x alt=' A '>") == [image("A", "x")])
    #expect(try blocks("<img src='data:x' data-src=x title=A>") == [image("A", "x")])
    #expect(try blocks("<picture><source srcset=y><img src=x></picture>") == [image("", "x")])
    #expect(
      try blocks("<a href='https://b.c/'><img src=x></a>") == [
        image("", "x", link: "https://b.c/")
      ]
    )
    #expect(try blocks("<img src=x width=1 height=1 alt=A>").isEmpty)
    for style in ["width: 1px; height: 1px", "width:0;height:0px!important", "max-height:1px"] {
      #expect(try blocks("<img src=x style='\(style)'>").isEmpty, "\(style)")
    }
    for style in ["width:100%", "width:1em", "height:10px", "max-width:0;width:1rem", "width:px"] {
      #expect(try !blocks("<img src=x style='\(style)'>").isEmpty, "\(style)")
    }
    #expect(try blocks("<img src=x alt=🙂>") == [Self.text("🙂")])
  }

  @Test("what plays has a kind, a type and a place")
  func media() throws {
    #expect(
      try blocks("a<audio title=T><source src=x type=audio/mpeg><source src=y>old</audio>") == [
        Self.text("a"),
        .media(
          StoryMedia(.audio, title: "T", type: "audio/mpeg", url: "https://example.com/a/x")
        ),
      ]
    )
    #expect(
      try blocks("<iframe src=//b.c/d title=T>no</iframe>")
        == [.media(StoryMedia(.frame, title: "T", url: "https://b.c/d"))]
    )
    #expect(try blocks("<video>old</video>").isEmpty)
  }

  @Test("code stays as it stands, also line by line in elements")
  func preformatted() throws {
    func code(_ text: String) -> [StoryBlock] { [.preformatted([.text(StoryRun(text))])] }
    #expect(try blocks("<pre>a\n\tb  c\u{1b}\n</pre>") == code("a\n\tb  c \n"))
    #expect(try blocks("<pre><div>a</div><div> b</div></pre>") == code("a\n b\n"))
    #expect(try blocks("<pre>a<br>b</pre>") == code("a\nb"))
  }

  @Test("plain text keeps its paragraphs and lines, and no markup")
  func plain() throws {
    #expect(
      try blocks("a\n b <b>&amp;\u{1b}\r\n\r\n\nc", isHTML: false) == [
        .paragraph([.text(StoryRun("a")), .lineBreak, .text(StoryRun("b <b>&amp;"))]),
        Self.text("c"),
      ]
    )
  }

  @Test(
    "of elements in too many others the text stays, in its order",
    arguments: [
      "<div>", "<b>", "<table><tr><td>", "<ul><li>", "<blockquote>", "<font color=1>", "<svg><g>",
      "<p><i>", "<template>", "<math><mi>", "<dl><dt>a<dd>",
    ],
  )
  func deep(_ tags: String) throws {
    let open = tags.contains("template") || tags.contains("svg") ? "" : "b"
    let html = "a" + String(repeating: tags, count: 100_000) + open + "<p>c"
    let text = StoryText(isHTML: true, bytes: Array(html.utf8))
    let document = StoryDocumentReader.document(text, link: "")
    let lines = document.lines.joined(separator: " ")
    #expect(lines.hasPrefix("a"))
    if !open.isEmpty { #expect(lines.contains("b") && lines.hasSuffix("c")) }
  }

  @Test("links within too many elements stay, and words stay apart")
  func deepLinks() {
    func document(_ inner: String) -> StoryDocument {
      ShownText.document(String(repeating: "<div>", count: 300) + inner)
    }
    #expect(
      document("<a href=https://example.com/>a</a>").blocks == [
        .paragraph([.text(StoryRun("a", link: "https://example.com/"))])
      ]
    )
    #expect(document("a<div>b</div>c").lines == ["a b c"])
  }

  @Test(
    "an element that never ends costs nothing, however often it begins",
    arguments: [
      "<font>line<br>\n", "<p><font color=%>line", "<b><p>line</p>", "<a href=%>line\n",
      "<i><div>line</i>", "</p>line", "</br>line", "<table>line", "<select><option>line",
    ],
  )
  func unended(_ line: String) {
    func work(_ count: Int) -> Int {
      let html = (0..<count).map { line.replacing("%", with: "\($0)") }.joined()
      let text = StoryText(isHTML: true, bytes: Array(html.utf8))
      return Int(threadWork { StoryDocumentReader.document(text, link: "") }.nanoseconds)
    }
    _ = work(1_000)
    let (few, many) = (work(3_000), work(30_000))
    #expect(many < 50 * few)
  }
}
