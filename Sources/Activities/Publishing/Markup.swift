internal import HTMLParsing

/// HTML or XML, in which literals are markup and every other text is escaped.
///
/// So no text from outside can become markup. It must be safe text already (`SafeText`), which
/// holds nothing that XML forbids.
struct Markup: ExpressibleByStringInterpolation, StringInterpolationProtocol, Hashable, Sendable {
  private(set) var bytes: [UInt8] = []

  var isEmpty: Bool { bytes.isEmpty }

  init() {}

  init(stringLiteral text: String) { bytes = Array(text.utf8) }

  init(stringInterpolation markup: Markup) { self = markup }

  init(literalCapacity: Int, interpolationCount: Int) { bytes.reserveCapacity(literalCapacity) }

  mutating func appendLiteral(_ text: String) { bytes += text.utf8 }

  mutating func appendInterpolation(_ text: String) {
    var text = text
    text.withUTF8 { MarkupEscape.append($0, to: &bytes) }
  }

  mutating func appendInterpolation(_ number: Int) { bytes += String(number).utf8 }

  mutating func appendInterpolation(_ markup: Markup) { bytes += markup.bytes }

  /// Appends markup as the text of an element: HTML in a feed.
  mutating func appendInterpolation(asText markup: Markup) {
    markup.bytes.withUnsafeBufferPointer { MarkupEscape.append($0, to: &bytes) }
  }

  static func += (markup: inout Markup, other: Markup) { markup.bytes += other.bytes }
}

extension [Markup] {
  func joined(_ separator: Markup = "") -> Markup {
    var all = Markup()
    for (index, markup) in enumerated() {
      if index > 0 { all += separator }
      all += markup
    }
    return all
  }
}
