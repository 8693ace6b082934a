import FeedModel
import Testing

@testable import HTMLText

@Suite("what an element says besides its text is seen")
struct StoryElementTests {
  @Test(
    "items that are done and not done differ",
    arguments: [
      (
        "<ul><li><input type=checkbox checked disabled> a<li><input type=checkbox>b</ul>",
        ["• [x] a", "• [ ] b"],
      ),
      ("<ul><li><p><label><input type=CHECKBOX checked> a</label></ul>", ["• [x] a"]),
      ("<p><input type=checkbox disabled> a", ["[ ] a"]),
      ("<p><input type=checkbox> a<input type=text value=b>", ["a"]),
      (
        "<ul><li><input type=checkbox hidden> a<li><input type=radio checked> b</ul>",
        ["• a", "• b"],
      ),
    ],
  )
  func tasks(_ html: String, _ lines: [String]) {
    #expect(ShownText.lines(html) == lines)
  }

  @Test(
    "a link in a picture, a film's still and what a drawing shows are there",
    arguments: [
      (
        "<map name=m><area href=/a alt=North><area href=/b alt=South></map>",
        ["North [2] South [3]"],
      ),
      ("<area href=/a>x", ["x"]),
      ("<video poster=/p src=/v></video>", ["[2: image]", "", "[3: video]"]),
      ("<amp-youtube data-videoid=abc></amp-youtube>", ["[2: embedded]"]),
      ("<span role=img aria-label=Rain></span> today", ["Rain today"]),
      ("<span role=img aria-label=Rain>☂</span> today", ["☂ today"]),
      ("<svg role=img aria-label=Rain><path d=x></svg>", ["Rain"]),
    ],
  )
  func pictures(_ html: String, _ lines: [String]) {
    #expect(ShownText.lines(html) == lines)
  }

  @Test(
    "pictures that stand only in noscript are shown, and no other twice",
    arguments: [
      ("<noscript><img src=/a alt=A>text</noscript>", ["[2: image: A]"]),
      ("<img src=data:x alt=B><noscript><img src=/a alt=A></noscript>", ["[2: image: A]"]),
      ("<img data-src=/a alt=A> <noscript><img src=/a?w=9 alt=A></noscript>", ["[2: image: A]"]),
      ("<img src=/b alt=B><noscript><img src=/a alt=A></noscript>", ["[2: image: B]"]),
      ("<noscript><img src=/a alt=A></noscript><img data-src=/a alt=A>", ["[2: image: A]"]),
      (
        "<figure><img src=/a alt=A></figure><noscript><img src=/a alt=A></noscript>",
        ["[2: image: A]"],
      ),
      ("a<noscript><img src=/a width=1 height=1><iframe src=/b></iframe></noscript>", ["a"]),
      ("<img src=/a alt=A><img src=/a alt=A>", ["[2: image: A] [2: image: A]"]),
    ],
  )
  func noscript(_ html: String, _ lines: [String]) {
    #expect(ShownText.lines(html) == lines)
  }

  @Test(
    "a picture that is loaded late, or in one of several sizes, has its address",
    arguments: [
      ("<img data-srcset='/a 1x, /b 2x' alt=A>", ["[2: image: A]"]),
      ("<img data-lazy-srcset='/a, /b 2x' src=data:x alt=A>", ["[2: image: A]"]),
      ("<img data-actualsrc=/a src=/blank alt=A>", ["[2: image: A]"]),
      ("<picture><source data-srcset='/a 1x'><img alt=A></picture>", ["[2: image: A]"]),
      (
        "<picture><source srcset=/b><source srcset=/c><img src=/a alt=A></picture><img alt=B>",
        ["[2: image: A] [image: B]"],
      ),
    ],
  )
  func late(_ html: String, _ lines: [String]) {
    #expect(ShownText.lines(html) == lines)
  }

