package enum TerminalText {
  /// The two ways in which terminals show signs that are joined, such as "👍🏽" and families.
  package enum Joining {
    case joined
    /// The parts side by side, the most that any terminal takes.
    case apart
  }

  package static func width(_ text: String, _ joining: Joining = .joined) -> Int {
    if isASCII(text) { return text.utf8.count }
    return text.reduce(0) { $0 + width($1, joining) }
  }

  static func width(_ character: Character, _ joining: Joining) -> Int {
    let joined = width(character)
    guard joining == .apart else { return joined }
    return max(joined, character.unicodeScalars.reduce(0) { $0 + width($1) })
  }

  /// The columns of one character to the eye: a letter with its marks, a whole emoji.
  ///
  /// Parts that stand side by side add up, as in Thai and Tamil; those of a joined emoji do not.
  static func width(_ character: Character) -> Int {
    if isFlag(character) { return 2 }
    var result = 0
    var isJoined = false
    for scalar in character.unicodeScalars {
      // The emoji selector makes a wide sign of a narrow one: "☀" and "☀️".
      if scalar.value == 0xfe0f, result > 0 { return 2 }
      let isPart = isJoined && scalar.value >= 0x2000 || (0x1f3fb...0x1f3ff).contains(scalar.value)
      if !isPart || result == 0 { result += width(scalar) }
      isJoined = scalar.value == 0x200d
    }
    return result
  }

  /// Returns true where terminals agree on the width of `text`.
  ///
  /// They do not for joined signs: some show "👍🏽" in two columns, others its parts in four.
  static func isCertain(_ text: String) -> Bool {
    isASCII(text)
      || text.allSatisfy { character in
        var parts = 0
        for scalar in character.unicodeScalars {
          if scalar.value == 0xfe0f || scalar.value == 0x200d { return false }
          parts += width(scalar) > 0 ? 1 : 0
        }
        return parts < 2
      }
  }

  package static func cut(_ text: String, to columns: Int, _ joining: Joining = .joined) -> String {
    guard width(text, joining) > columns else { return text }
    guard columns > 0 else { return "" }
    var result = prefix(text, columns - 1, joining)
    while result.last == " " { result.removeLast() }
    return result + "…"
  }

  package static func prefix(
    _ text: String,
    _ columns: Int,
    _ joining: Joining = .joined,
  ) -> String {
    var result = ""
    var used = 0
    for character in text {
      used += width(character, joining)
      if used > columns { break }
      result.append(character)
    }
    return result
  }

  package static func fit(_ text: String, to columns: Int) -> String {
    let cut = cut(text, to: columns)
    return cut + spaces(columns - width(cut))
  }

  package static func right(_ text: String, in columns: Int) -> String {
    spaces(columns - width(text)) + text
  }

  package static func spaces(_ count: Int) -> String {
    String(repeating: " ", count: max(0, count))
  }

  private static func isASCII(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 < 0x80 }
  }

  private static func isFlag(_ character: Character) -> Bool {
    character.unicodeScalars.count == 2
      && character.unicodeScalars.allSatisfy { (0x1f1e6...0x1f1ff).contains($0.value) }
  }

  private static func width(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.value {
    case ..<0x300: return 1
    // The medial and final letters of Hangul stand in the first one's place.
    case 0x1160...0x11ff, 0xd7b0...0xd7ff: return 0
    default: break
    }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: return RangeTable.contains(scalar.value, in: TerminalWidthTable.wide) ? 2 : 1
    }
  }
}

extension TerminalText {
  /// Breaks `text` at spaces into lines of at most `columns`, but for links.
  package static func wrap(_ text: String, to columns: Int) -> [String] {
    let words = text.split(separator: " ").map { StyledWord(String($0)) }
    return StyledWord.wrap(words, to: columns).map { $0.spans[0].text }
  }
}

extension TerminalText {
  package static func unstyled(_ text: String) -> String {
    guard text.utf8.contains(0x1b) else { return text }
    var result = ""
    var rest = text.unicodeScalars[...]
    while !rest.isEmpty {
      if takeSequence(from: &rest) == nil { result.unicodeScalars.append(rest.removeFirst()) }
    }
    return result
  }

  /// Replaces the jumps of `Style` by spaces.
  static func withoutJumps(_ text: String) -> String {
    guard text.utf8.contains(0x1b) else { return text }
    return text.split(separator: "\n", omittingEmptySubsequences: false).map { row in
      var result = ""
      var rest = row.unicodeScalars[...]
      while !rest.isEmpty {
        guard let sequence = takeSequence(from: &rest) else {
          result.unicodeScalars.append(rest.removeFirst())
          continue
        }
        let column = sequence.last == "G" ? Int(String(sequence.dropFirst(2).dropLast())) : nil
        if let column {
          result += spaces(column - 1 - width(unstyled(result)))
        } else {
          result.unicodeScalars += sequence
        }
      }
      return result
    }.joined(separator: "\n")
  }

  /// Takes a sequence of `Style` from the beginning of a text; nil where there is none.
  ///
  /// It works by scalars: a mark that combines with the end of a sequence is no part of it.
  private static func takeSequence(
    from text: inout Substring.UnicodeScalarView
  ) -> Substring.UnicodeScalarView? {
    guard text.first == "\u{1b}" else { return nil }
    let whole = text
    if text.dropFirst().first == "[" {
      text = text.drop { $0 != "m" && $0 != "G" }.dropFirst()
    } else {
      // An OSC ends with the string terminator, ESC and backslash.
      text = text.dropFirst().drop { $0 != "\u{1b}" }.dropFirst(2)
    }
    return whole[..<text.startIndex]
  }
}

extension TerminalText {
  /// Breaks a styled line into pieces of at most `columns`, each with the style of its place.
  package static func folded(_ line: String, to columns: Int) -> [String] {
    guard width(unstyled(line), .apart) > columns else { return [line] }
    var pieces = [""]
    var used = 0
    var style = TerminalStyle()
    var rest = line.unicodeScalars[...]
    while !rest.isEmpty {
      if let sequence = takeSequence(from: &rest) {
        pieces[pieces.count - 1].unicodeScalars += sequence
        style.take(String(sequence))
        continue
      }
      let text = rest.prefix { $0 != "\u{1b}" }
      rest = rest[text.endIndex...]
      for character in String(text) {
        let next = width(character, .apart)
        if used > 0, used + next > columns {
          pieces[pieces.count - 1] += style.end
          pieces.append(style.start)
          used = 0
        }
        pieces[pieces.count - 1].unicodeScalars += character.unicodeScalars
        used += next
      }
    }
    return pieces
  }

  private struct TerminalStyle {
    private var style = ""
    private var link = ""

    var start: String { link + style }
    var end: String {
      (style.isEmpty ? "" : "\u{1b}[0m") + (link.isEmpty ? "" : "\u{1b}]8;;\u{1b}\\")
    }

    mutating func take(_ sequence: String) {
      if sequence.hasPrefix("\u{1b}[") {
        style = sequence.hasSuffix("[0m") ? "" : sequence
      } else {
        link = sequence.hasPrefix("\u{1b}]8;;\u{1b}") ? "" : sequence
      }
    }
  }
}
