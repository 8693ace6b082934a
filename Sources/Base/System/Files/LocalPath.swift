package enum LocalPath {
  /// Returns a path as absolute, without `.`, `..` and doubled slashes; symbolic links stay.
  ///
  /// Nil where `path` is relative and `folder` is not absolute.
  package static func absolute(_ path: String, in folder: String?) -> String? {
    if path.hasPrefix("/") { return normalized(path) }
    guard let folder, folder.hasPrefix("/") else { return nil }
    return normalized(folder + "/" + path)
  }

  package static func normalized(_ path: String) -> String {
    // PERF: mostly there is nothing to do, and generic functions take their time at a first call.
    if isNormal(path) { return path }
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == ".." {
        _ = parts.popLast()
      } else {
        parts.append(part)
      }
    }
    return "/" + parts.joined(separator: "/")
  }

  private static func isNormal(_ path: String) -> Bool {
    var last = UInt8(ascii: "x")
    for byte in path.utf8 {
      if last == UInt8(ascii: "/"), byte == last || byte == UInt8(ascii: ".") { return false }
      last = byte
    }
    return path.utf8.first == UInt8(ascii: "/")
      && (last != UInt8(ascii: "/") || path.utf8.count == 1)
  }

  /// Returns the `file:` URL of an absolute path (RFC 8089), with all but unreserved bytes escaped.
  package static func fileURL(_ path: String) -> String {
    "file://" + path.utf8.percentEncoded { $0.isUnreservedInURL || $0 == UInt8(ascii: "/") }
  }

  /// Returns the path of a `file:` URL, with bytes that are no UTF-8 replaced; nil for other URLs.
  package static func path(ofFileURL url: String) -> String? {
    guard url.hasPrefix("file:///") else { return nil }
    return String(decoding: url.utf8.dropFirst(7).percentDecoded(), as: UTF8.self)
  }
}
