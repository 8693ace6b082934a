import Testing

@testable import FeedParsing

@Suite("XMLPushParser")
struct XMLPushParserTests {
  /// Writes down what it hears.
  private final class Recorder: XMLEventHandler {
    var events: [String] = []
    var names: [XMLName] = []
    var refusal: FeedParsingError?
    let wantsText = true

    func code(of name: XMLName) -> UInt16 {
      names.append(name)
      return UInt16(names.count)
    }

    func startElement(_ code: UInt16, _ attributes: XMLAttributes) throws(FeedParsingError) {
      let buffer = TextBuffer()
      let value = attributes.value("a", into: buffer).map { "=" + buffer.bytes($0).string } ?? ""
      events.append("<\(names[Int(code) - 1].qualified)\(value)>")
      if let refusal { throw refusal }
    }

    func endElement(_ code: UInt16) throws(FeedParsingError) {
      events.append("</\(names[Int(code) - 1].qualified)>")
    }

    func text(_ utf8: UnsafeBufferPointer<UInt8>) {
      if let last = events.last, !last.hasPrefix("<") {
        events[events.count - 1] = last + utf8.string
      } else {
        events.append(utf8.string)
      }
    }
  }

  private func parse(
    _ text: String,
    into recorder: Recorder,
    limits: ParsingLimits = .standard,
  ) throws(FeedParsingError) -> XMLPushParser {
    let parser = XMLPushParser(handler: recorder, limits: limits, texts: MarkupTexts())
    var failure: FeedParsingError?
    Array(text.utf8).withUnsafeBytes { bytes in
      do throws(FeedParsingError) {
        try parser.parse(bytes)
        try parser.finish()
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return parser
  }

  private func events(_ text: String) throws -> [String] {
    let recorder = Recorder()
    _ = try parse(text, into: recorder)
    return recorder.events
  }

  @Test("elements, text and attributes come in document order")
  func order() throws {
    let found = try events("<r><x a=\"1 &amp; 2 &lt; 3\">t &amp; u&lt;v></x><y/></r>")
    #expect(found == ["<r>", "<x=1 & 2 < 3>", "t & u<v>", "</x>", "<y>", "</y>", "</r>"])
  }

  @Test("a name is asked for once, with its prefix and its namespace")
  func names() throws {
    let recorder = Recorder()
    _ = try parse("<r xmlns:p=\"urn:p\"><p:a/><p:a/><q:a/><a/></r>", into: recorder)
    #expect(
      recorder.names == [
        XMLName(local: "r", prefix: nil, namespace: nil),
        XMLName(local: "a", prefix: "p", namespace: "urn:p"),
        XMLName(local: "a", prefix: "q", namespace: nil),
        XMLName(local: "a", prefix: nil, namespace: nil),
      ]
    )
  }

  @Test("after an error that was recovered from, references still mean what they mean")
  func referencesAfterErrors() throws {
    let found = try events("<r><a b=\"1\" b=\"2\">x &lt; y &amp; z</a><c>&#65;&gt;</c></r>")
    #expect(found.contains("x < y & z"))
    #expect(found.contains("A>"))
  }

  @Test("what was recovered from is known, with its line")
  func recoveries() throws {
    let parser = try parse("<r>\n<q:a/>\n</r>", into: Recorder())
    #expect(parser.recovered.map(\.line) == [2])
    #expect(parser.recovered.allSatisfy { !$0.isEnd })
  }

  @Test("a handler's error ends the parsing and is thrown")
  func handlerErrors() {
    let recorder = Recorder()
    recorder.refusal = .notAFeed(root: "r")
    #expect(throws: FeedParsingError.notAFeed(root: "r")) {
      try parse("<r><a/><b/></r>", into: recorder)
    }
    #expect(recorder.events == ["<r>"])
  }

  @Test(
    "declarations are refused, by kind",
    arguments: [
      ("<!ENTITY a \"b\">", "entities"), ("<!ENTITY % a \"b\">", "entities"),
      ("<!ENTITY a SYSTEM \"file:///etc/passwd\">", "entities"),
      ("<!ATTLIST r a (x|y) \"x\">", "attribute lists"), ("<!ELEMENT r ANY>", "elements"),
      ("<!NOTATION n SYSTEM \"n\">", "notations"),
    ],
  )
  func declarations(_ declaration: String, _ kind: String) {
    #expect(throws: FeedParsingError.declarationRefused(kind: kind)) {
      try parse("<!DOCTYPE r [\(declaration)]><r/>", into: Recorder())
    }
  }

  @Test("a plain document type is fine, and loads nothing")
  func documentType() throws {
    #expect(try events("<!DOCTYPE r SYSTEM \"/etc/passwd\"><r>&amp;</r>") == ["<r>", "&", "</r>"])
  }

  @Test("limits end the parsing")
  func limits() {
    let deep = String(repeating: "<a>", count: 257)
    #expect(throws: FeedParsingError.limitExceeded(name: "depth of elements", limit: 256)) {
      try parse(deep, into: Recorder())
    }
    let attributes = (0...1000).map { " a\($0)=\"\"" }.joined()
    #expect(throws: FeedParsingError.limitExceeded(name: "attributes of an element", limit: 1000)) {
      try parse("<r\(attributes)/>", into: Recorder())
    }
  }
}
