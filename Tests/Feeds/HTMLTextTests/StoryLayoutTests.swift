import FeedModel
import TestSupport
import Testing

@testable import CommandLine
@testable import HTMLText
@testable import System

/// The pages of `Fixtures/stories`, laid out, compared with the files beside them.
///
/// With `NEWS_OUTPUT=write` in the environment the files are written instead.
@Suite("a story's text, laid out")
struct StoryLayoutTests {
  static let variables = ProcessInfo.processInfo.environment

  @Test("every element, to the letter", arguments: [80, 40], ["everything", "plain"])
  func golden(_ columns: Int, _ name: String) throws {
    let isHTML = name != "plain"
    let page = try readText(BuiltProduct.fixture("stories/\(name).\(isHTML ? "html" : "in")"))
    let text = try laidOut(page, isHTML: isHTML, columns: columns)
    let path = BuiltProduct.fixture("stories/\(name)-\(columns).txt")
    if Self.variables["NEWS_OUTPUT"] == "write" { try writeFile(path, text.utf8) }
    #expect(text == (try readText(path)))
  }

  @Test("a picture stands above the paragraph that has it, and is cut where there is no room")
  func pictures() throws {
    let document = document(
      "<p>a</p><p>b <img src=i.png alt=I> c</p><ul><li><img src=j.png></li></ul><p><img src=k.png></p>"
    )
    let art = "\u{1b}[31m▀▀▀▀\u{1b}[0m"
    let url = { (name: String) in "https://example.com/\(name).png" }
    var layout = StoryLayout(
      columns: 20,
      signs: StorySigns(isUnicode: true, hasLooks: true),
      links: StoryLinks(item, document),
      pictures: [url("i"): [art, art], url("j"): [String(repeating: "▀", count: 20)]],
    )
    layout.add(document)
    #expect(
      layout.lines.map { TerminalText.unstyled($0.text(.plain)) } == [
        "a", "", "▀▀▀▀", "▀▀▀▀", "b [2: image: I] c", "", "• " + String(repeating: "▀", count: 18),
        "  [3: image]", "", "[4: image]",
      ]
    )
    #expect(layout.lines[2].text(.plain) == art)
    #expect(StoryLinks(item, document).pictures == ["i", "j", "k"].map(url))
  }

  @Test("pictures in columns are none to be shown, those in a table that only places things are")
  func picturesInTables() throws {
    let cells = "<td>1</td><td><img src=/c></td>"
    let document = document(
      "<table><tr><th>a</th><th>b</th></tr><tr>\(cells)</tr></table>"
        + "<table><tr>\(cells.replacing("/c", with: "/d"))</tr></table><p><img src=/e></p>"
    )
    let pictures = StoryLinks(Item(), document).pictures
    #expect(pictures.map { $0.suffix(2) } == ["/d", "/e"])
  }

  @Test("links are numbered once, and in order")
  func numbers() throws {
    let document = document(
      "<p><a href=/a>A</a>, <a href=/b>B <b>b</b></a><a href='/a'>a</a> <img src=i.png alt=I></p>"
    )
    let links = StoryLinks(item, document)
    #expect(
      links.urls == [
        "https://example.com/story", "https://example.com/a", "https://example.com/b",
        "https://example.com/i.png",
      ]
    )
    #expect(lines(document) == ["A [2], B b [3]a [2] [4: image: I]"])
  }

  @Test(
    "hostile pages are laid out with bounded work, and clean",
    arguments: [
      String(repeating: "<table><tr><td>x", count: 200),
      String(repeating: "<div>", count: 200_000),
      "<table><tr><td colspan=1000000000 rowspan=1000000000>a<td>b</table>",
      "<table>" + String(repeating: "<tr><td colspan=100>a<td>b", count: 20_000),
      String(repeating: "<blockquote>", count: 250) + String(repeating: "<p>x", count: 100_000),
      String(repeating: "<ul><li>", count: 250) + String(repeating: "<li>x", count: 100_000),
      String(repeating: "<a href=/x>y</a>", count: 60_000),
      "<pre>" + String(repeating: "\t", count: 100_000), String(repeating: "<b>a", count: 9_999),
      String(repeating: "<!--", count: 250_000), String(repeating: "data:", count: 200_000),
      "<a " + (0..<120_000).map { "a\($0) " }.joined() + ">x",
      String(repeating: "<td>", count: 250_000), String(repeating: "<i>a</i>b", count: 100_000),
      "a&#27;]0;x&#7;\u{1b}[2J\u{202e}b\u{200b}<img alt='&#x9b;31m'><p title=x>\0\u{7f}c",
      "<ol start=999999999999999999999><li>a</ol><ol start=-5><li>b</ol>",
      String(repeating: "日本語", count: 50_000), String(repeating: "e\u{301}\u{302}", count: 50_000),
    ],
  )
  func hostile(_ page: String) throws {
    let (text, work) = try threadWork { try laidOut(page) }
    let sentence = "<p>Some words, and <b>more</b>."
    let count = max(page.utf8.count, 100_000) / sentence.utf8.count
    let plain = String(repeating: sentence, count: count)
    let plainWork = try threadWork { try laidOut(plain) }.nanoseconds
    // Quadratic work would take a thousand times as much.
    #expect(work < 100 * plainWork, "\(page.prefix(40))")
    #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || !SafeText.isHidden($0) })
    #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 && $0.value != 0x7f })
  }

  @Test("no line is wider than asked for, but for what cannot be broken", arguments: [20, 33, 57])
  func width(_ columns: Int) throws {
    let page = try readText(BuiltProduct.fixture("stories/everything.html"))
    for line in try laidOut(page, columns: columns).split(separator: "\n") {
      let isCode = line.hasPrefix("    ") || line.hasPrefix("       ")
      #expect(isCode || TerminalText.width(String(line)) <= columns, "\(line)")
    }
  }

  @Test("looks and links of a terminal")
  func styled() throws {
    let style = Style(isColored: true, hasHyperlinks: true)
    var layout = StoryLayout(
      columns: 80,
      signs: StorySigns(isUnicode: true, hasLooks: true),
      links: StoryLinks(item, document("<p><b>a</b> <a href=/x>b</a> <del>c</del>")),
    )
    layout.add(document("<p><b>a</b> <a href=/x>b</a> <del>c</del>"))
    #expect(
      layout.lines.map { $0.text(style) } == [
        "\u{1b}[1ma\u{1b}[0m \u{1b}]8;;https://example.com/x\u{1b}\\\u{1b}[4mb\u{1b}[0m\u{1b}]8;;"
          + "\u{1b}\\\u{1b}[2m [2]\u{1b}[0m \u{1b}[9mc\u{1b}[0m"
      ]
    )
  }

  @Test("without Unicode the signs are ASCII")
  func plainSigns() throws {
    let page = "<ul><li>a</ul><blockquote>b<sup>2</sup></blockquote><hr>"
    let text = try laidOut(page, columns: 20, isUnicode: false)
    #expect(text == "- a\n\n| b^2\n\n\(String(repeating: "-", count: 20))\n")
  }

  @Test("HTML without a tag keeps its lines, and what is a link in them")
  func bareLines() throws {
    let page = "0:00 Q&amp;A <3\n1:00 https://example.com/a\n\nend"
    let document = document(page)
    #expect(lines(document) == ["0:00 Q&A <3", "1:00 https://example.com/a [2]", "", "end"])
    #expect(lines(self.document("one\ntwo<br>three")) == ["one two", "three"])
    let angles = "by <me@example.com>\nPart <two>, a <a@example.com> &amp; </end>"
    #expect(
      lines(self.document(angles))
        == ["by <me@example.com>", "Part <two>, a <a@example.com> & </end>"]
    )
    #expect(lines(self.document("<b>one</b>\n<i/>two")) == ["one two"])
    let marked = "<p><b>See https://example.com/a</b> <code>https://example.com/b</code></p>"
    let shown = "See https://example.com/a [2] https://example.com/b"
    #expect(lines(self.document(marked)) == [shown])
  }

  private var item: Item {
    Item(title: "T", link: "https://example.com/story")
  }

  private func document(_ page: String, isHTML: Bool = true) -> StoryDocument {
    StoryDocumentReader
      .document(StoryText(isHTML: isHTML, bytes: Array(page.utf8)), link: item.link).findingLinks()
  }

  private func lines(_ document: StoryDocument, columns: Int = 80) -> [String] {
    var layout = StoryLayout(
      columns: columns,
      signs: StorySigns(isUnicode: true, hasLooks: false),
      links: StoryLinks(item, document),
    )
    layout.add(document)
    return layout.lines.map { $0.text(.plain) }
  }

  private func laidOut(
    _ page: String,
    isHTML: Bool = true,
    columns: Int = 80,
    isUnicode: Bool = true,
  ) throws -> String {
    let document = document(page, isHTML: isHTML)
    var layout = StoryLayout(
      columns: columns,
      signs: StorySigns(isUnicode: isUnicode, hasLooks: false),
      links: StoryLinks(item, document),
    )
    layout.add(document)
    return layout.lines.map { $0.text(.plain) + "\n" }.joined()
  }
}
