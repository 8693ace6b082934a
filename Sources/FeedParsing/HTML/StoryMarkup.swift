package import FeedModel
internal import System

/// HTML as libxml2 is to get it: valid UTF-8 without what is of no use and costs it most.
package enum StoryMarkup {
  /// The bytes without control characters, comments, `wbr` (which libxml2 takes for an element
  /// with content) and the contents of long `data:` URLs.
  package static func tidy(_ bytes: [UInt8]) -> [UInt8] {
    var valid = bytes
    if !isValid(bytes) { valid = Array(String(decoding: bytes, as: UTF8.self).utf8) }
    var result: [UInt8] = []
    result.reserveCapacity(valid.count)
    valid.withUnsafeBytes { input in
      // Beyond it a comment has no end: not one is to be searched for twice.
      let last = input.indices.last { isCommentEnd(input, at: $0) } ?? 0
      var index = 0
      while index < input.count {
        switch input[index] {
        case less:
          if let end = endOfNothing(input, at: index, lastCommentEnd: last) {
            index = end
            continue
          }
        case UInt8(ascii: "d"):
          if let end = endOfData(input, at: index) {
            result += Array("data:".utf8)
            index = end
            continue
          }
        default: break
        }
        result.append(isControl(input[index]) ? space : input[index])
        index += 1
      }
    }
    return result
  }

  /// The lines of plain text, and of several without a tag that RSS or `media:description` says are
  /// HTML; nil for others.
  package static func bareLines(_ text: StoryText) -> [String]? {
    if text.isHTML, !text.bytes.contains(UInt8(ascii: "\n")) || hasTag(text.bytes) { return nil }
    let lines = text.string.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    return lines.map { line in
      text.isHTML ? PlainText.fromHTML(String(line)) : SafeText.line(String(line))
    }
  }

  private static func hasTag(_ bytes: [UInt8]) -> Bool {
    bytes.indices.dropLast().contains { index in
      bytes[index] == less
        && (bytes[index + 1].isASCIILetter || "/!?".utf8.contains(bytes[index + 1]))
    }
  }

  private static let less = UInt8(ascii: "<")
  private static let greater = UInt8(ascii: ">")
  private static let hyphen = UInt8(ascii: "-")
  private static let space = UInt8(ascii: " ")
  private static let maximumData = 1024

  private static func isValid(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBufferPointer { String(validating: $0, as: UTF8.self) != nil }
  }

  private static func isControl(_ byte: UInt8) -> Bool {
    byte < 0x20 && byte != 0x09 && byte != 0x0A && byte != 0x0D || byte == 0x7F
  }

  /// Where a comment or a `wbr` ends that begins here.
  private static func endOfNothing(
    _ input: UnsafeRawBufferPointer,
    at start: Int,
    lastCommentEnd: Int,
  ) -> Int? {
    if start < lastCommentEnd, input[start...].starts(with: "<!--".utf8) {
      var index = start + 4
      // `<!-->` is a whole comment.
      while index < input.count, !isCommentEnd(input, at: index) { index += 1 }
      return min(index + 1, input.count)
    }
    guard start + 5 <= input.count, input[start + 1] | 0x20 == UInt8(ascii: "w"),
      input[start + 2] | 0x20 == UInt8(ascii: "b"), input[start + 3] | 0x20 == UInt8(ascii: "r")
    else { return nil }
    return input[(start + 4)...].prefix(3).firstIndex(of: greater).map { $0 + 1 }
  }

  private static func isCommentEnd(_ input: UnsafeRawBufferPointer, at index: Int) -> Bool {
    input[index] == greater && index >= 2 && input[index - 1] == hyphen
      && input[index - 2] == hyphen
  }

  /// Where a `data:` URL ends that is too long to be of use.
  private static func endOfData(_ input: UnsafeRawBufferPointer, at index: Int) -> Int? {
    guard input[index...].starts(with: "data:".utf8) else { return nil }
    var end = index + 5
    while end < input.count, isURLByte(input[end]) { end += 1 }
    return end - index > maximumData ? end : nil
  }

  private static func isURLByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0...0x20, 0x22, 0x27, 0x3C, 0x3E, 0x7F...: false
    default: true
    }
  }
}
