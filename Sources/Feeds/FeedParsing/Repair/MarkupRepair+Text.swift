import HTMLParsing
import System

extension MarkupRepair {
  mutating func readContent() throws(FeedParsingError) {
    position = ByteScan.first(of: (0x3C, 0x26, 0x5D), in: bytes, from: position)
    guard position < bytes.count else { return }
    switch bytes[position] {
    case UInt8(ascii: "<"): try readTag()
    case UInt8(ascii: "&"): readReference()
    default:
      // XML 1.0 §2.4 forbids it in text.
      if bytes.hasASCII("]]>", at: position) {
        findings.add(.strayCDATAEnd)
        replace(to: position + 3, with: "]]&gt;")
      } else {
        position += 1
      }
    }
  }

  private mutating func readReference() {
    let reference = MarkupReference.read(bytes, at: position, declared: entities)
    guard !reference.isLegal else {
      position += reference.length
      return
    }
    drop(to: position)
    position += write(reference)
    run = position
  }

  mutating func write(_ reference: MarkupReference) -> Int {
    if let finding = reference.finding { findings.add(finding) }
    if let text = reference.text {
      entities.expandedBytes += text.count
      for byte in text { write(escaped: byte) }
    }
    let characters = reference.characters
    for point in [characters.first, characters.second] where point > 0 {
      if point < 0x80 { write(escaped: UInt8(point)) } else { output.append(codePoint: point) }
    }
    return reference.length
  }

  private mutating func write(escaped byte: UInt8) {
    guard let reference = MarkupEscape.reference(byte) else { return output.append(byte) }
    reference.withUTF8Buffer { output.append(contentsOf: $0) }
  }

  mutating func writeValue(_ range: Range<Int>) {
    let value = slice(0..<range.upperBound)
    var position = range.lowerBound
    while position < value.count {
      let end = ByteScan.first(of: (0x22, 0x3C, 0x26), in: value, from: position)
      output.append(contentsOf: slice(position..<end))
      guard end < value.count else { return }
      position = end + 1
      switch value[end] {
      case UInt8(ascii: "<"):
        findings.add(.bareLessThan)
        write(escaped: value[end])
      case UInt8(ascii: "\""): write(escaped: value[end])
      default:
        let reference = MarkupReference.read(value, at: end, declared: entities)
        position = end + write(reference)
      }
    }
  }

  /// Copies a section as it is, or the rest of one that breaks off.
  mutating func readCDATA() {
    replace(to: position + 9, with: "<![CDATA[")
    position = ByteScan.first("]]>", in: bytes, from: position).map { $0 + 3 } ?? bytes.count
  }
}
