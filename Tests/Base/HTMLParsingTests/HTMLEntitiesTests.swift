import Testing

@testable import HTMLParsing

@Suite("The names of character references")
struct HTMLEntitiesTests {
  private func text(_ name: String) -> String? {
    Array(name.utf8).withUnsafeBytes { HTMLEntities.reference($0) }.map { reference in
      var bytes: [UInt8] = []
      reference.append(to: &bytes)
      return String(decoding: bytes, as: UTF8.self)
    }
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
      let expected = ["notin": 3, "ampere": 3, "x": nil][String(name)] ?? name.utf8.count
      #expect(length == expected)
    }
  }

  @Test("elements are found by their names, in any case, and no others are")
  func elements() {
    func tag(_ name: String) -> HTMLTag {
      Array(name.utf8).withUnsafeBytes { HTMLTag.of($0[...]) }
    }
    for element in HTMLTag.allCases {
      #expect(tag(element.rawValue) == element && tag(element.rawValue.uppercased()) == element)
    }
    for name in ["string", "t", "blockquotes", "annotation-xm", "h7"] {
      #expect(tag(name) == .unknown)
    }
  }
}
