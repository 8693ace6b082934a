extension MarkupRepair {
  mutating func readContent() throws(FeedParsingError) {
    position = ByteScan.first(of: (0x3C, 0x26, 0x5D), in: bytes, from: position)
    guard position < bytes.count else { return }
    switch bytes[position] {
    case UInt8(ascii: "<"): try readTag()
    case UInt8(ascii: "&"): readReference()
    default:
      // Forbidden in text (XML 1.0 §2.4).
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
    if case .legal(_, let length) = reference {
      position += length
      return
    }
    drop(to: position)
    position += write(reference)
    run = position
  }

  mutating func write(_ reference: MarkupReference) -> Int {
    switch reference {
    case .legal(let point, let length):
      write(escaped: point)
      return length
    case .bare(let finding):
      findings.add(finding)
      write(escaped: UInt32(UInt8(ascii: "&")))
      return 1
    case .character(let point, let length, let finding):
      findings.add(finding)
      write(escaped: point)
      return length
    case .html(let reference, let length):
      findings.add(.undeclaredEntity)
      write(escaped: reference.first)
      if reference.second > 0 { write(escaped: reference.second) }
      return length
    case .declared(let text, let length):
      entities.countExpansion(of: text)
      for byte in text { write(escaped: byte) }
      return length
    case .forbidden(let length):
      findings.add(.illegalReference)
      return length
    }
  }

  private mutating func write(escaped point: UInt32) {
    if point < 0x80 { write(escaped: UInt8(point)) } else { output.append(codePoint: point) }
  }

  private mutating func write(escaped byte: UInt8) {
    switch byte {
    case UInt8(ascii: "<"): output.append(contentsOf: "&lt;".utf8)
    case UInt8(ascii: "&"): output.append(contentsOf: "&amp;".utf8)
    case UInt8(ascii: ">"): output.append(contentsOf: "&gt;".utf8)
    case UInt8(ascii: "\""): output.append(contentsOf: "&quot;".utf8)
    default: output.append(byte)
    }
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

  /// A section as it stands; of one that breaks off, what is there.
  mutating func readCDATA() {
    replace(to: position + 9, with: "<![CDATA[")
    position = ByteScan.first("]]>", in: bytes, from: position).map { $0 + 3 } ?? bytes.count
  }
}
