/// What the first bytes of a document promise.
enum DocumentKind: Hashable, Sendable {
  /// XML or HTML, possibly after some junk: for `MarkupRepair`.
  case markup
  /// A JSON object or array.
  case json
}
