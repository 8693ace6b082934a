import FeedModel
import Testing

@testable import HTMLText

@Suite("A story's text as Markdown")
struct StoryMarkdownTests {
  private func markdown(_ source: String) throws -> String {
    let text = StoryText(isHTML: true, bytes: Array(source.utf8))
    let document = StoryDocumentReader.document(text, link: "https://example.com/")
    return StoryMarkdown.text(document, below: 1)
  }

  @Test(
    "what its structure is",
    arguments: [
      ("<p>a<br>b</p><p>c</p>", "a\\\nb\n\nc\n"),
      ("<h2>a</h2><h3>b #</h3>", "## a\n\n### b \\#\n"),
      ("<ul><li>a<li>b<ul><li>c</ul></ul>", "- a\n\n- b\n\n  - c\n"),
      ("<ul><li>a<li>b</ul><ul><li>c</ul>", "- a\n- b\n\n<!-- -->\n\n- c\n"),
      ("<ol start=9><li>a<li>b</ol>", "9. a\n10. b\n"),
      ("<ol type=a><li>a</ol>", "<ol type=\"a\">\n<li>a</li>\n</ol>\n"),
      ("<blockquote><p>a</p><p>b</p></blockquote>", "> a\n>\n> b\n"),
      ("<pre>a\n\n  ```b</pre>", "````\na\n\n  ```b\n````\n"),
      ("a<hr>b", "a\n\n***\n\nb\n"), ("<ul><li><hr><p>b</ul>", "- ***\n\n  b\n"),
      ("<h2>C #</h2><h3>#</h3>", "## C \\#\n\n### \\#\n"),
      ("<a href='/?a=1&amp;lt;=2'>l</a>", "[l](https://example.com/?a=1&amp;lt;=2)\n"),
      ("<dl><dt>t<dd>d</dl>", "<dl>\n<dt>t</dt>\n<dd>d</dd>\n</dl>\n"),
      (
        "<table><tr><td><pre>a\n\nb</pre></table>",
        "<div class=\"wide\"><table>\n<tr>\n<td>\n<pre>a\n&#32;\nb</pre>\n</td>\n</tr>\n"
          + "</table></div>\n",
      ),
    ],
  )
  func structure(_ source: String, _ expected: String) throws {
    #expect(try markdown(source) == expected)
  }

  @Test("a sign behind a letter that joins it is a sign all the same")
  func joiners() throws {
    let letter = "\u{D4E}"
    #expect(try markdown("\(letter)&lt;img src=x>") == "\(letter)\\<img src=x>\n")
    #expect(try markdown("<code>\(letter)`a</code>") == "``\(letter)`a``\n")
    let link = "[l](https://example.com/l)"
    #expect(try markdown("\(letter)!<a href=/l>l</a>") == "\(letter)\\!\(link)\n")
    #expect(StoryMarkdown.heading("\(letter)<b> C #") == "# \(letter)\\<b> C \\#")
  }

  @Test(
    "marks are asterisks where these surely are marks, else elements",
    arguments: [
      ("a <b>b</b> <i>c</i>, d", "a **b** *c*, d\n"),
      ("<b>Note: </b>a", "**Note:** a\n"),
      ("<b>a:</b>b", "<strong>a:</strong>b\n"),
      ("<b><i>a</i></b>", "<strong>*a*</strong>\n"),
      ("<b>a</b><i>b</i>", "**a**<em>b</em>\n"),
      ("<del>a</del> x<sup>2</sup>", "<del>a</del> x<sup>2</sup>\n"),
      ("<code>a`b</code> <code>`</code>", "``a`b`` `` ` ``\n"),
      (
        "<a href='/a_(b)'>x <b>y</b></a>! <a href='/c'>z</a>",
        "[x **y**](<https://example.com/a_(b)>)! [z](https://example.com/c)\n",
      ),
      ("no!<a href='/c'>z</a>", "no\\![z](https://example.com/c)\n"),
      (
        "<a href='/c'><img src='/i.png'></a>",
        "[![image](https://example.com/i.png)](https://example.com/c)\n",
      ),
    ],
  )
  func inlines(_ source: String, _ expected: String) throws {
    #expect(try markdown(source) == expected)
  }

  @Test(
    "no word of a story is a sign",
    arguments: [
      (
        "2 * 3 * 4, [x](y) `z` &lt;b> a_b _c_ \\ AT&amp;T &amp;amp;",
        "2 \\* 3 \\* 4, \\[x\\](y) \\`z\\` \\<b> a_b \\_c\\_ \\\\ AT\\&T \\&amp;\n",
      ),
      ("# a", "\\# a\n"), ("- a", "\\- a\n"), ("> a", "\\> a\n"), ("a<br>===", "a\\\n\\===\n"),
      ("2019. A good year", "2019\\. A good year\n"), ("~~~", "\\~\\~\\~\n"),
    ],
  )
  func signs(_ source: String, _ expected: String) throws {
    #expect(try markdown("<p>\(source)</p>") == expected)
  }
}
