/// Paths and the `file:` URLs that stand for them.
enum LocalPath {
  /// `path` as an absolute path without `.`, `..` and doubled slashes; symbolic links stay.
  static func absolute(_ path: String, in folder: String?) -> String? {
    if path.hasPrefix("/") { return normalized(path) }
    guard let folder, folder.hasPrefix("/") else { return nil }
    return normalized(folder + "/" + path)
  }

  static func normalized(_ path: String) -> String {
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

  /// Whether a path begins with a slash, has no other at its end or beside another one, and no part
  /// of it begins with a dot.
  private static func isNormal(_ path: String) -> Bool {
    var last = UInt8(ascii: "x")
    for byte in path.utf8 {
      if last == UInt8(ascii: "/"), byte == last || byte == UInt8(ascii: ".") { return false }
      last = byte
    }
    return path.utf8.first == UInt8(ascii: "/")
      && (last != UInt8(ascii: "/") || path.utf8.count == 1)
  }

  /// The `file:` URL of an absolute path (RFC 8089), everything but the unreserved escaped.
  static func fileURL(_ path: String) -> String {
    var url = "file://"
    for byte in path.utf8 {
      if isUnreserved(byte) {
        url.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        url += "%" + (byte < 16 ? "0" : "") + digits
      }
    }
    return url
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "-"),
      UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
      true
    default: false
    }
  }

  /// The path of a `file:` URL, for people to read; nil for other URLs.
  static func path(ofFileURL url: String) -> String? {
    guard url.hasPrefix("file:///") else { return nil }
    var bytes: [UInt8] = []
    var rest = url.dropFirst(7).utf8[...]
    while let byte = rest.popFirst() {
      let digits = rest.prefix(2)
      if byte == UInt8(ascii: "%"), digits.count == 2, let text = String(digits),
        let value = UInt8(text, radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
