import System
import Testing

@testable import FeedParsing

@Suite("SAXParser")
struct SAXParserTests {
  private final class Recorder: XMLEventHandler {
    var events: [String] = []
    var names: [XMLName] = []
    var refusal: FeedParsingError?
    let wantsText = true
    let hasEnough = false

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

  @discardableResult
  private func parse(
    _ text: String,
    into recorder: Recorder,
    faults: SAXParser.Faults = .recovered,
  ) throws(FeedParsingError) -> SAXParser {
    let parser = SAXParser(handler: recorder, faults: faults, limits: .standard)
    try Array(text.utf8).withUnsafeBufferPointer { (bytes) throws(FeedParsingError) in
      try parser.parse(UnsafeRawBufferPointer(bytes))
    }
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

  @Test("of many names each is asked for once and never taken for another")
  func manyNames() throws {
    let names = (0..<600).map { "n\($0 % 5)x\($0)" }
    let all = names + names.reversed() + names
    let recorder = Recorder()
    _ = try parse("<r>\(all.map { "<\($0)/>" }.joined())</r>", into: recorder)
    #expect(recorder.names.map(\.local) == ["r"] + names)
    #expect(recorder.events == ["<r>"] + all.flatMap { ["<\($0)>", "</\($0)>"] } + ["</r>"])
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

  @Test(
    "what costs anything of a document breaks it, where it has not been repaired",
    arguments: [
      "<r>a & b</r>", "<r><a></r>", "<r>&eacute;</r>", "<r", "<r/><r/>", "", "<r a='1' a='2'/>",
      "<!DOCTYPE r SYSTEM 'x'><r>&eacute;</r>", "<!DOCTYPE r [<!ENTITY a 'b'>]><r>&a;</r>",
      "<r>]]></r>", String(repeating: "<a>", count: 300),
    ],
  )
  func broken(_ document: String) throws {
    #expect(try parse(document, into: Recorder(), faults: .fatal).isBroken)
  }

  @Test("what breaks nothing is only noted")
  func notBroken() throws {
    let parser = try parse("<r><q:a/>&#146;</r>", into: Recorder(), faults: .fatal)
    #expect(!parser.isBroken)
    #expect(parser.recovered.map(\.line) == [1])
    #expect(parser.findings.notes == ["references to windows-1252 characters"])
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

  @Test("what windows-1252 has in a reference's place is meant by it, in attributes too")
  func windowsReferences() throws {
    let found = try events("<r a=\"1&#146;2 é\">It&#146;s &#x97;</r>")
    #expect(found == ["<r=1’2 é>", "It’s —", "</r>"])
  }

  @Test("more namespaces in one place than any feed declares are refused")
  func namespaces() {
    let limit = ParsingLimits.standard.maximumNamespaces
    let declarations = (0..<limit / 2 + 1).map { " xmlns:n\($0)=\"u\"" }.joined()
    let beside = "<r><a\(declarations)/><b\(declarations)/></r>"
    #expect(throws: Never.self) { try parse(beside, into: Recorder()) }
    #expect(throws: FeedParsingError.limitExceeded(name: "namespaces in one place", limit: limit)) {
      try parse("<a\(declarations)><b\(declarations)/></a>", into: Recorder())
    }
  }

  @Test("limits end the parsing")
  func limits() {
    let deep = String(repeating: "<a>", count: 257)
    #expect(throws: FeedParsingError.limitExceeded(name: "depth of elements", limit: 256)) {
      try parse(deep, into: Recorder())
    }
    let attributes = (0...250).map { " a\($0)=\"\"" }.joined()
    #expect(throws: FeedParsingError.limitExceeded(name: "attributes of an element", limit: 250)) {
      try parse("<r\(attributes)/>", into: Recorder())
    }
  }
}
