/// A JSON value whose objects keep the order of their keys.
enum JSONValue: Hashable, Sendable {
  case null
  case string(String)
  case integer(Int)
  /// A duration, printed in seconds with three decimals.
  case seconds(Double)
  case boolean(Bool)
  case array([JSONValue])
  case object([JSONMember])

  /// A string, or null when it is absent or empty.
  static func text(_ string: String?) -> JSONValue {
    guard let string, !string.isEmpty else { return .null }
    return .string(string)
  }

  static func number(_ value: Int?) -> JSONValue {
    value.map(JSONValue.integer) ?? .null
  }

  static func strings(_ values: [String]) -> JSONValue {
    .array(values.map(JSONValue.string))
  }

  /// The value on one line.
  var description: String {
    var text = ""
    append(to: &text)
    return text
  }

  private func append(to text: inout String) {
    switch self {
    case .null: text += "null"
    case .string(let value): JSONString.append(value, to: &text)
    case .integer(let value): text += String(value)
    case .seconds(let value): text += Seconds.text(value)
    case .boolean(let value): text += value ? "true" : "false"
    case .array(let values): Self.append(values, to: &text)
    case .object(let members): Self.append(members, to: &text)
    }
  }

  private static func append(_ values: [JSONValue], to text: inout String) {
    text += "["
    for (index, value) in values.enumerated() {
      if index > 0 { text += "," }
      value.append(to: &text)
    }
    text += "]"
  }

  private static func append(_ members: [JSONMember], to text: inout String) {
    text += "{"
    for (index, member) in members.enumerated() {
      if index > 0 { text += "," }
      JSONString.append(member.key, to: &text)
      text += ":"
      member.value.append(to: &text)
    }
    text += "}"
  }
}

/// A key of an object and its value.
struct JSONMember: Hashable, Sendable {
  let key: String
  let value: JSONValue

  init(_ key: String, _ value: JSONValue) {
    self.key = key
    self.value = value
  }
}
