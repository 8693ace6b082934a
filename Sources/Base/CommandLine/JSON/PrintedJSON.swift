package import System

/// A JSON value whose objects keep the order of their keys.
package enum PrintedJSON: Sendable {
  case null
  case string(String)
  case integer(Int)
  case seconds(Double)
  case boolean(Bool)
  case array([PrintedJSON])
  case object([(key: String, value: PrintedJSON)])

  /// Returns null for an absent or empty string.
  package static func text(_ string: String?) -> PrintedJSON {
    guard let string, !string.isEmpty else { return .null }
    return .string(string)
  }

  package static func number(_ value: Int?) -> PrintedJSON {
    value.map(PrintedJSON.integer) ?? .null
  }

  /// Returns `YYYY-MM-DDTHH:MM:SSZ`, or null.
  package static func date(_ date: Date?) -> PrintedJSON {
    text(date.map(RFC3339.string))
  }

  package static func strings(_ values: [String]) -> PrintedJSON {
    .array(values.map(PrintedJSON.string))
  }

  package var description: String {
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
    case .array(let values):
      Self.append(values, between: ("[", "]"), to: &text) { $0.append(to: &$1) }
    case .object(let members):
      Self.append(members, between: ("{", "}"), to: &text) { member, text in
        JSONString.append(member.key, to: &text)
        text += ":"
        member.value.append(to: &text)
      }
    }
  }

  private static func append<Part>(
    _ parts: [Part],
    between brackets: (String, String),
    to text: inout String,
    _ append: (Part, inout String) -> Void,
  ) {
    text += brackets.0
    for (index, part) in parts.enumerated() {
      if index > 0 { text += "," }
      append(part, &text)
    }
    text += brackets.1
  }
}

/// Strings in JSON (RFC 8259 §7).
///
/// More is escaped than JSON asks: whatever could change a terminal or hide in it. The output goes
/// through `less -R` and into logs, and an escape loses nothing.
package enum JSONString {
  static func append(_ string: String, to text: inout String) {
    text += "\""
    if isPlain(string) {
      text += string
    } else {
      appendEscaping(string.unicodeScalars[...], to: &text)
    }
    text += "\""
  }

  private static func isPlain(_ string: String) -> Bool {
    string.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7f && $0 != 0x22 && $0 != 0x5c }
  }

  private static func appendEscaping(
    _ scalars: Substring.UnicodeScalarView,
    to text: inout String,
  ) {
    var rest = scalars
    while let index = rest.firstIndex(where: mustEscape) {
      if index > rest.startIndex { text += Substring(rest[..<index]) }
      text += escaped(rest[index])
      rest = rest[rest.index(after: index)...]
    }
    text += Substring(rest)
  }

  private static func mustEscape(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x22, 0x5c, 0x7f...0x9f: true
    default: SafeText.isHidden(scalar)
    }
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\"": "\\\""
    case "\\": "\\\\"
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    default: String(scalar).utf16.map(escaped).joined()
    }
  }

  private static func escaped(_ unit: UInt16) -> String {
    "\\u" + unit.padded(to: 4, radix: 16)
  }
}

/// Prints an array one element a line as it comes, so that it is never held whole.
package struct JSONArrayPrinter {
  private let output: TextOutput
  private var isEmpty = true

  package init(_ output: TextOutput) {
    self.output = output
  }

  package mutating func print(_ value: PrintedJSON) {
    output.print((isEmpty ? "[\n" : ",\n") + value.description)
    isEmpty = false
  }

  package func finish() {
    output.printLine(isEmpty ? "[]" : "\n]")
  }
}
