/// A `Content-Type` field (RFC 9110 §8.3).
struct MediaType: Hashable, Sendable {
  /// In lower case, without parameters; nil when it is not printable ASCII.
  var name: String?
  /// The `charset` parameter, in lower case.
  var charset: String?

  init(_ field: String) {
    let parts = field.split(separator: ";", omittingEmptySubsequences: false)
    name = parts.first.flatMap { Self.value($0) }
    for part in parts.dropFirst() {
      let pair = part.split(separator: "=", maxSplits: 1)
      guard charset == nil, pair.count == 2,
        HTTPField.trimmed(pair[0]).lowercased() == "charset"
      else { continue }
      charset = Self.value(pair[1])
    }
  }

  private static func value(_ text: Substring) -> String? {
    let unquoted = HTTPField.trimmed(text.filter { $0 != "\"" && $0 != "'" }).lowercased()
    return HTTPField.isSafe(unquoted) && unquoted.utf8.count <= 128 ? unquoted : nil
  }
}
