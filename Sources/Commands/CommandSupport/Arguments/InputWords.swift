package import CommandLine

extension CommandContext {
  /// The longest standard input that is taken, in bytes.
  package static let maximumInput = 16 << 20

  /// Replaces `-` by the words in the lines of standard input.
  package func replacingInput(
    in operands: some Sequence<String>,
    by words: (Substring) -> [String],
  ) throws -> [String] {
    try operands.flatMap { try $0 == "-" ? inputLines().flatMap(words) : [$0] }
  }

  /// Replaces `-` by the lines of standard input that say something, with their numbers.
  package func numberedInput(in operands: [String]) throws -> [InputWord] {
    var all: [InputWord] = []
    for operand in operands {
      if operand == "-" {
        let lines = try inputLines().enumerated().map { InputWord(line: $1, number: $0 + 1) }
        all += lines.filter { !$0.text.isEmpty }
      } else {
        all.append(InputWord(text: operand))
      }
    }
    return all
  }

  private func inputLines() throws -> [Substring] {
    var bytes: [UInt8] = []
    do throws(FileReadingError) {
      try environment.readInput(Self.maximumInput) { bytes += $0 }
    } catch {
      throw Failure("from standard input: \(error)")
    }
    return String(decoding: bytes, as: UTF8.self)
      .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
  }
}

/// An operand, or what a line of standard input says in its place.
package struct InputWord: Hashable, Sendable {
  package let text: String
  /// The number of the line; nil for an operand.
  package private(set) var line: Int?

  init(text: String) { self.text = text }

  /// Takes a line without the blanks around it and without a comment; a `#` within a word is none.
  fileprivate init(line: Substring, number: Int) {
    var (end, isBehindBlank) = (line.startIndex, true)
    while end < line.endIndex, !isBehindBlank || line[end] != "#" {
      isBehindBlank = line[end].isWhitespace
      end = line.index(after: end)
    }
    var text = line[..<end].drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    (self.text, self.line) = (String(text), number)
  }

  /// Returns a failure that names the line.
  package func named(_ error: any Error) -> Failure {
    let failure = Failure(error)
    guard let line, failure.status != .usage else { return failure }
    let hint = text.contains(" ") ? " (a line is one address; lists with more: news import)" : ""
    let message = "line \(line): \(failure.message)\(hint)"
    return Failure(message, choices: failure.choices, status: failure.status)
  }
}
