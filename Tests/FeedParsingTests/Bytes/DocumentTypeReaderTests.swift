import Testing

@testable import FeedParsing

@Suite("DocumentTypeReader")
struct DocumentTypeReaderTests {
  /// Declarations, content that refers to them, and the text.
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

  static let refusals: [(declarations: String, kind: String)] = [
    ("<!ENTITY a SYSTEM \"file:///etc/passwd\">", "entities"),
    ("<!ENTITY a PUBLIC \"x\" \"file:///etc/passwd\">", "entities"),
    ("<!ENTITY % a SYSTEM \"http://example.org/\">", "entities"),
    ("<!ENTITY % a 'b'>", "entities"),
    ("%a;", "entities"),
    ("<!ENTITY a 'b'><!ENTITY c '&a;&a;'>", "entities"),
    ("<!ENTITY a '<b/>'>", "entities"),
    ("<!ELEMENT a (b)>", "elements"),
    ("<!ATTLIST a b CDATA 'x'>", "attribute lists"),
    ("<!NOTATION a SYSTEM 'x'>", "notations"),
  ]

  @Test("everything else is refused at once", arguments: refusals)
  func refused(_ row: (declarations: String, kind: String)) {
    let document = "<!DOCTYPE r [\(row.declarations) ]><r>&a;</r>"
    let run = StageRun.repair([UInt8](document))
    #expect(run.error == .declarationRefused(kind: row.kind))
    #expect(run.output == [])
  }

  @Test("entities are bounded in number, length and expansion")
  func limits() {
    let many = (0...512).map { "<!ENTITY a\($0) 'x'>" }.joined()
    let long = "<!ENTITY a '\(String(repeating: "x", count: 1025))'>"
    let wide = "<!ENTITY a '\(String(repeating: "x", count: 1000))'>"
    let references = String(repeating: "&a;", count: 1100)
    for (declarations, content) in [(many, ""), (long, ""), (wide, references)] {
      let run = StageRun.repair([UInt8]("<!DOCTYPE r [\(declarations)]><r>\(content)</r>"))
      guard case .limitExceeded = run.error else {
        Issue.record("not refused: \(run.text.prefix(80))")
        continue
      }
    }
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
