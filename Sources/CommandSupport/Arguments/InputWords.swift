import CommandLine

extension CommandContext {
  /// The longest standard input that is taken, in bytes.
  private static let maximumInput = 16 << 20

  /// Replaces `-` by the lines of standard input that are not empty.
  package func replacingInput(
    in operands: some Sequence<String>,
    by words: (Substring) -> [String] = { [String($0)] },
  ) throws(CommandError) -> [String] {
    var all: [String] = []
    for operand in operands { all += operand == "-" ? try inputLines().flatMap(words) : [operand] }
    return all
  }

  private func inputLines() throws(CommandError) -> [Substring] {
    var bytes: [UInt8] = []
    do throws(FileReadingError) {
      try environment.readInput(Self.maximumInput) { bytes += $0 }
    } catch {
      throw .failed("from standard input: \(error)")
    }
    return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
      .map { $0.drop(while: \.isWhitespace) }.filter { !$0.isEmpty }
  }
}
