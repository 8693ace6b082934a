/// A web address in a text.
package struct TextLink: Hashable, Sendable {
  /// The address, safe to print and to open.
  package let url: String
  /// The address as it stands in the text.
  package let text: Substring
  package let before: Substring
  package let after: Substring

  /// Finds the first address that is safe.
  package init?(in text: Substring) {
    var start = text.startIndex
    while let begin = Self.beginning(in: text[start...]) {
      let address = Self.address(at: text[begin...])
      if let url = Self.url(of: address) {
        (self.url, self.text) = (url, address)
        (before, after) = (text[..<begin], text[address.endIndex...])
        return
      }
      start = address.endIndex
    }
    return nil
  }

  private static func beginning(in text: Substring) -> Substring.Index? {
    text.utf8.indices.first { index in
      text.utf8[index] == UInt8(ascii: "h")
        && (text[index...].hasPrefix("https://") || text[index...].hasPrefix("http://"))
    }
  }

  /// Returns the address with which a text begins, without the punctuation behind it: a closing
  /// bracket whose opening one stands before the address is such ("(see https://example.com/)").
  private static func address(at text: Substring) -> Substring {
    var address = text.prefix(while: isPart)
    var unopened: [Character: Int] = [:]
    for (opening, closing) in [("(", ")"), ("[", "]"), ("{", "}")] as [(Character, Character)] {
      unopened[closing] = address.count { $0 == closing } - address.count { $0 == opening }
    }
    while let last = address.last, ".,;:!?'".contains(last) || unopened[last, default: 0] > 0 {
      unopened[last]? -= 1
      address.removeLast()
    }
    return address
  }

  private static func url(of address: Substring) -> String? {
    let isASCII = address.utf8.allSatisfy { $0 < 0x80 }
    let url = isASCII ? String(address) : WebURL.resolve(String(address), against: nil)
    return url.flatMap { SafeLink.isSafe($0) ? $0 : nil }
  }

  /// Returns true for a sign of an address; letters of scripts without blanks between words (Thai
  /// U+0E00, and the Chinese ones above it) belong to the text behind it.
  private static func isPart(_ sign: Character) -> Bool {
    guard sign.isASCII else { return sign.isLetter && sign < "\u{E00}" }
    return !sign.isWhitespace && !"<>\"`".contains(sign)
  }

  /// Returns a text whose addresses have no trackers.
  package static func withoutTracking(in text: String) -> String {
    guard mayHaveQuery(text) else { return text }
    var (clean, rest) = ("", text[...])
    while let link = TextLink(in: rest) {
      let url = WebURL.withoutTracking(link.url)
      clean += link.before + (url == link.url ? link.text : url[...])
      rest = link.after
    }
    return clean + rest
  }

  /// Returns false for most texts: they have no address.
  private static func mayHaveQuery(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { utf8 in
      let bytes = UnsafeRawBufferPointer(utf8)
      return ByteScan.first("://", in: bytes, from: 0) != nil
        && ByteScan.first(of: (0x3F, 0x23, 0x23), in: bytes, from: 0) < bytes.count
    }
  }
}
