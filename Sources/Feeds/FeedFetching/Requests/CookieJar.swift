/// The cookies of one transfer, which live no longer than its redirects.
struct CookieJar: Hashable, Sendable {
  /// The lines of Netscape's file: domain, subdomains, path, secure, expiry, name and value, with
  /// tabs between them.
  var lines: [String] = []

  /// The fields of the cookies without the times at which they end.
  var values: Set<[String]> {
    Set(
      lines.map { line in
        line.split(separator: "\t", omittingEmptySubsequences: false).enumerated()
          .filter { $0.offset != 4 }.map { String($0.element) }
      }
    )
  }

  /// Takes the reader's own `Cookie` field out of header lines: a request has one at the most (RFC
  /// 6265 §5.4).
  static func remove(from lines: inout [String]) -> String? {
    let name = "cookie:"
    guard let index = lines.firstIndex(where: { $0.lowercased().hasPrefix(name) }) else {
      return nil
    }
    return HTTPField.trimmed(String(lines.remove(at: index).dropFirst(name.count)))
  }
}
