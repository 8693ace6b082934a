import FeedModel
import FeedParsing
import TestSupport
import Testing

@testable import HTMLParsing
@testable import HTMLText

@Suite("a formula is a line that can be read back, and told once")
struct FormulaTests {
  @Test(
    "MathML",
    arguments: [
      ("<msup><mi>e</mi><mrow><mi>k</mi><mi>t</mi></mrow></msup>", "e^(kt)"),
      ("<msup><mi>x</mi><mn>2</mn></msup><mo>+</mo><mn>1</mn>", "x²+1"),
      ("<msup><mi>x</mi><mrow><mo>-</mo><mn>2</mn></mrow></msup>", "x⁻²"),
      ("<msub><mi>a</mi><mn>12</mn></msub>", "a₁₂"),
      ("<msub><mi>z</mi><mi>max</mi></msub>", "z_max"),
      ("<msub><mi>z</mi><mtext>max</mtext></msub>", "z_max"),
      ("<msub><mi>a</mi><mrow><mi>n</mi><mo>+</mo><mn>1</mn></mrow></msub>", "a_(n+1)"),
      ("<msub><mi>a</mi><mrow><mi>i</mi><mi>j</mi></mrow></msub>", "a_(ij)"),
      ("<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup>", "x_i²"),
      ("<mfrac><mn>1</mn><mn>3</mn></mfrac>", "1/3"),
      (
        "<mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mrow><mn>2</mn><mi>c</mi></mrow></mfrac>",
        "(a+b)/(2c)",
      ),
      ("<msqrt><mi>x</mi></msqrt>", "√x"),
      ("<msqrt><mi>x</mi><mo>+</mo><mn>1</mn></msqrt>", "√(x+1)"),
      ("<mroot><mi>x</mi><mn>3</mn></mroot>", "³√x"),
      ("<mroot><mi>x</mi><mi>n</mi></mroot>", "^n√x"),
      ("<mi>sin</mi><mo>&#x2061;</mo><mi>x</mi>", "sin x"),
      ("<mn>2</mn><mo>&#x2062;</mo><mi>x</mi>", "2x"),
      (
        "<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><mi>i</mi>",
        "∑_(i=1)^n i",
      ),
      (
        "<munder><mi>lim</mi><mrow><mi>x</mi><mo>→</mo><mn>0</mn></mrow></munder><mi>f</mi>",
        "lim_(x→0) f",
      ),
      ("<mover><mi>x</mi><mo>¯</mo></mover>", "x\u{304}"),
      ("<mover><mrow><mi>A</mi><mi>B</mi></mrow><mo>→</mo></mover>", "vec(AB)"),
      ("<mover><mo>=</mo><mi>def</mi></mover>", "=^def"),
      (
        "<mo>(</mo><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr>"
          + "<mtr><mtd><mn>3</mn></mtd><mtd><mn>4</mn></mtd></mtr></mtable><mo>)</mo>",
        "(1, 2; 3, 4)",
      ),
      (
        "<mtable><mtr><mtd><mi>a</mi></mtd><mtd><mn>2</mn></mtd></mtr></mtable>", "[a, 2]",
      ),
      (
        "<mtable><mtr><mtd><mi>y</mi></mtd><mtd><mo>=</mo><mn>2</mn></mtd></mtr>"
          + "<mtr><mtd></mtd><mtd><mo>=</mo><mn>3</mn></mtd></mtr></mtable>", "y=2; =3",
      ),
      ("<mfenced><mi>a</mi><mi>b</mi></mfenced>", "(a, b)"),
      (
        "<mmultiscripts><mi>C</mi><mprescripts/><mn>6</mn><mn>14</mn></mmultiscripts>", "₆¹⁴C",
      ),
      ("<mfrac linethickness='0'><mi>n</mi><mi>k</mi></mfrac>", "n choose k"),
      ("<mi>x</mi><mtext> if </mtext><mi>y</mi>", "x if y"),
      ("<mphantom><mi>x</mi></mphantom><mi>y</mi>", "y"),
      (
        "<semantics><mi>x</mi><annotation encoding='application/x-tex'>{\\displaystyle x^2}</annotation></semantics>",
        "x^2",
      ),
      (
        "<semantics><mi>x</mi><annotation-xml encoding='MathML-Content'><ci>x</ci></annotation-xml></semantics>",
        "x",
      ),
    ],
  )
  func mathML(_ html: String, _ line: String) {
    #expect(ShownText.lines("<p>so <math>\(html)</math></p>") == ["so \(line)"])
    let summary = ShownText.summary("<p>so <math>\(html)</math></p>")
    #expect(summary == "so \(line)")
  }

  /// A row of `Fixtures/formulas.tsv`: MathML, its line, and what that says.
  struct Row: CustomTestStringConvertible, Sendable {
    let fields: [String]
    var testDescription: String { fields[1] }
  }

