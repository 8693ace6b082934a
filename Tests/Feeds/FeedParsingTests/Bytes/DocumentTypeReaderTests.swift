import Testing

@testable import FeedParsing

@Suite("DocumentTypeReader")
struct DocumentTypeReaderTests {
  static let plainRows: [(declarations: String, content: String, text: String)] = [
    ("<!ENTITY id \"tag:example.com,\">", "&id;2006", "tag:example.com,2006"),
    ("\n<!ENTITY nbsp \"&#160;\"><!ENTITY copy '&#38;#169;'>", "&nbsp;&copy;", "\u{A0}©"),
    ("<!ENTITY a 'AT&#38;T'> <!-- <!ELEMENT --> <?x?>", "&a;", "AT&amp;T"),
    ("<!ENTITY a '&#60;b&#62;'>", "&a;", "&lt;b&gt;"),
    ("<!ENTITY a 'x'><!ENTITY a 'y'>", "&a;&b;", "x&amp;b;"),
    ("<!ENTITY amp '&#38;#38;'>", "&amp;", "&amp;"),
    (
      """
      <!ENTITY % HTMLlat1 PUBLIC
       "-//W3C//ENTITIES Latin 1 for XHTML//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml-lat1.ent">
       %HTMLlat1;
      """, "&eacute;", "é",
    ),
  ]

  @Test("plain entities of the document's own are replaced", arguments: plainRows)
  func plain(_ row: (declarations: String, content: String, text: String)) {
    let document = "<!DOCTYPE r [\(row.declarations)]><r a='\(row.content)'>\(row.content)</r>"
    let run = StageRun.repair([UInt8](document))
    #expect(run.error == nil)
    #expect(run.text.hasSuffix(">\(row.text)</r>"))
    #expect(!run.text.contains("DOCTYPE"))
  }

  /// Declarations, and the text of a reference to `a` after them.
  static let passedOver: [(declarations: String, text: String)] = [
    ("<!ENTITY a SYSTEM \"file:///etc/passwd\">", "&amp;a;"),
    ("<!ENTITY a PUBLIC \"x\" \"file:///etc/passwd\">", "&amp;a;"),
    ("<!ENTITY a SYSTEM 'x' NDATA gif>", "&amp;a;"),
    ("<!ENTITY % a SYSTEM \"http://example.org/\"> %a;", "&amp;a;"),
    ("<!ENTITY % a 'b'>", "&amp;a;"), ("%b; <!ENTITY a 'b'>", "b"),
    ("<!ENTITY c 'x'><!ENTITY a '&c;&c; &amp;c; &eacute; &'>", "&amp;c;&amp;c; &amp;c; é &amp;"),
    ("<!ENTITY a 'x &amp; y &lt;b&gt; &amp;amp;'>", "x &amp; y &lt;b&gt; &amp;amp;"),
    ("<!ENTITY a '&a;'>", "&amp;a;"), ("<!ENTITY a '<b>x</b>'>", "&lt;b&gt;x&lt;/b&gt;"),
    ("<!ELEMENT a (b)><!ENTITY a 'y'>", "y"), ("<!ATTLIST a b CDATA ']>'><!ENTITY a 'y'>", "y"),
    ("<!NOTATION a SYSTEM 'x>'><!ENTITY a 'y'>", "y"),
    ("<![INCLUDE[<!ENTITY a 'y'>]]>", "&amp;a;"),
    ("<!ENTITY><!ENTITY a 'y'>", "y"), ("<!ENTITY a>", "&amp;a;"),
  ]

  @Test("all that stands for no text is passed over, and nothing grows", arguments: passedOver)
  func others(_ row: (declarations: String, text: String)) {
    let document = "<!DOCTYPE r [\(row.declarations) ]><r>&a;</r>"
    let run = StageRun.repair([UInt8](document))
    #expect(run.error == nil)
    #expect(run.text == "<r>\(row.text)</r>")
  }

  @Test("entities are bounded in number, length and expansion; beyond that references stay text")
  func limits() {
    let many = (0...512).map { "<!ENTITY a\($0) 'x'>" }.joined()
    let long = "<!ENTITY a512 '\(String(repeating: "x", count: 1025))'>"
    for declarations in [many, long] {
      let run = StageRun.repair([UInt8]("<!DOCTYPE r [\(declarations)]><r>&a512;</r>"))
      #expect(run.text == "<r>&amp;a512;</r>" && run.error == nil)
    }
    let wide = "<!ENTITY a '\(String(repeating: "x", count: 1000))'>"
    let references = String(repeating: "&a;", count: 100_000)
    let run = StageRun.repair([UInt8]("<!DOCTYPE r [\(wide)]><r>\(references)</r>"))
    #expect(run.error == nil)
    #expect(run.text.hasSuffix("&amp;a;&amp;a;</r>") && run.output.count < 2 << 20)
  }

  @Test("a document type without an end is bounded")
  func endless() {
    let open = "<!DOCTYPE r [" + String(repeating: "<!-- x -->\n", count: 10_000)
    let limit = FeedParsingError.limitExceeded(name: "bytes of the document type", limit: 65_536)
    #expect(StageRun.repair([UInt8](open)).error == limit)
    #expect(StageRun.repair([UInt8](open)).error == limit)
    #expect(
      StageRun.repair([UInt8]("<!DOCTYPE r [ <!ENTITY")).error
        == .malformed(line: 1, reason: "no root element")
    )
  }
}
