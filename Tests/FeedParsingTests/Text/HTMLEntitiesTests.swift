import Testing

@testable import FeedParsing

@Suite("The names of character references")
struct HTMLEntitiesTests {
  private func text(_ name: String) -> String? {
    Array(name.utf8).withUnsafeBytes { HTMLEntities.text(named: $0) }
      .map { String(decoding: $0, as: UTF8.self) }
  }

  @Test("all 2,125 names are found, first and last included")
  func all() throws {
    let records = HTMLEntityTable.records.description.split(separator: " ")
    #expect(records.count == 2125)
    for record in records {
      let fields = record.split(separator: "#")
      let scalars = fields[1].split(separator: "+").compactMap {
        UInt32($0, radix: 16).flatMap(Unicode.Scalar.init)
      }
      #expect(text(String(fields[0])) == String(String.UnicodeScalarView(scalars)))
    }
  }

  @Test(
    "they stand for what the standard says",
    arguments: [("AElig", "Æ"), ("zwnj", "\u{200C}")],
  )
  func ends(name: String, expected: String) {
    #expect(text(name) == expected)
  }

  @Test(
    "what is no name is not found",
    arguments: ["", "a", "am", "ampx", "zzzz", "Amp", "é", "amp;"],
  )
  func unknown(name: String) {
    #expect(text(name) == nil)
  }

  @Test("some mean two characters", arguments: [("nvap", "\u{224D}\u{20D2}"), ("fjlig", "fj")])
  func pairs(name: String, expected: String) {
    #expect(text(name) == expected)
  }

  @Test("XML's five are among them", arguments: ["amp", "lt", "gt", "quot", "apos"])
  func predefined(name: String) {
    let character = Array(name.utf8).withUnsafeBytes { HTMLEntities.predefined($0) }
    #expect(character.map { String(UnicodeScalar($0)) } == text(name))
  }

  @Test("106 names need no semicolon, and the longest counts")
  func legacy() {
    let names = HTMLEntityTable.legacy.description.split(separator: " ")
    #expect(names.count == 106)
    for name in names + ["notin", "ampere", "x"] {
      let bytes = Array(name.utf8)
      let length = bytes.withUnsafeBytes { HTMLEntities.legacyPrefix(of: $0) }
      #expect(length == ["notin": 3, "ampere": 3, "x": 0][String(name)] ?? name.utf8.count)
    }
  }

  @Test(
    "elements are found by their names",
    arguments: [
      ("p", .openBlock), ("DIV", .block), ("blockquote", .block), ("a", .inline), ("h1", .block),
      ("semantics", .inline), ("wbr", .openInline), ("noscript", .inline), ("script", .stripped),
      ("string", nil), ("t", nil), ("blockquotes", nil), ("basefont", .inline),
    ] as [(String, HTMLElement.Kind?)],
  )
  func elements(name: String, kind: HTMLElement.Kind?) {
    let bytes = Array(name.utf8)
    #expect(bytes.withUnsafeBufferPointer { HTMLElement.kind(of: $0[...]) } == kind)
  }
}
