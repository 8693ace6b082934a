extension StorySearch {
  /// Reads a search.
  ///
  /// Words, "phrases" and /expressions/ are joined by *and*, which binds closer than `or`; `not`
  /// and `-` are about what follows them. A text between two slashes is one expression, blanks in
  /// it or not.
  package init(_ text: String) throws {
    var parser = SearchParser(text)
    self = try parser.search()
  }
}

struct SearchParser {
  /// The search's scalars, one each: a mark behind a blank or a quotation mark must not hide it.
  let characters: [Character]
  var index = 0
  private var depth = 0
  private var parentheses = 0
  private var termCount = 0
  private var expressionCount = 0
  /// The field that stands before the parentheses around this place.
  private(set) var groupField: SearchField?
  private var sort: SearchSort?
  /// The values of `feed:` and `tag:`, as they stand in the text.
  var names: [(range: Range<Int>, term: SearchTerm)] = []

  private static let maximumDepth = 64
  /// The limits of one search: 3,000 costly expressions took 8 s.
  static let (maximumTerms, maximumExpressions, maximumCharacters) = (2_000, 200, 65_536)

  init(_ text: String) {
    characters = text.unicodeScalars.map { Character($0) }
  }

  mutating func search() throws -> StorySearch {
    try checkLength()
    var search = StorySearch()
    if isOneExpression {
      search.condition = .term(.text(.anywhere, try expression(until: characters.count - 1)))
      return search
    }
    skipBlanks()
    guard !isAtEnd else { return search }
    search.condition = try either()
    search.sort = sort
    return search
  }

  // MARK: Limits

  private func checkLength() throws {
    guard characters.count <= Self.maximumCharacters else {
      throw fault("a search has at most \(Self.maximumCharacters) characters", at: 0)
    }
  }

  mutating func countTerm() throws {
    termCount += 1
    guard termCount <= Self.maximumTerms else {
      throw fault("a search has at most \(Self.maximumTerms) words, phrases and fields")
    }
  }

  mutating func countExpression() throws {
    expressionCount += 1
    guard expressionCount <= Self.maximumExpressions else {
      throw fault("a search has at most \(Self.maximumExpressions) expressions")
    }
  }

  // MARK: Characters

  var isAtEnd: Bool { index == characters.count }

  func character(_ ahead: Int = 0) -> Character? {
    index + ahead < characters.count ? characters[index + ahead] : nil
  }

  mutating func skipBlanks() {
    while character()?.isWhitespace == true { index += 1 }
  }

  func fault(_ reason: String, at offset: Int? = nil) -> SearchFault {
    SearchFault(offset: text(0..<(offset ?? index)).count, reason: reason)
  }

  func text(_ range: Range<Int>) -> String { String(characters[range]) }

  // MARK: Joining

  private mutating func either() throws -> Condition<SearchTerm> {
    var parts = [try joined()]
    while let length = operatorLength("or") {
      index += length
      parts.append(try joined(behind: "or"))
    }
    return .either(parts)
  }

  private mutating func joined(behind word: String? = nil) throws -> Condition<SearchTerm> {
    let start = index - (word?.count ?? 0)
    var parts: [Condition<SearchTerm>] = []
    var last: (word: String, offset: Int)? = word.map { ($0, start) }
    skipBlanks()
    while !isAtEndOfGroup, operatorLength("or") == nil {
      if let length = operatorLength("and") {
        guard last == nil, !parts.isEmpty else { throw lone("and", at: index) }
        last = ("and", index)
        index += length
      } else if let part = try operand() {
        parts.append(part)
        last = nil
      }
      skipBlanks()
    }
    if let last { throw lone(last.word, at: last.offset) }
    if parts.isEmpty, operatorLength("or") != nil { throw lone("or", at: index) }
    return .joined(parts)
  }

  private func lone(_ word: String, at offset: Int) -> SearchFault {
    fault("\(word) needs something on both sides; as a word: \"\(word)\"", at: offset)
  }

  func operatorLength(_ word: String) -> Int? {
    let end = index + word.count
    guard end <= characters.count, text(index..<end).lowercased() == word else { return nil }
    guard let next = character(word.count) else { return word.count }
    return next.isWhitespace || next == "(" || next == ")" && parentheses > 0 ? word.count : nil
  }

  /// Returns nil for `sort:`, which is no condition.
  private mutating func operand() throws -> Condition<SearchTerm>? {
    if let found = try order() {
      guard sort == nil else { throw fault("there is a sort: already") }
      sort = found.sort
      index = found.end
      return nil
    }
    return try negated()
  }

  private mutating func negated() throws -> Condition<SearchTerm> {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.maximumDepth else { throw fault("too much stands in one another") }
    let start = index
    if isMinus {
      index += 1
      return try opposite(at: start)
    }
    if let length = operatorLength("not") {
      index += length
      skipBlanks()
      let isLone = isAtEndOfGroup || operatorLength("or") != nil || operatorLength("and") != nil
      guard !isLone else {
        throw fault("not needs something behind it; as a word: \"not\"", at: start)
      }
      return try opposite(at: start)
    }
    return character() == "(" ? try group() : try term()
  }

  /// True for a minus before something; two of them, or one alone, are a word.
  private var isMinus: Bool {
    guard character() == "-", let next = character(1) else { return false }
    return !next.isWhitespace && next != "-" && !(next == ")" && parentheses > 0)
  }

  private mutating func opposite(at start: Int) throws -> Condition<SearchTerm> {
    let condition = try negated()
    // A word of nothing but marks would hold of everything, and nobody means to leave out
    // everything.
    guard condition != .always else { throw fault("there is no word to leave out", at: start) }
    return condition.opposite
  }

  private mutating func group() throws -> Condition<SearchTerm> {
    let start = index
    index += 1
    parentheses += 1
    skipBlanks()
    guard !isAtEndOfGroup || isAtEnd else {
      throw fault("nothing stands in these parentheses", at: start)
    }
    let condition = try either()
    guard character() == ")" else { throw fault("this ( is not closed", at: start) }
    index += 1
    parentheses -= 1
    return condition
  }

  /// Reads parentheses behind a field; the terms in them are about that field, unless they have
  /// their own.
  mutating func group(of field: SearchField) throws -> Condition<SearchTerm> {
    let outer = groupField
    defer { groupField = outer }
    groupField = field
    return try group()
  }

  private var isAtEndOfGroup: Bool { isAtEnd || parentheses > 0 && character() == ")" }

  var isInGroup: Bool { parentheses > 0 }
}
