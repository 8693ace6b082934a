import System

package struct NumericReference: Hashable {
  package let value: UInt32
  package let length: Int
  /// True of XML's form, with a small x and a semicolon.
  package let isWellFormed: Bool

  /// Reads `&#123;`, `&#x7B;`, and as HTML does `&#X7B;` and those without a semicolon.
  package static func read(_ bytes: UnsafeRawBufferPointer, at start: Int) -> NumericReference? {
    guard start + 2 < bytes.count, bytes[start] == UInt8(ascii: "&"),
      bytes[start + 1] == UInt8(ascii: "#")
    else { return nil }
    let mark = bytes[start + 2]
    let isHexadecimal = mark | 0x20 == UInt8(ascii: "x")
    let first = start + (isHexadecimal ? 3 : 2)
    var position = first
    var value: UInt32 = 0
    while position < bytes.count, let digit = bytes[position].hexadecimalValue,
      isHexadecimal || digit < 10
    {
      value = min(value * (isHexadecimal ? 16 : 10) + UInt32(digit), 0x11_0000)
      position += 1
    }
    guard position > first else { return nil }
    let isEnded = position < bytes.count && bytes[position] == UInt8(ascii: ";")
    return NumericReference(
      value: value,
      length: position - start + (isEnded ? 1 : 0),
      isWellFormed: isEnded && mark != UInt8(ascii: "X"),
    )
  }
}
