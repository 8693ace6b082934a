/// A header field that the reader adds to the requests of one feed (RFC 9110 §5.1).
package struct RequestHeader: Hashable, Sendable {
  package let name: String
  package let value: String

  /// Bytes of a name and a value; a cookie has up to 4,096.
  package static let maximumBytes = 8192
  /// Of one feed.
  package static let most = 32

  /// Reads `Name: value`; nil for what is no field, and for one that is not the reader's to say.
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
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
      }
  }

  /// Whether it says how messages are framed, cached or coded: that follows from the request itself.
  private static func isOurs(_ name: String) -> Bool {
    let name = name.lowercased()
    return ["if-", "content-", "proxy-"].contains { name.hasPrefix($0) } || ours.contains(name)
  }

  private static let ours: Set<String> = [
    "host", "connection", "keep-alive", "transfer-encoding", "te", "trailer", "upgrade", "expect",
    "range", "accept-encoding", "user-agent",
  ]
}

/// What the reader adds to the requests of one feed, for its own site alone.
package struct RequestHeaders: Hashable, Sendable {
  package var fields: [RequestHeader] = []
  /// A command of the user's that prints more of them, a line each.
  package var command: String?

  package init() {}

  package var isEmpty: Bool { fields.isEmpty && command == nil }

  /// Adds a field, in the place of one with its name.
  package mutating func set(_ field: RequestHeader) {
    fields.removeAll { $0.isNamed(as: field) }
    fields.append(field)
  }
}
