package import System

/// A line on its way to the output: fields, uncut, separated by tabs.
///
/// `SafeText` makes spaces of tabs and line breaks in them.
package struct FieldLine {
  /// Styles a clean text, given the index of its field.
  package typealias Styling = (_ index: Int, _ text: String) -> String

  var bytes: [UInt8] = []
  private let styling: Styling?
  private var count = 0

  init(_ styling: Styling?) { self.styling = styling }

  package mutating func append(_ field: String) {
    begin()
    if let styling {
      bytes.append(contentsOf: styling(count - 1, SafeText.line(field)).utf8)
    } else {
      SafeText.append(line: field, to: &bytes)
    }
  }

  /// Appends a number; an empty field for none.
  package mutating func append(_ number: Int?) { append(number.map(String.init) ?? "") }

  /// Appends a date in UTC (RFC 3339); an empty field for none.
  package mutating func append(_ date: Date?) {
    guard styling == nil, let date else { return append(date.map(RFC3339.string) ?? "") }
    begin()
    RFC3339.withUTF8(of: date) { bytes.append(contentsOf: $0) }
  }

  private mutating func begin() {
    if count > 0 { bytes.append(0x09) }
    count += 1
  }
}
