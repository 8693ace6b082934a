/// Something that can be typed, and what it means.
struct CompletionCandidate: Hashable, Sendable {
  /// One safe line, without any quoting.
  let text: String
  let meaning: String

  init(_ text: String, _ meaning: String = "") {
    self.text = text
    self.meaning = meaning
  }
}
