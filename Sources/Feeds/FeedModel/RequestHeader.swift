import System

/// A header field that the reader adds to one feed's requests (RFC 9110 §5.1).
package struct RequestHeader: Hashable, Sendable {
  package let name: String
  package let value: String

  /// The limit of a line `Name: value`; a cookie may have 4,096 bytes.
  package static let maximumBytes = 8192
  package static let most = 32

  /// Reads `Name: value`; nil for what is no field or is the program's own to send.
  package init?(_ line: some StringProtocol) {
    guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    name = String(line[..<colon])
    value = String(line[line.index(after: colon)...].trimmingPrefix { $0 == " " || $0 == "\t" })
    guard Self.isToken(name), !Self.isOurs(name), line.utf8.count <= Self.maximumBytes,
      !value.isEmpty, value.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
    else { return nil }
  }

  package var line: String { "\(name): \(value)" }

  package func isNamed(as other: RequestHeader) -> Bool {
    name.lowercased() == other.name.lowercased()
  }

  /// RFC 9110 §5.6.2.
  private static func isToken(_ name: String) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy { $0.isASCIILetterOrDigit || "!#$%&'*+-.^_`|~".utf8.contains($0) }
  }

  /// Returns true for fields of framing, caching and coding: they follow from the request itself.
  private static func isOurs(_ name: String) -> Bool {
    let name = name.lowercased()
    return ["if-", "content-", "proxy-"].contains { name.hasPrefix($0) } || ours.contains(name)
  }

  private static let ours: Set<String> = [
    "host", "connection", "keep-alive", "transfer-encoding", "te", "trailer", "upgrade", "expect",
    "range", "accept-encoding", "user-agent",
  ]
}

/// Additions to one feed's requests, sent to its own site alone.
package struct RequestHeaders: Hashable, Sendable {
  package var fields: [RequestHeader] = []
  /// A command of the user's that prints more fields, a line each.
  package var command: String?

  package init() {}

  package var isEmpty: Bool { fields.isEmpty && command == nil }

  package mutating func set(_ field: RequestHeader) {
    fields.removeAll { $0.isNamed(as: field) }
    fields.append(field)
  }
}
