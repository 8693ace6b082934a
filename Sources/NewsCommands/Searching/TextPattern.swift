#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// What `--grep` looks for, in titles and summaries.
enum TextPattern: Hashable, Sendable {
  /// Texts that must all occur.
  case words([SearchWord])
  case expression(TextExpression)

  /// Reads what was typed; nil when it holds nothing to look for.
  ///
  /// Words are separated by white space; quotation marks around several make one of them. What
  /// stands between slashes is a regular expression.
  init?(_ text: String) throws(TextExpression.Failure) {
    if text.utf8.count > 2, text.hasPrefix("/"), text.hasSuffix("/") {
      self = .expression(try TextExpression(String(text.dropFirst().dropLast())))
      return
    }
    let words = Self.words(text).compactMap { word in
      // White space as stored texts have it.
      SearchWord(word.split(whereSeparator: \.isWhitespace).joined(separator: " "))
    }
    guard !words.isEmpty else { return nil }
    self = .words(words)
  }

  private static func words(_ text: String) -> [Substring] {
    var words: [Substring] = []
    var rest = text[...]
    while let start = rest.firstIndex(where: { !$0.isWhitespace }) {
      rest = rest[start...]
      if rest.first == "\"", let end = rest.dropFirst().firstIndex(of: "\"") {
        words.append(rest[rest.index(after: start)..<end])
        rest = rest[rest.index(after: end)...]
      } else {
        let word = rest.prefix { !$0.isWhitespace }
        words.append(word)
        rest = rest[word.endIndex...]
      }
    }
    return words
  }
}

/// A word to look for in folded texts.
struct SearchWord: Hashable, Sendable {
  /// Folded, in UTF-8; not empty.
  let bytes: [UInt8]
  /// The place of the byte that is rarest in texts: it alone is looked for at first.
  private let anchor: Int

  /// nil when nothing is left of the text.
  init?(_ text: String) {
    var folded = FoldedText()
    folded.append(text)
    bytes = Array(folded.bytes.dropLast())
    let frequencies = bytes.map(Self.frequency)
    guard let least = frequencies.min(), let rarest = frequencies.firstIndex(of: least) else {
      return nil
    }
    anchor = rarest
  }

  private static let rareFirst = "zxjqkgbvpywfmculdrhsnioate "

  /// How often a byte occurs in European texts, roughly; anything but a letter counts as rare.
  private static func frequency(_ byte: UInt8) -> Int {
    rareFirst.utf8.enumerated().first { $0.element == byte }?.offset ?? -1
  }

  func occurs(in text: UnsafeBufferPointer<UInt8>) -> Bool {
    // Where the anchor may stand for the word to have room.
    var start = anchor
    let end = text.count - (bytes.count - 1 - anchor)
    while start < end {
      guard let base = text.baseAddress,
        let found = memchr(base + start, Int32(bytes[anchor]), end - start)
      else { return false }
      start = UnsafeRawPointer(found) - UnsafeRawPointer(base)
      if memcmp(base + start - anchor, bytes, bytes.count) == 0 { return true }
      start += 1
    }
    return false
  }
}
