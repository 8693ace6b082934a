/// Which stories a command is to work on, as typed: `3`, `3-7`, or an id.
enum StoryNumbers {
  /// One operand, read.
  enum Selection: Hashable, Sendable {
    /// Numbers of the last list, both included.
    case numbers(ClosedRange<Int>)
    case id(String)
  }

  /// Reads one operand; nil when it is neither a number, nor a range, nor an id.
  static func read(_ word: String) -> Selection? {
    if isID(word) { return .id(word) }
    let parts = word.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first.flatMap(number) else { return nil }
    guard parts.count == 2 else { return .numbers(first...first) }
    guard let last = number(parts[1]), last >= first else { return nil }
    return .numbers(first...last)
  }

  /// Sixteen lower-case hexadecimal digits: no number of that length was ever shown.
  private static func isID(_ word: String) -> Bool {
    word.utf8.count == 16
      && word.utf8.allSatisfy { ($0 >= 0x30 && $0 <= 0x39) || ($0 >= 0x61 && $0 <= 0x66) }
  }

  private static func number(_ text: Substring) -> Int? {
    guard !text.isEmpty, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
    guard let value = Int(text), value > 0 else { return nil }
    return value
  }
}
