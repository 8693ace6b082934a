/// A word as bash hands it to completion: raw, with its quotes and backslashes, never expanded.
package struct BashWord {
  enum Quoting: Hashable, Sendable {
    case bare, single, double
    /// Quotes opened in the middle of a word: nothing can be put there safely.
    case mixed
  }

  package private(set) var text = ""
  private(set) var quoting = Quoting.bare
  /// Characters of `text` that bash does not replace: those up to the last unquoted word break.
  private(set) var kept = 0

  package init(_ raw: String, breaks: Set<Character> = []) {
    var rest = raw[...]
    if rest.first == "'" || rest.first == "\"" {
      quoting = rest.removeFirst() == "'" ? .single : .double
    }
    while let character = rest.popFirst() {
      take(character, &rest, breaks)
    }
  }

  private mutating func take(
    _ character: Character,
    _ rest: inout Substring,
    _ breaks: Set<Character>,
  ) {
    switch (quoting, character) {
    case (.single, "'"), (.double, "\""):
      // A second quotation is more than can be understood.
      if !rest.isEmpty { quoting = .mixed }
    case (.bare, "'"), (.bare, "\""): quoting = .mixed
    case (.bare, "\\"):
      if let next = rest.popFirst() { text.append(next) }
    case (.double, "\\"):
      if let next = rest.first, "\"\\$`".contains(next) {
        text.append(rest.removeFirst())
      } else {
        text.append(character)
      }
    default:
      text.append(character)
      if quoting == .bare, breaks.contains(character) { kept = text.count }
    }
  }

  /// Returns the text that bash puts behind the kept characters to make the word `candidate`.
  ///
  /// It holds nothing that means anything to the shell. Nil where the kept characters are not those
  /// of the candidate, or the quotes are mixed.
  package func insertion(_ candidate: String) -> String? {
    guard candidate.prefix(kept).lowercased() == text.prefix(kept).lowercased() else { return nil }
    let rest = candidate.dropFirst(kept)
    switch quoting {
    case .bare: return Self.escaped(rest)
    case .single:
      return rest.split(separator: "'", omittingEmptySubsequences: false)
        .joined(separator: #"'\''"#)
    case .double: return Self.doubleQuoted(rest)
    case .mixed: return nil
    }
  }

  private static func escaped(_ text: Substring) -> String {
    text.unicodeScalars.map { isPlain($0) ? "\($0)" : "\\\($0)" }.joined()
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "_", "-", ".", "/", ":", "@", "%", "+", "=", ",": true
    default: !scalar.isASCII
    }
  }

  /// Escapes for double quotes, between which an exclamation mark has no escape: it is put between
  /// two quotations.
  private static func doubleQuoted(_ text: Substring) -> String {
    text.map { character in
      switch character {
      case "\"", "\\", "$", "`": "\\\(character)"
      case "!": #""\!""#
      default: "\(character)"
      }
    }.joined()
  }
}

extension BashWord {
  /// Returns the words of a line, rejoined where bash splits them at `:`, `=` and `@`.
  package static func joined(_ words: [String], breaks: Set<Character>) -> [String] {
    var result: [String] = []
    var isOpen = false
    for word in words {
      let isBreak = !word.isEmpty && word.allSatisfy(breaks.contains)
      if isOpen || isBreak, !result.isEmpty {
        result[result.count - 1] += word
      } else {
        result.append(word)
      }
      isOpen = isBreak
    }
    return result
  }
}
