/// A command line and what it does.
struct HelpExample: Hashable, Sendable {
  let words: String
  let meaning: String

  init(_ words: String, _ meaning: String) {
    self.words = words
    self.meaning = meaning
  }
}
