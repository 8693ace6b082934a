/// One thing that `news doctor` has looked at.
struct Finding: Hashable, Sendable {
  enum State: String, Sendable {
    case ok
    /// Worth knowing; nothing is wrong.
    case note
    case wrong
  }

  let state: State
  /// What was looked at: `home`, a file, `clock`, a feed.
  let subject: String
  /// How it is, in plain words.
  let text: String
  /// What to do; nil where there is nothing to do.
  let advice: String?

  static func ok(_ subject: String, _ text: String) -> Finding {
    Finding(state: .ok, subject: subject, text: text, advice: nil)
  }

  static func note(_ subject: String, _ text: String, _ advice: String? = nil) -> Finding {
    Finding(state: .note, subject: subject, text: text, advice: advice)
  }

  static func wrong(_ subject: String, _ text: String, _ advice: String) -> Finding {
    Finding(state: .wrong, subject: subject, text: text, advice: advice)
  }
}
