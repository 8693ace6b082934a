/// Words of the user's that reach beyond the web: commands, and URLs of commands and files.
///
/// He typed them, or they stand in files that nobody else can write. No other command is run, and no
/// other feed of a command or file is stored.
package struct OwnWords: Sendable {
  private var words: Set<String> = []
  /// The reason why none is believed; nil if they may be.
  package private(set) var refusal: String?

  package init() {}

  /// Takes words that the user typed; only what reads his arguments and answers may say that.
  package init(typed words: some Sequence<String>) {
    self.words = Set(words)
  }

  /// Takes the words of a file, if nobody else can have written it.
  package init(_ words: some Sequence<String>, of path: String) {
    refusal = FileTrust.refusal(path)
    if refusal == nil { self.words = Set(words) }
  }

  package func union(_ other: OwnWords) -> OwnWords {
    var all = self
    all.words.formUnion(other.words)
    all.refusal = refusal ?? other.refusal
    return all
  }

  package func contains(_ word: String) -> Bool { words.contains(word) }

  package func command(_ line: String) -> OwnCommand? {
    refusal == nil && words.contains(line) ? OwnCommand(line) : nil
  }
}

/// A command line of the user's own.
package struct OwnCommand: Hashable, Sendable {
  package let line: String

  fileprivate init(_ line: String) { self.line = line }

  /// The words that have the shell run it.
  package var shell: [String] { ["/bin/sh", "-c", line] }
}
