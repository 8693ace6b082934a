/// Where a request that is not for the web gets its bytes.
enum FileSource: Hashable, Sendable {
  case standardInput
  case path(String)

  /// Whether a request is for this machine: `-`, a `file:` URL, or a path (no scheme at all).
  static func isFile(_ url: String) -> Bool {
    URLScheme(url).map { $0.name == "file" } ?? true
  }

  /// Reads a request's URL; throws `invalidURL` for a `file:` URL of another machine, without an
  /// absolute path, or with a NUL (RFC 8089).
  init(_ url: String) throws(FileFailure) {
    guard url != "-" else {
      self = .standardInput
      return
    }
    var path = url
    if URLScheme(url)?.name == "file" {
      path = try Self.path(fileURL: url.dropFirst(5))
    }
    guard !path.isEmpty, !path.utf8.contains(0) else { throw .invalidURL }
    self = .path(path)
  }

  private static func path(fileURL rest: Substring) throws(FileFailure) -> String {
    var path = rest.prefix { $0 != "?" && $0 != "#" }
    if path.hasPrefix("//") {
      let authority = path.dropFirst(2).prefix { $0 != "/" }
      guard authority.isEmpty || authority.lowercased() == "localhost" else { throw .invalidURL }
      path = path.dropFirst(2 + authority.count)
    }
    guard path.hasPrefix("/"), let decoded = HTTPURL.percentDecoded(path) else { throw .invalidURL }
    return decoded
  }
}
