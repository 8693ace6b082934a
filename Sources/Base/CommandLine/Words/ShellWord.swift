internal import System

package enum ShellWord {
  /// Quotes `text` as one word of bash, zsh, dash and fish.
  ///
  /// Quotes and backslashes stand outside of the single quotes, each behind a backslash: inside of
  /// them fish, unlike the others, takes a backslash before either as an escape. It works by
  /// scalars, because a quote with an accent upon it is one character for Swift and still a quote
  /// for a shell.
  package static func quoted(_ text: String) -> String {
    var word = text.isEmpty ? "''" : ""
    var isOpen = false
    for scalar in text.unicodeScalars {
      let isSpecial = scalar == "'" || scalar == "\\"
      if isSpecial == isOpen {
        word += "'"
        isOpen.toggle()
      }
      if isSpecial { word += "\\" }
      word.unicodeScalars.append(scalar)
    }
    return isOpen ? word + "'" : word
  }

  /// Quotes `text` where a shell would make something else of it.
  ///
  /// At the beginning of a word zsh takes `=` for the path of a command, fish `%` for a process.
  package static func asNeeded(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { byte in
      byte >= 0x80 || Character(Unicode.Scalar(byte)).isLetter || (0x30...0x39).contains(byte)
        || "/:.,_-+@%=".utf8.contains(byte)
    }
    let isExpanded = text.utf8.first.map { "%=".utf8.contains($0) } ?? true
    return isPlain && !isExpanded ? text : quoted(text)
  }

  /// Returns a user's word for a proposed command, or a placeholder where it holds a password.
  package static func proposed(_ word: String, or placeholder: String) -> String {
    let line = SafeText.line(word)
    return WebURL.redacted(word: line) == line ? asNeeded(line) : placeholder
  }
}

/// The words of a line at its spaces, without quotes and backslashes; nothing else of a shell is
/// obeyed.
package struct ShellLine {
  private struct Place {
    let start: String.Index
    var end: String.Index
  }

  private let line: String
  package private(set) var words: [String] = []
  /// True where a quotation mark is not closed.
  package private(set) var isUnclosed = false
  private var places: [Place] = []

  package init(_ line: String) {
    self.line = line
    var quote: Character?
    var isOpen = false
    var index = line.startIndex
    while index < line.endIndex {
      var sign = line[index]
      let start = index
      index = line.index(after: index)
      if quote == nil, sign.isWhitespace {
        isOpen = false
        continue
      }
      if !isOpen {
        isOpen = true
        words.append("")
        places.append(Place(start: start, end: index))
      }
      defer { places[places.count - 1].end = index }
      if sign == quote {
        quote = nil
        continue
      }
      if quote == nil, sign == "'" || sign == "\"" {
        quote = sign
        continue
      }
      if sign == "\\", quote != "'", index < line.endIndex {
        sign = line[index]
        index = line.index(after: index)
      }
      words[words.count - 1].append(sign)
    }
    isUnclosed = quote != nil
  }

  /// The beginning of the last word, or the end of the line where a new one would begin.
  package var last: String.Index {
    guard let place = places.last, place.end == line.endIndex else { return line.endIndex }
    return place.start
  }

  /// The line up to a word that begins with `#`, as a shell's comments do.
  package var withoutComment: Substring {
    let comment = places.first { line[$0.start] == "#" }
    return line[..<(comment?.start ?? line.endIndex)]
  }

  /// The parts between words that are a semicolon alone, as they stand.
  package var parts: [Substring] {
    var parts: [Substring] = []
    var start = line.startIndex
    for place in places where line[place.start..<place.end] == ";" {
      parts.append(line[start..<place.start])
      start = place.end
    }
    return parts + [line[start...]]
  }
}
