import FeedModel
import Testing

@testable import HTMLText

@Suite("A story's text as HTML: words and links, and no markup but our own")
struct StoryHTMLTests {
  private func html(_ source: String, below level: Int = 2) throws -> String {
    let text = StoryText(isHTML: true, bytes: Array(source.utf8))
    let document = StoryDocumentReader.document(text, link: "https://example.com/")
    return String(decoding: StoryHTML.markup(document, below: level).bytes, as: UTF8.self)
  }

  @Test(
    "what its structure is",
    arguments: [
      ("<p>a<br>b <b><i>c</i></b></p>", "<p>a<br>b <strong><em>c</em></strong></p>\n"),
      (
        "<ol start=3><li>c<li>d<li value=9>i</ol>",
        "<ol>\n<li value=\"3\">c</li>\n<li>d</li>\n<li value=\"9\">i</li>\n</ol>\n",
      ),
      (
        "<ul><li><p>a</p><p>b</p></ul>",
        "<ul>\n<li>\n<p>a</p>\n<p>b</p>\n</li>\n</ul>\n",
      ),
      (
        "<dl><dt>t</dt><dd>d</dd></dl>",
        "<dl>\n<dt>t</dt>\n<dd>d</dd>\n</dl>\n",
      ),
      (
        "<table><caption>c</caption><tr><th colspan=2>h</th></tr><tr><td>1</td><td>2</td></tr></table>",
        "<div class=\"wide\"><table>\n<caption>c</caption>\n<tr>\n<th colspan=\"2\">h</th>\n</tr>\n"
          + "<tr>\n<td>1</td>\n<td>2</td>\n</tr>\n</table></div>\n",
      ),
      ("<pre>a\n  b &lt;</pre>", "<pre>a\n  b &lt;</pre>\n"),
      (
        "<h4>a</h4><h6>b</h6><h5>c</h5><h1>d</h1>",
        "<h3>a</h3>\n<h4>b</h4>\n<h4>c</h4>\n<h3>d</h3>\n",
      ),
    ],
  )
  func structure(_ source: String, _ expected: String) throws {
    #expect(try html(source) == expected)
  }

  @Test("a link ends before a line break, and goes on over one")
  func breaks() throws {
    let start = "<p><a href=\"https://example.com/a\" rel=\"noopener noreferrer\">"
    #expect(try html("<a href=/a>b<br></a>c") == "\(start)b</a><br>c</p>\n")
    #expect(try html("<a href=/a>b<br>c</a>") == "\(start)b<br>c</a></p>\n")
  }

  @Test("a player is never empty, which XHTML would not close")
  func players() throws {
    let text = StoryText(isHTML: true, bytes: Array("<audio src=/a/b.mp3?c=1></audio>d".utf8))
    let document = StoryDocumentReader.document(text, link: "https://example.com/")
    let html = String(
      decoding: StoryHTML.markup(document, below: 1, plays: true).bytes,
      as: UTF8.self,
    )
    #expect(html.contains(">b.mp3</a></audio>\n<p>d</p>"), "\(html)")
  }

  @Test("what stands behind `noscript` is there, whatever was left open in it")
  func noscript() throws {
    #expect(try html("<noscript><p>x</noscript><p>after</p>") == "<p>after</p>\n")
  }

  @Test("headings end at the sixth level")
  func headings() throws {
    #expect(try html("<h1>a</h1><h2>b</h2>", below: 5) == "<h6>a</h6>\n<h6>b</h6>\n")
  }

  @Test("an image whose link has no words has some; one without a place is its words")
  func images() throws {
    let link = "<a href=\"https://example.com/a\" rel=\"noopener noreferrer\">"
    let image = "<img src=\"https://example.com/i.png\" alt=\"image\" loading=\"lazy\" "
    #expect(
      try html("<a href='/a'><img src='/i.png'></a>")
        == "<p>\(link)\(image)referrerpolicy=\"no-referrer\"></a></p>\n"
    )
    #expect(try html("<img src='data:image/png;base64,AA' alt='a &lt; b'>") == "<p>a &lt; b</p>\n")
  }

  @Test("a link is http, https or mailto, and a URL")
  func links() {
    #expect(
      StoryHTML.link("https://example.com/<a>\"{b}") == "https://example.com/%3Ca%3E%22%7Bb%7D"
    )
    #expect(StoryHTML.link("mailto:a@example.com") == "mailto:a@example.com")
    for url in ["javascript:x", "data:text/html,x", "file:///x", "//example.com/", "https://a b"] {
      #expect(StoryHTML.link(url) == nil, "\(url)")
    }
  }

  @Test("what is written in the program stands as it is, and every other text is escaped")
  func markup() {
    let inner: Markup = "<b>\("<&>\"")</b>"
    let outer: Markup = "\(inner)\(asText: inner)\(7)"
    #expect(
      String(decoding: outer.bytes, as: UTF8.self)
        == "<b>&lt;&amp;&gt;&quot;</b>&lt;b&gt;&amp;lt;&amp;amp;&amp;gt;&amp;quot;&lt;/b&gt;7"
    )
  }
}
