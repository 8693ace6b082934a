internal import CPCRE2
import CommandLine
import FeedStorage

/// What `--grep` looks for, in titles and summaries: all of it must occur.
struct TextPattern: Hashable, Sendable {
  private(set) var words: [FoldedWord] = []
  private(set) var expressions: [TextExpression] = []

  var isEmpty: Bool { words.isEmpty && expressions.isEmpty }

  /// Adds what was typed.
  ///
  /// Words are separated by white space; quotation marks around several make one of them. What
  /// stands between slashes is a regular expression.
  mutating func add(_ text: String) throws(WordFault) {
    if text.utf8.count > 2, text.hasPrefix("/"), text.hasSuffix("/") {
      expressions.append(try TextExpression(String(text.dropFirst().dropLast())))
      return
    }
    words += Self.words(text).compactMap { word in
      // White space as stored texts have it.
      FoldedWord(word.split(whereSeparator: \.isWhitespace).joined(separator: " "))
    }
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

/// A regular expression as PCRE2 reads them, for folded texts: case and diacritics do not count.
///
/// `@unchecked`: compiled code is never written to again (pcre2(3), "MULTITHREADING").
final class TextExpression: Hashable, @unchecked Sendable {
  let source: String
  private let code: UnsafeMutableRawPointer

  init(_ source: String) throws(WordFault) {
    if let reason = cpcre2_load() {
      let reason = String(cString: reason)
      throw WordFault(reason: "PCRE2 is not installed, and expressions need it: \(reason)")
    }
    let pattern = Array(Self.folded(source).utf8)
    var message = [CChar](repeating: 0, count: 128)
    guard let code = cpcre2_compile(pattern, pattern.count, &message) else {
      let words = message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      throw WordFault(reason: String(decoding: words, as: UTF8.self))
    }
    self.source = source
    self.code = code
  }

  deinit {
    cpcre2_free(code)
  }

  /// The letters of an expression as the texts have them; what a backslash gives a meaning stays.
  private static func folded(_ source: String) -> String {
    var folded = String.UnicodeScalarView()
    var isEscaped = false
    for scalar in source.unicodeScalars {
      if isEscaped || scalar == "\\" {
        folded.append(scalar)
        isEscaped.toggle()
      } else {
        TextFolding.fold(scalar.value) { Unicode.Scalar($0).map { folded.append($0) } }
      }
    }
    return String(folded)
  }

  static func == (one: TextExpression, other: TextExpression) -> Bool {
    one.source.unicodeScalars.elementsEqual(other.source.unicodeScalars)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(source)
  }

  final class Matcher {
    private let expression: TextExpression
    private let memory: UnsafeMutableRawPointer?

    init(_ expression: TextExpression) {
      self.expression = expression
      memory = cpcre2_match_data()
    }

    deinit {
      if let memory { cpcre2_free_match_data(memory) }
    }

    /// Whether the expression matches within one of the texts, each followed by `FoldedText.end`.
    func matches(_ texts: UnsafeBufferPointer<UInt8>) throws(StorageError) -> Bool {
      guard let memory else { throw .refused("--grep: there is no memory for an expression") }
      var start = 0
      while let base = texts.baseAddress, let end = texts[start...].firstIndex(of: FoldedText.end) {
        switch Int(cpcre2_match(expression.code, base + start, end - start, memory)) {
        case CPCRE2_MATCH: return true
        case CPCRE2_NO_MATCH: start = end + 1
        default:
          throw .refused(
            "--grep: this expression goes back and forth in a text more than 1000000 times;"
              + " say it more simply"
          )
        }
      }
      return false
    }
  }
}
