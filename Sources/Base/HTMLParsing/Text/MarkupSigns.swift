internal import System

/// Plain text for programs that may take it for HTML.
package enum MarkupSigns {
  /// Returns the text with `<` and `&` as wide signs where HTML would read a tag or a reference, so
  /// that it shows the same either way.
  ///
  /// The signs are those of FreshRSS, which its apps are used to.
  package static func text(_ text: String) -> String {
    var text = text
    let isRead = text.withUTF8 { hasTag($0) || hasReference($0) }
    // By scalars: a `<` behind a letter such as U+0D4E is one character with it.
    guard isRead else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.map { signs[$0] ?? $0 }))
  }

  private static let signs: [Unicode.Scalar: Unicode.Scalar] = ["<": "＜", ">": "＞", "&": "＆"]

  /// Looks for the beginning of a tag or a comment (HTML §13.2.5.6).
  private static func hasTag(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    text.indices.dropLast().contains { index in
      let next = text[index + 1]
      return text[index] == UInt8(ascii: "<") && (next.isASCIILetter || "/!?".utf8.contains(next))
    }
  }

  private static func hasReference(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    let bytes = UnsafeRawBufferPointer(text)
    return bytes.indices.contains { index in
      bytes[index] == UInt8(ascii: "&") && HTMLReference.read(bytes, at: index) != nil
    }
  }
}
