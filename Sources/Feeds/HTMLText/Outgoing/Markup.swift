internal import HTMLParsing

/// HTML or XML, in which literals are markup and every other text is escaped.
///
/// So no text from outside can become markup. It must be safe text already (`SafeText`), which
/// holds nothing that XML forbids.
package struct Markup: ExpressibleByStringInterpolation, StringInterpolationProtocol, Hashable,
  Sendable
{
  package private(set) var bytes: [UInt8] = []

  package var isEmpty: Bool { bytes.isEmpty }

  package init() {}

  package init(stringLiteral text: String) { bytes = Array(text.utf8) }

  package init(stringInterpolation markup: Markup) { self = markup }

  package init(literalCapacity: Int, interpolationCount: Int) {
    bytes.reserveCapacity(literalCapacity)
  }

  package mutating func appendLiteral(_ text: String) { bytes += text.utf8 }

  package mutating func appendInterpolation(_ text: String) {
    var text = text
    text.withUTF8 { MarkupEscape.append($0, to: &bytes) }
  }

  package mutating func appendInterpolation(_ number: Int) { bytes += String(number).utf8 }

  package mutating func appendInterpolation(_ markup: Markup) { bytes += markup.bytes }

  /// Appends markup as the text of an element: HTML in a feed.
  package mutating func appendInterpolation(asText markup: Markup) {
    markup.bytes.withUnsafeBufferPointer { MarkupEscape.append($0, to: &bytes) }
  }

  package static func += (markup: inout Markup, other: Markup) { markup.bytes += other.bytes }
}

extension [Markup] {
  package func joined(_ separator: Markup = "") -> Markup {
    var all = Markup()
    for (index, markup) in enumerated() {
      if index > 0 { all += separator }
      all += markup
    }
    return all
  }
}
