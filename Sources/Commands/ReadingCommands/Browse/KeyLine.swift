import CommandLine
import CommandSupport

/// The line of a key: one operation, or several with a semicolon alone between them.
struct KeyLine: Hashable, Sendable {
  /// Words of the table view, commands of `news`, programs, and `:` with the beginning of a line.
  let operations: [String]

  init(_ line: String) {
    let parts = ShellLine(line).parts
    guard parts.count > 1 else {
      operations = [Self.meaning(line)]
      return
    }
    operations = parts.map { part in
      let words = part.drop(while: \.isWhitespace)
      let end = words.lastIndex { !$0.isWhitespace }.map { words.index(after: $0) }
      let text = words[..<(end ?? words.startIndex)]
      // Nobody finishes a line among others.
      return Self.meaning(String(text.count > 1 && text.hasPrefix(":") ? text.dropFirst() : text))
    }
  }

  /// Returns what a key's name stands for by default, and another line as it is.
  private static func meaning(_ operation: String) -> String {
    BrowserKeys.all.first { $0.keys.contains(operation) }?.line ?? operation
  }

  func check(_ commands: CommandList) throws {
    for operation in operations { try Self.check(operation, commands) }
  }

  private static func check(_ operation: String, _ commands: CommandList) throws {
    guard !operation.isEmpty else { throw Failure("nothing stands beside a ;") }
    guard BrowserKeys.key(for: operation) == nil else { return }
    if operation.hasPrefix(":") {
      return try checkBeginning(String(operation.dropFirst()), commands)
    }
    if let program = BrowserProgram(operation) { return try program.check() }
    let all = ShellLine(operation).words
    guard all.first?.contains(";") != true else {
      throw Failure("a ; between operations has blanks beside it: star ; next")
    }
    let (command, words) = try commands.split(all)
    _ = try commands.arguments(words, of: command)
  }

  /// Checks a line that is to be finished: its command alone is known.
  private static func checkBeginning(_ line: String, _ commands: CommandList) throws {
    guard BrowserProgram(line) == nil, let word = ShellLine(line).words.first else { return }
    do { _ = try commands.split([word]) } catch {
      guard BrowserKeys.key(for: word) == nil else {
        throw Failure("\(word) is a word of the view, and has no : before it")
      }
      throw error
    }
  }
}

/// The operations of a key that are still to come, and what they are about.
struct KeyWork: Hashable, Sendable {
  var operations: ArraySlice<String>
  let number: String
  /// The rows that an operation before has used up: all operations of a key mean the same ones.
  var picked: Set<String> = []

  init(_ line: String, number: String) {
    (operations, self.number) = (KeyLine(line).operations[...], number)
  }
}
