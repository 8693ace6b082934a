/// An element's name as the document has it.
struct XMLName: Hashable, Sendable {
  /// The name without its prefix.
  let local: String
  let prefix: String?
  /// The URI that the prefix (or the default) stands for; nil without one or undeclared.
  let namespace: String?

  /// The name with its prefix, as a person would quote it.
  var qualified: String {
    prefix.map { "\($0):\(local)" } ?? local
  }
}
