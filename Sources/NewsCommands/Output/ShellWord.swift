import FeedModel

/// Words for a shell to read.
enum ShellWord {
  /// `text` in single quotes: one word of any POSIX shell, with nothing in it that the shell obeys.
  static func quoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
      + "'"
  }

  /// `text` as it is where no shell makes anything of it, else in single quotes.
  static func asNeeded(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { byte in
      byte >= 0x80 || Character(Unicode.Scalar(byte)).isLetter || (0x30...0x39).contains(byte)
        || "/:.,_-+@%=".utf8.contains(byte)
    }
    return isPlain && !text.isEmpty ? text : quoted(text)
  }

  /// A word of the user in a command that is proposed; where it holds a password, a placeholder.
  static func proposed(_ word: String, or placeholder: String) -> String {
    let line = SafeText.line(word)
    return WebURL.redacted(word: line) == line ? asNeeded(line) : placeholder
  }

  /// How to name a feed: by its URL, or by its title where the URL holds a password.
  static func feed(_ subscription: Subscription) -> String {
    let url = FeedName.printableURL(subscription.url)
    let isWhole = WebURL.redacted(subscription.url) == subscription.url
    return asNeeded(isWhole ? url : FeedName.printable(subscription))
  }
}
