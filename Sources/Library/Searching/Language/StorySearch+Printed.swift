extension StorySearch {
  /// The search in the language: reading it returns an equal search.
  package var text: String {
    var words = condition == .always ? "" : condition.text(.either)
    // Without parentheses the first slash and the last would make one expression of it.
    if condition.terms.count > 1, SearchParser(words).isOneExpression { words = "(\(words))" }
    guard let sort else { return words }
    let order = (sort.isReversed ? "-" : "") + "sort:\(sort.key.rawValue)"
    return words.isEmpty ? order : "\(words) \(order)"
  }
}

extension StorySearch {
  /// Replaces the values of `feed:` and `tag:` for which `name` gives others, and keeps the text else
  /// as it was typed.
  package static func text(_ typed: String, naming name: (SearchTerm) -> String?) throws -> String {
    var parser = SearchParser(typed)
    _ = try parser.search()
    var characters = parser.characters
    for named in parser.names.reversed() {
      guard let name = name(named.term) else { continue }
      characters.replaceSubrange(named.range, with: SearchText.quoted(name))
    }
    return String(characters)
  }
}

private enum Surroundings {
  case either, joined, negated
}

extension Condition<SearchTerm> {
  fileprivate func text(_ surroundings: Surroundings) -> String {
    switch self {
    case .all(let parts) where parts.isEmpty: return "\"\""
    case .all(let parts):
      let text = parts.map { $0.text(.joined) }.joined(separator: " ")
      return surroundings == .negated ? "(\(text))" : text
    case .any(let parts):
      let text = parts.map { $0.text(.either) }.joined(separator: " or ")
      return surroundings == .either ? text : "(\(text))"
    case .not(let inner): return "-\(inner.text(.negated))"
    case .term(let term): return term.text
    }
  }
}

extension SearchTerm {
  package var text: String {
    switch self {
    case .text(.anywhere, let text): text.text(isAlone: true)
    case .text(let place, let text): "\(place.rawValue):\(text.text(isAlone: false))"
    case .site(let host): "site:\(host)"
    case .feed(let word): "feed:\(SearchText.quoted(word))"
    case .tag(let word): "tag:\(SearchText.quoted(word))"
    case .state(let state): "is:\(state.rawValue)"
    case .part(let part): "has:\(part.rawValue)"
    case .since(let time): "since:\(SearchText.quoted(time))"
    case .before(let time): "before:\(SearchText.quoted(time))"
    case .today: "today"
    case .length(let isAbove, let number): "length:\(isAbove ? ">" : "<")\(number)"
    case .language(let tag): "lang:\(tag)"
    }
  }
}

extension SearchText {
  fileprivate func text(isAlone: Bool) -> String {
    switch self {
    case .expression(let expression): return "/\(Self.withEscapedSlashes(expression.source))/"
    case .words(let words):
      // A word that is not read again as the same word is quoted.
      let isPlain = isAlone ? Self.isBare(words) : Self.isValue(words)
      return isPlain ? words : Self.inQuotationMarks(words)
    }
  }

  fileprivate static func quoted(_ word: String) -> String {
    isValue(word) ? word : inQuotationMarks(word)
  }

  private static func inQuotationMarks(_ words: String) -> String {
    "\"" + words.unicodeScalars.map { $0 == "\"" ? "\"\"" : String($0) }.joined() + "\""
  }

  private static func isBare(_ word: String) -> Bool {
    // A minus behind that of a *not* would make both part of a word.
    isValue(word) && !word.hasPrefix("-")
      && (try? StorySearch(word))?.condition == .term(.text(.anywhere, .words(word)))
  }

  private static func isValue(_ word: String) -> Bool {
    guard let first = word.unicodeScalars.first, first != "/", first != ":" else { return false }
    return !word.unicodeScalars.contains { sign in
      sign.properties.isWhitespace || ["\"", "(", ")"].contains(sign)
    }
  }

  private static func withEscapedSlashes(_ source: String) -> String {
    var text = ""
    var isEscaped = false
    for sign in source {
      if sign == "/", !isEscaped { text.append("\\") }
      isEscaped = !isEscaped && sign == "\\"
      text.append(sign)
    }
    return text
  }
}