  static let rows: [Row] = {
    let table = try? String(contentsOfFile: BuiltProduct.fixture("formulas.tsv"), encoding: .utf8)
    return (table ?? "").split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
      Row(fields: line.split(separator: "\t").map(String.init))
    }
  }()

  @Test("a line says what its formula said", arguments: rows)
  func meanings(_ row: Row) throws {
    try #require(row.fields.count == 3)
    let html = "<p>so <math>\(row.fields[0])</math></p>"
    #expect(ShownText.lines(html) == ["so \(row.fields[1])"])
    #expect(ShownText.summary(html) == "so \(row.fields[1])")
    #expect(FormulaReader.meaning(row.fields[1]) == row.fields[2])
  }

  @Test("the table of formulas is there")
  func tableIsThere() { #expect(Self.rows.count > 60) }

  private static let math =
    "<math><semantics><mrow><mi>F</mi></mrow><annotation encoding=\"application/x-tex\">F=ma</annotation></semantics></math>"

  @Test(
    "what KaTeX, MathJax, MediaWiki and WordPress write is told once",
    arguments: [
      "<span class=katex><span class=katex-mathml>\(math)</span><span class=katex-html aria-hidden=true><span>F</span>=ma</span></span>",
      "<span class=katex-mathml>\(math)</span><span class=katex-html aria-hidden=true>F=ma</span>",
      "<script type='math/tex'>F=ma</script>",
      "<span class=MathJax_Preview>F=ma</span><span class=MathJax><nobr aria-hidden=true>F=ma</nobr></span><script type='math/tex'>F=ma</script>",
      "<span class=MathJax><nobr aria-hidden=true>F = ma</nobr><span class=MJX_Assistive_MathML>\(math)</span></span>",
      "<mjx-container class=MathJax><mjx-math aria-hidden=true>Fma</mjx-math><mjx-assistive-mml>\(math)</mjx-assistive-mml></mjx-container>",
      "<span class=mwe-math-element><span style='display:none'>\(math)</span><img class=mwe-math-fallback-image-inline aria-hidden=true src=x alt='{\\displaystyle F=ma}'></span>",
      "<math alttext='F=ma'><mi>F</mi></math>", "<img class=latex src=x alt='F=ma'>",
    ],
  )
  func once(_ html: String) {
    #expect(ShownText.lines("<p>so \(html) holds</p>") == ["so F=ma holds"])
    guard !html.hasPrefix("<img") else { return }
    #expect(ShownText.summary("<p>so \(html) holds</p>") == "so F=ma holds")
  }

  @Test(
    "a displayed formula stands in a line of its own",
    arguments: [
      "<math display=block><mi>x</mi></math>", "<script type='math/tex; mode=display'>x</script>",
      "<span class=katex-display><span class=katex><math><mi>x</mi></math></span></span>",
      "<span class=MathJax_Display>y</span><script type='math/tex; mode=display'>x</script>",
    ],
  )
  func display(_ html: String) {
    #expect(ShownText.lines("<p>a \(html) b</p>") == ["a", "x", "b"])
  }

  @Test("a formula that has not ended keeps no text from being read as it stands")
  func unended() {
    #expect(ShownText.lines("<math><mtext>a<p>b</p><h2>c</h2>") == ["a", "", "b", "", "c"])
  }

  @Test("what one reader takes for a formula and another for the name of a tag is read once")
  func tagsInTags() {
    for html in ["<annota<math a=b>x</math>y", "<a<script type=math/tex>x</script>y"] {
      #expect(PlainText.fromHTML("<p>so \(html)</p>").hasPrefix("so"))
      #expect(ShownText.summary("<p>so \(html)</p>").hasPrefix("so"))
    }
  }

  @Test("of several formulas in one container none is lost, nor paragraphs beside one")
  func severalInOne() {
    let (first, second) = ("<math><mi>x</mi></math>", "<math><mi>y</mi></math>")
    #expect(ShownText.lines("<span class=katex>\(first) and \(second)</span>") == ["x and y"])
    #expect(ShownText.lines("<div class=katex><p>a</p>\(first)</div>") == ["a", "", "x"])
  }

  @Test("a style of TeX is left out where it is all of it, and not where two stand side by side")
  func style() {
    func line(_ tex: String) -> [String] {
      ShownText.lines("<math><annotation encoding='application/x-tex'>\(tex)</annotation></math>")
    }
    #expect(line("{\\displaystyle x_{1}}") == ["x_{1}"])
    #expect(line("{\\displaystyle x}+{y}") == ["{\\displaystyle x}+{y}"])
  }

  @Test("a formula of any length and depth has its text")
  func long() {
    let text = String(repeating: "ab ", count: 40_000)
    let html = String(repeating: "<mrow>", count: 200) + "<mi>\(text)</mi><mi>end</mi>"
    let line = StoryText(isHTML: true, bytes: Array("<math>\(html)</math> behind".utf8)).line
    #expect(line.hasPrefix("ab ab") && line.hasSuffix("end behind"))
    #expect(line.utf8.count > text.utf8.count - 10)
  }

  @Test("what follows a formula in a CDATA section is there")
  func section() {
    let line = PlainText.fromHTML("<![CDATA[before <math><mi>x</mi></math> after]]> tail")
    #expect(line == "before x after tail")
  }

  @Test("a formula that nobody is to see is not told, nor one in a script for others")
  func hidden() {
    #expect(ShownText.lines("a<math hidden><mi>x</mi></math><script type=x>b</script>") == ["a"])
  }

  @Test(
    "what is raised or lowered is never dropped into the line",
    arguments: [
      ("2<sup>l</sup>", "2^l"), ("e<sup>x</sup>", "e^x"), ("e<sup>kt</sup>", "e^(kt)"),
      ("z<sub>max</sub>", "z_max"), ("a<sub>n+1</sub>", "a_(n+1)"), ("H<sub>2</sub>O", "H₂O"),
      ("10<sup>−3</sup>", "10⁻³"), ("x<sup>2<i>n</i></sup>y", "x^(2n)y"),
      ("word<sup>1</sup>", "word¹"), ("word<sup>1,2</sup>", "word^(1,2)"),
      ("a<sup>a long note, number 1</sup>", "a^(a long note, number 1)"),
      ("<sup>printed small, for 12 readers</sup>", "printed small, for 12 readers"),
      ("word<sup>[3]</sup>", "word[3]"), ("word<sup>*</sup>", "word*"), ("x<sub></sub>", "x"),
      ("Brand<sup>TM</sup>", "Brand™"), ("1<sup>st</sup>", "1st"), ("n<sup>th</sup>", "nth"),
      ("M<sup>lle</sup>", "Mlle"), ("XIX<sup>e</sup>", "XIXe"), ("2<sup>e</sup>", "2e"),
      ("n<sup>o</sup>", "no"), ("L<sup>A</sup>T<sub>E</sub>X", "LATEX"),
      ("a<sup><a href='#n'>1</a></sup>", "a[1]"), ("a<a href='#n'><sup>1</sup></a>", "a[1]"),
    ],
  )
  func raised(_ html: String, _ line: String) {
    #expect(ShownText.lines("<p>\(html)</p>") == [line])
    #expect(ShownText.summary("<p>\(html)</p>") == line)
  }

  @Test("code has it, too, and so has a terminal without Unicode")
  func code() {
    #expect(ShownText.lines("<pre>x<sup>l</sup></pre>") == ["    x^l"])
    #expect(ShownText.lines("10<sup>-3</sup> H<sub>2</sub>", isUnicode: false) == ["10^-3 H2"])
  }

  @Test("Atom's XHTML says the same in the summary and in the text")
  func xhtml() throws {
    let math = """
      <math xmlns="http://www.w3.org/1998/Math/MathML"><munderover><mo>∑</mo><mi>i</mi><mi>n</mi></munderover>
      <mfrac><mn>1</mn><mi>x</mi></mfrac></math>
      """
    let entry = """
      <feed xmlns="http://www.w3.org/2005/Atom"><entry><id>a</id><content type="xhtml"><div
      xmlns="http://www.w3.org/1999/xhtml"><p>so \(math) holds, z<sub>max</sub></p><ul><li><input type="checkbox"
      checked="checked"/> done</li></ul></div></content></entry></feed>
      """
    func feed(_ limits: ParsingLimits) throws -> Feed {
      try Array(entry.utf8).withUnsafeBytes {
        try FeedParser.feed($0, url: "https://example.org/", limits: limits)
      }
    }
    var limits = ParsingLimits.standard
    let summary = "so ∑_i^n 1/x holds, z_max [x] done"
    #expect(try feed(limits).items.first?.summary == summary)
    limits.kept = .texts
    let whole = try feed(limits)
    #expect(whole.items.first?.summary == summary)
    guard case let text?? = whole.texts.first else {
      Issue.record("no text")
      return
    }
    #expect(
      StoryDocumentReader.document(text, link: "").lines
        == ["so ∑_i^n 1/x holds, z_max", "[x] done"]
    )
    #expect(text.line == "so ∑_i^n 1/x holds, z_max [x] done")
  }

  @Test("what a search looks in is what is shown")
  func searched() {
    for (html, line) in [
      ("<p>mc<sup>2</sup> <math><mi>x</mi></math></p><p hidden>b</p>", "mc² x"),
      ("a &amp; <b>b</b>&rsquo;s <!-- c --><img alt=d src=e><p>日本<br>語", "a & b’s d 日本 語"),
      ("<table><tr><td>a<td>b</table><button>c</button>", "a b"), ("a <x> b < c", "a b < c"),
      ("<img class=emoji alt=':)' src=e> <p style='display:none'>a</p>", ":)"),
    ] {
      #expect(StoryText(isHTML: true, bytes: Array(html.utf8)).line == line)
    }
  }
}
