import Testing

@testable import FeedParsing

@Suite("The names of character references")
struct HTMLEntitiesTests {
  private func text(_ name: String) -> String? {
    HTMLEntities.codePoints(named: name).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test("all 2,125 names are found, first and last included, and end with a zero byte")
  func all() throws {
    let table = HTMLEntityTable.records.description
    let records = table.split(separator: "\u{1}")
    #expect(records.count == 2125)
    for record in records {
      let fields = record.split(separator: "\0")
      #expect(text(String(fields[0])) == String(fields[1]))
    }
    let found = try #require(HTMLEntities.codePoints(named: "zwnj"))
    #expect(try #require(found.baseAddress)[found.count] == 0)
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

  @Test("the short cut for frequent names says what the table says")
  func frequent() {
    for name in [
      "amp", "lt", "gt", "quot", "apos", "nbsp", "lsquo", "rsquo", "ldquo", "rdquo", "hellip",
      "ndash", "mdash",
    ] {
      let bytes = Array(name.utf8)
      let short = bytes.withUnsafeBufferPointer { HTMLEntities.frequent($0[...])?.description }
      #expect(short == text(name))
    }
  }

  @Test("106 names need no semicolon, and the longest counts")
  func legacy() {
    let names = HTMLEntityTable.legacy.description.split(separator: " ").dropLast()
    #expect(names.count == 106)
    for name in names + ["notin", "ampere", "x"] {
      let bytes = Array(name.utf8)
      let length = bytes.withUnsafeBufferPointer { HTMLEntities.legacyPrefix(of: $0[...]) }
      #expect(length == ["notin": 3, "ampere": 3, "x": 0][String(name)] ?? name.utf8.count)
    }
  }

  @Test(
    "elements are found by their names",
    arguments: [
      ("p", .openBlock), ("DIV", .block), ("blockquote", .block), ("a", .inline), ("h1", .block),
      ("semantics", .inline), ("wbr", .void), ("noscript", .inline), ("script", .dropped),
      ("string", nil), ("t", nil), ("blockquotes", nil), ("basefont", .void),
    ] as [(String, HTMLElement.Kind?)],
  )
  func elements(name: String, kind: HTMLElement.Kind?) {
    let bytes = Array(name.utf8)
    #expect(bytes.withUnsafeBufferPointer { HTMLElement.kind(of: $0[...]) } == kind)
  }
}
