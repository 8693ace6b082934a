internal import CommandLine
internal import System

extension SearchParser {
  mutating func term() throws -> Condition<SearchTerm> {
    try countTerm()
    if let field = try field() {
      return character() == "(" ? try group(of: field) : .term(try term(of: field))
    }
    if let groupField { return .term(try term(of: groupField)) }
    let start = index
    switch try searchText() {
    case .words(let text) where index - start == 5 && text.lowercased() == "today":
      return .term(.today)
    case .words(let text): return word(text)
    case let expression: return .term(.text(.anywhere, expression))
    }
  }

  /// Returns a condition that holds of everything where the text is nothing but marks.
  func word(_ text: String) -> Condition<SearchTerm> {
    FoldedWord(text) == nil ? .always : .term(.text(.anywhere, .words(text)))
  }

  // MARK: Texts

  private mutating func searchText() throws -> SearchText {
    if character() == "\"" {
      guard let phrase = quoted() else { throw fault("this quotation mark is not closed") }
      return .words(phrase)
    }
    if character() == "/", let end = endOfExpression { return try expression(until: end) }
    return .words(try bareWord())
  }

  /// Reads what stands between quotation marks; two quotation marks in it are one.
  ///
  /// Each white space becomes a blank, as stored texts have it.
  mutating func quoted() -> String? {
    guard character() == "\"" else { return nil }
    var phrase: [Character] = []
    var end = index + 1
    while end < characters.count {
      if characters[end] == "\"" {
        guard end + 1 < characters.count, characters[end + 1] == "\"" else {
          index = end + 1
          let words = phrase.split(whereSeparator: \.isWhitespace)
          return words.map { String($0) }.joined(separator: " ")
        }
        end += 1
      }
      phrase.append(characters[end])
      end += 1
    }
    return nil
  }

  mutating func upToBlank() -> String {
    let start = index
    while let sign = character(), !sign.isWhitespace { index += 1 }
    return text(start..<index)
  }

  /// Reads up to white space, or to the end of the parentheses around the word; its own are part of
  /// it.
  private mutating func bareWord() throws -> String {
    let start = index
    var open = 0
    while let sign = character(), !sign.isWhitespace {
      if sign == ")", open == 0 {
        guard isInGroup else {
          throw fault("this ) closes nothing; a word with it goes in quotation marks")
        }
        break
      }
      open += sign == "(" ? 1 : sign == ")" ? -1 : 0
      index += 1
    }
    return text(start..<index)
  }

  // MARK: Expressions

  mutating func expression(until end: Int) throws -> SearchText {
    try countExpression()
    let source = text(index + 1..<end)
    do {
      let expression = try TextExpression(Self.withPlainSlashes(source))
      index = end + 1
      return .expression(expression)
    } catch {
      let quoted = Spelling.quoted("/\(source)/")
      throw fault("\(quoted) is not a regular expression: \(error.line)")
    }
  }

  /// Removes the backslashes that keep a slash from ending the expression.
  private static func withPlainSlashes(_ source: String) -> String {
    var text = ""
    var isEscaped = false
    for sign in source {
      if isEscaped, sign != "/" { text.append("\\") }
      isEscaped = !isEscaped && sign == "\\"
      if !isEscaped { text.append(sign) }
    }
    return isEscaped ? text + "\\" : text
  }

  /// The index of the slash before white space, the end, or the end of the parentheses; nil where
  /// there is none.
  private var endOfExpression: Int? {
    var offset = index + 1
    while offset < characters.count {
      if characters[offset] == "\\" {
        offset += 1
      } else if characters[offset] == "/", offset > index + 1, isEnd(offset + 1) {
        return offset
      }
      offset += 1
    }
    return nil
  }

  private func isEnd(_ offset: Int) -> Bool {
    guard offset < characters.count else { return true }
    return characters[offset].isWhitespace || isInGroup && characters[offset] == ")"
  }

  /// True if a slash begins and ends the whole search, and no slash between ends one expression
  /// before another begins.
  var isOneExpression: Bool {
    guard characters.count > 2, characters.first == "/", characters.last == "/" else {
      return false
    }
    let end = characters.indices.dropFirst(2).first { offset in
      characters[offset] == "/" && isBlank(offset + 1) && !isBlank(offset - 1)
        && characters[offset - 1] != "\\"
    }
    guard let end else { return true }
    return !characters.indices.dropFirst(end + 2).dropLast().contains { offset in
      let before = characters[offset - 1]
      return characters[offset] == "/" && (before.isWhitespace || "-(:".contains(before))
        && !isBlank(offset + 1)
    }
  }

  private func isBlank(_ offset: Int) -> Bool {
    offset < characters.count && characters[offset].isWhitespace
  }

  // MARK: Fields

  /// Reads the name of a field and its colon; nil for a word, which may have a colon in it.
  ///
  /// `c++:`, `12:30`, `std::map`, `note:` and `https://…` are words.
  private mutating func field() throws -> SearchField? {
    let letters = characters[index...].prefix { $0.isASCII && $0.isLetter }
    let name = String(letters).lowercased()
    guard !letters.isEmpty, character(letters.count) == ":" else { return nil }
    let value = index + letters.count + 1
    let next = value < characters.count ? characters[value] : " "
    let isURL = next == "/" && value + 1 < characters.count && characters[value + 1] == "/"
    guard !isURL, next != ":" else { return nil }
    let isBare = next.isWhitespace || isInGroup && next == ")"
    // A lone `note:` was a word before there were notes, and saved searches may have it.
    guard let field = SearchField(rawValue: name), field != .note || !isBare else {
      if isBare { return nil }
      throw noField(name)
    }
    index = value
    return field
  }

