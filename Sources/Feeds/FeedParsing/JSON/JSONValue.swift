/// A JSON value (RFC 8259) with its members in the order of the document.
package enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  /// A number as written: a guid that is a number keeps its digits.
  case number(String)
  case string(String)
  case array([JSONValue])
  case object([JSONMember])

  /// The value of the last member of a name.
  package subscript(_ name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.last { $0.name == name }?.value
  }

  package var text: String? {
    switch self {
    case .string(let text), .number(let text): text
    case .bool(let isTrue): isTrue ? "true" : "false"
    case .null, .array, .object: nil
    }
  }

  /// The values of an array; another value is an array of one, and null is none.
  package var elements: [JSONValue] {
    switch self {
    case .array(let values): values
    case .null: []
    case .bool, .number, .string, .object: [self]
    }
  }
}

package struct JSONMember: Hashable, Sendable {
  package let name: String
  package let value: JSONValue
}
