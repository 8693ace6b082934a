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

  /// Splits a line at spaces, and removes quotes and backslashes; nothing else of a shell is
  /// obeyed.
  ///
  /// `last` is the beginning of the last word, or the end of the line where a new one would begin.
  package static func split(_ line: String) -> (words: [String], last: String.Index) {
    var (words, last): ([String], String.Index) = ([], line.endIndex)
    var (isOpen, quote): (Bool, Character?) = (false, nil)
    var index = line.startIndex
    while index < line.endIndex {
      var sign = line[index]
      let start = index
      index = line.index(after: index)
      if quote == nil, sign.isWhitespace {
        (isOpen, last) = (false, line.endIndex)
        continue
      }
      if !isOpen {
        (isOpen, last) = (true, start)
        words.append("")
      }
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
    return (words, last)
  }

  /// Returns a user's word for a proposed command, or a placeholder where it holds a password.
  package static func proposed(_ word: String, or placeholder: String) -> String {
    let line = SafeText.line(word)
    return WebURL.redacted(word: line) == line ? asNeeded(line) : placeholder
  }
}
