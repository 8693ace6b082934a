import FeedModel

/// Words that people can copy into a shell.
enum ShellWord {
  /// The word as any shell reads it back, quoted where it has to be.
  static func quoted(_ word: String) -> String {
    let isPlain = word.unicodeScalars.allSatisfy { scalar in
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", "_", "-", ".", "/", ":", "@", "%", "+", "=", ",": true
      default: false
      }
    }
    if isPlain, !word.isEmpty { return word }
    return "'" + word.replacing("'", with: #"'\''"#) + "'"
  }

  /// How to name a feed: by its URL, or by its title where the URL holds a password.
  static func feed(_ subscription: Subscription) -> String {
    let url = FeedName.printableURL(subscription.url)
    let isWhole = WebURL.redacted(subscription.url) == subscription.url
    return quoted(isWhole ? url : FeedName.printable(subscription))
  }
}
