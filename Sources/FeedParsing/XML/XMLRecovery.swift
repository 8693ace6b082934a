/// An error of a document from which libxml2 recovered.
struct XMLRecovery: Hashable, Sendable {
  let line: Int
  /// In libxml2's words.
  let reason: String
  /// Whether it is that the document ended too early.
  let isEnd: Bool
}
