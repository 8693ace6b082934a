/// Parses the words of a command line by a table of options.
///
/// Options may stand before and after operands; `--name=value`, `--name value`, `-n5`, `-n 5`,
/// `-qv` and `--` all work, and `--name=` has an empty value. `--no-name` withdraws an option of the
/// words before, as `--name` does `--no-name`.
package struct ArgumentReader {
  package let options: [CommandOption]
  let command: String?
  /// Options of other programs, or former ones of a command, and the words meant by them:
  /// `--limit` is `-n N`.
  private let synonyms: KeyValuePairs<String, String>

  package init(
    options: [CommandOption],
    command: String?,
    synonyms: KeyValuePairs<String, String> = [:],
  ) {
    (self.options, self.command, self.synonyms) = (options, command, synonyms)
  }

  private struct Cursor {
    var rest: ArraySlice<String>
    var arguments = Arguments()
  }

  package func read(_ words: [String]) throws -> Arguments {
    var cursor = Cursor(rest: words[...])
    while let word = cursor.rest.popFirst() {
      if word == "--" {
        for operand in cursor.rest { cursor.arguments.add(operand: operand) }
        break
      } else if word.hasPrefix("--") {
        try readLong(word.dropFirst(2), &cursor)
      } else if word.hasPrefix("-"), word != "-" {
        try readLetters(word.dropFirst(), &cursor)
      } else {
        cursor.arguments.add(operand: word)
      }
    }
    return cursor.arguments
  }

  private func readLong(_ text: Substring, _ cursor: inout Cursor) throws {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts.first ?? "")
    guard let option = options.first(where: { $0.name == name && !name.isEmpty }) else {
      if parts.count == 1,
        let option = options.first(where: { Self.withdraws(name, $0) })
      {
        return cursor.arguments.withdraw(option)
      }
      throw unknown("--\(name)", among: options.filter { !$0.name.isEmpty }.map(\.spelling))
    }
    if parts.count == 1, option.takesNextTime, let word = cursor.rest.first, Self.isTime(word) {
      try add(option, cursor.rest.removeFirst(), &cursor)
    } else if parts.count == 2 {
      guard option.value != nil || option.optionalValue != nil else {
        throw Failure.usage("\(option.spelling) takes no value", command: command)
      }
      try add(option, String(parts[1]), &cursor)
    } else {
      try add(option, try nextValue(of: option, &cursor), &cursor)
    }
  }

  /// Returns true for `no-unread` and `--unread`, and for `pager` and `--no-pager`.
  private static func withdraws(_ name: String, _ option: CommandOption) -> Bool {
    name == "no-\(option.key)" || !name.isEmpty && option.name == "no-\(name)"
  }

  /// Returns true for `3d` or `2026-12-24`, and not for a name.
  private static func isTime(_ word: String) -> Bool {
    let rest = word.utf8.drop { 0x30...0x39 ~= $0 }
    guard rest.count < word.utf8.count else { return false }
    let isDuration = 1...7 ~= rest.count && rest.allSatisfy { 0x61...0x7A ~= $0 }
    return isDuration
      || rest.first == UInt8(ascii: "-")
        && rest.dropFirst().first.map { 0x30...0x39 ~= $0 } ?? false
  }

  private func readLetters(_ text: Substring, _ cursor: inout Cursor) throws {
    var letters = text
    while let letter = letters.popFirst() {
      guard let option = options.first(where: { $0.letter == letter }) else {
        throw unknown("-\(letter)", among: [])
      }
      if option.value != nil, !letters.isEmpty {
        let value = letters.first == "=" ? letters.dropFirst() : letters
        try add(option, String(value), &cursor)
        return
      }
      try add(option, try nextValue(of: option, &cursor), &cursor)
    }
  }

  private func add(_ option: CommandOption, _ value: String?, _ cursor: inout Cursor) throws {
    if let value, !option.isRepeatable, let other = cursor.arguments.value(option.key) {
      let both = "\(Spelling.quoted(other)) and \(Spelling.quoted(value))"
      throw Failure.usage("\(option.spelling) cannot be repeated: \(both)", command: command)
    }
    cursor.arguments.add(option, value: value)
  }

  private func nextValue(of option: CommandOption, _ cursor: inout Cursor) throws -> String? {
    guard let name = option.value else { return nil }
    guard let value = cursor.rest.popFirst() else {
      throw Failure.usage(
        "\(option.spelling) needs a value: \(option.spelling) \(name)",
        command: command,
      )
    }
    return value
  }

  private func isKnown(_ example: String) -> Bool {
    let word = example.prefix { $0 != " " }
    return options.contains { $0.spelling == word || $0.letter.map { "-\($0)" == word } ?? false }
  }

  private func unknown(_ word: String, among known: [String]) -> Failure {
    let place = command.map { " of `news \($0)`" } ?? ""
    let own = "\(command ?? "") \(word)"
    let synonym = synonyms.first { $0.key == word || $0.key == own }?.value
    let meant = synonym.flatMap { $0.hasPrefix("`") || isKnown($0) ? "; did you mean \($0)?" : nil }
    let hint = meant ?? Spelling.hint(word, among: known)
    return Failure.usage(
      "unknown option \(Spelling.quoted(word))\(place)\(hint)",
      command: command,
    )
  }
}