  private func noField(_ name: String) -> SearchFault {
    let names = SearchField.allCases.map(\.rawValue)
    let near = Spelling.nearest(to: name, among: names)
    let fields = near.map { "there is \($0):" } ?? "the fields are \(names.joined(separator: ", "))"
    return fault("no field \(name):; \(fields) (a word with a colon goes in quotation marks)")
  }

  private mutating func term(of field: SearchField) throws -> SearchTerm {
    let start = index
    let isValue = character().map { !$0.isWhitespace && $0 != "(" && $0 != ")" } ?? false
    guard isValue else { throw fault("\(field.rawValue): needs a value right behind the colon") }
    let isOfTexts = SearchPlace(rawValue: field.rawValue) != nil
    let value: SearchText
    if isOfTexts || character() == "\"" {
      value = try searchText()
    } else {
      value = .words(try bareWord())
    }
    if let place = SearchPlace(rawValue: field.rawValue) {
      if case .words(let text) = value, FoldedWord(text) == nil {
        throw fault("there is no word to look for", at: start)
      }
      return .text(place, value)
    }
    guard case .words(let word) = value, !word.isEmpty else {
      throw fault("\(field.rawValue): needs a value right behind the colon", at: start)
    }
    let end = index
    let term = try term(of: field, word, at: start)
    if field == .feed || field == .tag { names.append((start..<end, term)) }
    return term
  }

  private func term(of field: SearchField, _ word: String, at start: Int) throws -> SearchTerm {
    switch field {
    case .site: return .site(try host(word, at: start))
    case .feed: return .feed(word)
    case .tag: return .tag(word)
    case .is: return .state(try value(of: field, word, at: start))
    case .has: return .part(try value(of: field, word, at: start))
    case .since: return .since(try time(word, at: start))
    case .before: return .before(try time(word, at: start))
    case .length: return try length(word, at: start)
    case .lang: return .language(try language(word, at: start))
    case .sort: throw fault("sort: is about all that is found: it stands by itself", at: start - 5)
    case .title, .text, .author, .category, .link, .note: return .text(.anywhere, .words(word))
    }
  }

  private func value<Value: RawRepresentable<String> & CaseIterable>(
    of field: SearchField,
    _ word: String,
    at start: Int,
  ) throws -> Value {
    if let value = Value(rawValue: word.lowercased()) { return value }
    let all = Value.allCases.map(\.rawValue)
    let near = Spelling.nearest(to: word.lowercased(), among: all)
    let hint = near.map { "there is \(field.rawValue):\($0)" }
    let rest = "it is one of \(all.joined(separator: ", "))"
    throw fault("no \(field.rawValue):\(Spelling.quoted(word)); \(hint ?? rest)", at: start)
  }

  private func host(_ word: String, at start: Int) throws -> String {
    let url = word.contains("://") ? word : "https://\(word)"
    guard let host = WebURL.host(of: url), !word.hasSuffix(":") else {
      throw fault("\(Spelling.quoted(word)) is no host, such as example.org", at: start)
    }
    return host
  }

  private func time(_ word: String, at start: Int) throws -> String {
    // The form of a time does not depend on the time now.
    let clock = WallClock.system
    if TimeExpression(clock: clock).seconds(word, edge: .start) != nil { return word }
    throw fault(
      "\(Spelling.quoted(word)) is not a time (2026-11-01, tuesday, \"last week\", 3d, 2h)",
      at: start,
    )
  }

  private func length(_ word: String, at start: Int) throws -> SearchTerm {
    let isAbove = word.hasPrefix(">")
    let isIncluded = word.dropFirst().hasPrefix("=")
    let digits = word.dropFirst(isIncluded ? 2 : 1)
    guard isAbove || word.hasPrefix("<"), digits.allSatisfy({ $0.isASCII && $0.isNumber }),
      let number = Int(digits), number < 1 << 40
    else {
      let quoted = Spelling.quoted(word)
      throw fault("\(quoted) is no length in characters, such as >2000 or <500", at: start)
    }
    guard isIncluded else { return .length(isAbove: isAbove, number) }
    return .length(isAbove: isAbove, isAbove ? number - 1 : number + 1)
  }

  private func language(_ word: String, at start: Int) throws -> String {
    let isTag = word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) }
    guard isTag, 2...35 ~= word.count else {
      throw fault("\(Spelling.quoted(word)) is no language, such as de or pt-BR", at: start)
    }
    return word.lowercased().map { $0 == "_" ? "-" : String($0) }.joined()
  }

  // MARK: Order

  /// Reads `sort:KEY` or `-sort:KEY`; nil where none begins here.
  func order() throws -> (sort: SearchSort, end: Int)? {
    var parser = self
    let isReversed = character() == "-"
    if isReversed { parser.index += 1 }
    let name = parser.characters[parser.index...].prefix(5)
    guard String(name).lowercased() == "sort:" else { return nil }
    guard !isInGroup else {
      throw fault("sort: is about all that is found: it stands outside of parentheses")
    }
    parser.index += 5
    let start = parser.index
    let word = parser.upToBlank()
    guard !word.isEmpty else { throw fault("sort: needs a value right behind the colon") }
    let key: SearchSort.Key = try value(of: .sort, word, at: start)
    return (SearchSort(key, isReversed: isReversed), parser.index)
  }
}