  @Test("of several addresses of a picture the late one is taken, and the first size")
  func addresses() {
    func url(_ html: String) -> [String?] {
      let text = StoryText(isHTML: true, bytes: Array(html.utf8))
      return StoryDocumentReader.document(text, link: "https://e.example/").images.map(\.url)
    }
    #expect(url("<img src=/blank data-srcset='/a, /b 2x' srcset=/c>") == ["https://e.example/a"])
    #expect(url("<img src=/a srcset='/b 2x'>") == ["https://e.example/a"])
    #expect(
      url("<picture><source srcset='/a 1x, /b 2x'><source srcset=/c><img></picture>")
        == ["https://e.example/a"]
    )
  }

  @Test(
    "the lines of code stay as they are in a list, beside numbers and by style",
    arguments: [
      (
        "<pre><ol><li>if x:<li><span>  y = 2</span></ol></pre>", ["    if x:", "      y = 2"],
      ),
      ("<pre>a<ul><li>b</ul>c</pre>", ["    a", "    b", "    c"]),
      (
        "<table><tr><td><pre><span>1</span><br>2<br></pre><td><pre>a<br>  b</pre></table>",
        ["    a", "      b"],
      ),
      (
        "<table><tr><td><div>9</div><div>10</div><td><pre>a\n  b</pre></table>",
        ["    a", "      b"],
      ),
      (
        "<table><tr><td><pre>1\n3</pre><td><pre>a\nb</pre></table>",
        ["    1", "    3", "", "    a", "    b"],
      ),
      ("<table><tr><td>1<td>a</table>", ["1", "", "a"]),
      (
        "<div style='white-space: pre;'><div>f {</div><div>  g  h</div><br><div>}</div></div>",
        ["    f {", "      g  h", "", "    }"],
      ),
      ("<p>a<span style='white-space:pre'>\t</span>b</p>", ["a b"]),
    ],
  )
  func code(_ html: String, _ lines: [String]) {
    #expect(ShownText.lines(html) == lines)
  }

  @Test(
    "an object is what its data is",
    arguments: [
      ("<object data=/a.png title=A>old</object>", ["[2: image: A]"]),
      ("<object data=/a type=image/svg+xml></object>", ["[2: image]"]),
      ("<object data=/a type=video/mp4>old</object>", ["[2: video: video/mp4]"]),
      ("<object data=/a.pdf type=application/pdf></object>", ["[2: embedded: application/pdf]"]),
      ("<object data=/a.pdf><a href=/a.pdf>A</a></object>", ["A [2]"]),
      ("<object><embed src=/v></object>", ["[2: embedded]"]),
    ],
  )
  func objects(_ html: String, _ lines: [String]) {
    #expect(ShownText.lines(html) == lines)
  }

  @Test(
    "items have the letters or numerals of their list",
    arguments: [
      ("<ol type=a start=26><li>x<li>y</ol>", [" z. x", "aa. y"]),
      ("<ol type=A><li>x<li value=28>y</ol>", [" A. x", "AB. y"]),
      ("<ol type=i start=3><li>x<li>y</ol>", ["iii. x", " iv. y"]),
      ("<ol type=I reversed start=9><li>x<li>y</ol>", ["  IX. x", "VIII. y"]),
      ("<ol style='list-style-type: lower-roman'><li>x</ol>", ["i. x"]),
      ("<ol type=a start=0><li>x</ol>", ["0. x"]), ("<ol type=q><li>x</ol>", ["1. x"]),
    ],
  )
  func numbering(_ html: String, _ lines: [String]) {
    #expect(ShownText.lines(html) == lines)
  }

  @Test("a cell over all columns has the room that it needs, and one over some widens them")
  func spans() {
    let wide =
      "<table><tr><td colspan=3>Wide header that spans all of it</td></tr>"
      + "<tr><td>a</td><td>b</td><td>c</td></tr></table>"
    #expect(ShownText.lines(wide) == ["Wide header that spans all of it", "a │ b │ c"])
    let some =
      "<table><tr><td colspan=2>two of them</td><td>c</td></tr>"
      + "<tr><td>a</td><td>b</td><td>c</td></tr></table>"
    #expect(ShownText.lines(some) == ["two of them │ c", "a    │ b    │ c"])
  }

  @Test("line breaks that the style keeps are kept")
  func preWrap() {
    #expect(
      ShownText.lines("<div style='white-space: pre-wrap'>a\nb  c\n\nd</div>e\nf") == [
        "a", "b c", "", "d", "e f",
      ]
    )
    #expect(
      ShownText.lines("<p style=white-space:pre-line>a\nb <i style=white-space:normal>c\nd</i></p>")
        == ["a", "b c d"]
    )
    #expect(ShownText.lines("<p style=white-space:nowrap>a\nb</p>") == ["a b"])
  }

  @Test("what is too deep is told to be missing where its text alone is not what it says")
  func cut() {
    func text(_ depth: Int, _ inner: String) -> StoryText {
      let html = String(repeating: "<div>", count: depth) + inner
      return StoryText(isHTML: true, bytes: Array(html.utf8))
    }
    #expect(!text(400, "<b>a</b>").isShortened)
    #expect(!text(260, "<a href=https://example.com/>a</a>").isShortened)
    #expect(!text(400, "<a href=https://example.com/>a</a><p>b").isShortened)
    #expect(text(100, String(repeating: "<video>", count: 300)).isShortened)
    #expect(text(1, String(repeating: "<i>a</i>", count: 150_000)).isShortened)
  }

  /// Faults that were reported about other readers, each with the right lines.
  @Test(
    "what other readers were reported for is right here",
    arguments: [
      ("<p>so &mldr; &check; &colon; done &lpar;x&rpar;</p>", ["so … ✓ : done (x)"]),
      (
        "<p>List</p><![if !supportLists]><span>1.</span><![endif]><p>after <![if !vml]>foo<![endif]></p>",
        ["List", "", "1.", "", "after foo"],
      ),
      (
        "<p>one</br>two</p><img src=/i alt=Pic></br>Xiaomi",
        ["one", "two", "", "[2: image: Pic]", "Xiaomi"],
      ),
      (
        "<p>START</p>" + String(repeating: "<div>", count: 260) + "INNER"
          + String(repeating: "</div>", count: 260) + "<p>END", ["START", "", "INNER", "", "END"],
      ),
      (
        "<ol start=2><li>foo<li value=9>bar<li>baz</ol><ol reversed><li>two<li>one</ol>",
        [" 2. foo", " 9. bar", "10. baz", "", "2. two", "1. one"],
      ),
      (
        "<p>So</p><math display=block><msup><mi>e</mi><mrow><mi>k</mi><mi>t</mi></mrow></msup></math><p>end</p>",
        ["So", "", "e^(kt)", "", "end"],
      ),
    ],
  )
  func reports(_ html: String, _ lines: [String]) {
    #expect(ShownText.lines(html) == lines)
  }
}
