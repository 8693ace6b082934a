/// What `--grep` looks for, in titles and summaries.
enum TextPattern: Hashable, Sendable {
  /// Texts that must all occur.
  case words([FoldedWord])
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
      FoldedWord(word.split(whereSeparator: \.isWhitespace).joined(separator: " "))
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
struct FoldedWord: Hashable, Sendable {
  private let bytes: [UInt8]

  init?(_ text: String) {
    var folded = FoldedText()
    folded.append(text)
    bytes = Array(folded.bytes.dropLast())
    if bytes.isEmpty { return nil }
  }

  func occurs(in text: UnsafeBufferPointer<UInt8>) -> Bool {
    var rest = UnsafeRawBufferPointer(text)
    while rest.count >= bytes.count, let base = rest.baseAddress,
      let found = memchr(base, Int32(bytes[0]), rest.count - bytes.count + 1)
    {
      if memcmp(found, bytes, bytes.count) == 0 { return true }
      rest = UnsafeRawBufferPointer(rebasing: rest[(UnsafeRawPointer(found) - base + 1)...])
    }
    return false
  }
}
