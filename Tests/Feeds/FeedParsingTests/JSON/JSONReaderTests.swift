import Testing

@testable import FeedParsing

@Suite("JSONReader")
struct JSONReaderTests {
  private func read(_ text: String) throws -> (value: JSONValue?, isComplete: Bool) {
    try Array(text.utf8).withUnsafeBufferPointer { bytes in
      var reader = JSONReader(bytes, limits: .standard)
      let value = try reader.document()
      return (value, reader.isComplete)
    }
  }

  @Test(
    "values are read as they are written",
    arguments: [
      ("null", JSONValue.null), ("\u{FEFF}{}", .object([])), ("true", .bool(true)),
      (" false ", .bool(false)),
      ("-12.5e3", .number("-12.5e3")), ("\"a\\n\\\"\\u00e9\\/\"", .string("a\n\"é/")),
      ("\"\\ud83d\\ude00\"", .string("😀")), ("\"\\ud83d!\"", .string("\u{FFFD}!")),
      ("\"\\ude00\"", .string("\u{FFFD}")), ("\"\\u12\"", .string("\u{FFFD}12")),
      ("[]", .array([])), ("[1,[2],]", .array([.number("1"), .array([.number("2")])])),
      ("{\"a\":{}}", .object([JSONMember(name: "a", value: .object([]))])),
    ],
  )
  func values(_ text: String, _ expected: JSONValue) throws {
    let (value, isComplete) = try read(text)
    #expect(value == expected)
    #expect(isComplete)
  }

  @Test(
    "of what breaks off the finished values are left",
    arguments: [
      ("{\"a\":1,\"b\"", "{\"a\":1}"), ("{\"a\":[1,2,{\"c\":3", "{\"a\":[1,2]}"),
      ("[1,\"x", "[1]"),
      ("[1 2", "[1,2]"), ("{\"a\":tru", "{}"), ("[1,?]", "[1]"),
    ],
  )
  func unfinished(_ text: String, _ expected: String) throws {
    let (value, isComplete) = try read(text)
    #expect(try value == read(expected).value)
    #expect(!isComplete)
  }

  @Test("nothing is no value", arguments: ["", "  ", "?", "nul"])
  func nothing(_ text: String) throws {
    let (value, isComplete) = try read(text)
    #expect(value == nil)
    #expect(!isComplete)
  }
}
