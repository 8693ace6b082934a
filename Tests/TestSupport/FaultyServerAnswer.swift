/// An answer of a faulty server, step by step; then it closes the connection.
package struct FaultyAnswer: Sendable {
  package enum Step: Sendable {
    case send([UInt8])
    /// Bytes that are sent again and again, as fast as they are taken, for ever.
    case flood([UInt8])
    /// Bytes that are sent again and again for ever, with a pause before each time.
    case drip([UInt8], every: Duration)
    case hang
    case run(@Sendable () -> Void)
    /// A reset in place of an orderly end.
    case reset
  }

  package var steps: [Step]
  /// True if the connection takes another request afterwards.
  package var staysOpen = false

  package init(_ steps: [Step]) {
    self.steps = steps
  }

  package static func raw(_ text: String, then steps: [Step] = []) -> FaultyAnswer {
    FaultyAnswer([.send(Array(text.utf8))] + steps)
  }

  package static func response(
    status: String = "200 OK",
    headers: [String] = [],
    body: String,
  ) -> FaultyAnswer {
    response(status: status, headers: headers, bytes: Array(body.utf8))
  }

  package static func response(
    status: String = "200 OK",
    headers: [String] = [],
    bytes: [UInt8],
    length: Int? = nil,
  ) -> FaultyAnswer {
    let fields = headers + ["Content-Length: \(length ?? bytes.count)"]
    return FaultyAnswer([.send(head(status, fields) + bytes)])
  }

  package static func redirect(_ status: Int, to location: String) -> FaultyAnswer {
    response(status: "\(status) Elsewhere", headers: ["Location: \(location)"], body: "moved")
  }

  /// Returns an answer of a head without a length, and then some steps.
  package static func head(
    status: String = "200 OK",
    headers: [String] = [],
    then steps: [Step],
  ) -> FaultyAnswer {
    FaultyAnswer([.send(head(status, headers))] + steps)
  }

  private static func head(_ status: String, _ fields: [String]) -> [UInt8] {
    let isTyped = fields.contains { $0.lowercased().hasPrefix("content-type:") }
    let lines =
      ["HTTP/1.1 \(status)"] + (isTyped ? [] : ["Content-Type: application/rss+xml"]) + fields
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }

  /// A copy that leaves the connection open.
  package var keptAlive: FaultyAnswer {
    var copy = self
    copy.staysOpen = true
    return copy
  }
}

package enum GzipBytes {
  private static let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]

  /// Returns the bytes as one uncompressed block (RFC 1951 §3.2.4), at most 65,535 of them.
  package static func stored(_ bytes: [UInt8]) -> [UInt8] {
    header + storedBlock(bytes) + littleEndian(checksum(bytes))
      + littleEndian(UInt32(bytes.count))
  }

  package static func storedBlock(_ bytes: [UInt8]) -> [UInt8] {
    let count = UInt16(bytes.count)
    return [1] + littleEndian(count) + littleEndian(~count) + bytes
  }

  /// The beginning of a file with a name (RFC 1952 §2.3.1), which lasts until a zero.
  package static let namedBeginning: [UInt8] = [0x1F, 0x8B, 8, 8, 0, 0, 0, 0, 0, 0xFF]

  /// The beginning of a bomb: a block of fixed codes with one space.
  package static let bombBeginning: [UInt8] =
    header + bits([[1, 1, 0], [0, 1, 0, 1, 0, 0, 0, 0]])

  /// The part of a bomb that is repeated: 13 bytes for 8 × 258 more spaces.
  ///
  /// Eight times length 258 (code 285: 11000101) at distance 1 (code 0: 00000). The beginning ends
  /// in the middle of a byte, which is filled up with the first bits of these.
  package static let bombChunk: [UInt8] = {
    let match: [UInt8] = [1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0]
    let all = Array(repeating: match, count: 9).flatMap(\.self)
    return bits([Array(all[5..<(5 + 104)])])
  }()

  /// Returns bits in the order of the stream, eight to a byte from the lowest; the last byte of the
  /// beginning gets the first five bits of a match.
  private static func bits(_ groups: [[UInt8]]) -> [UInt8] {
    let all = groups.flatMap(\.self)
    let padding: [UInt8] = all.count % 8 == 3 ? [1, 1, 0, 0, 0] : []
    let padded = all + padding
    return stride(from: 0, to: padded.count, by: 8).map { start in
      (0..<8).reduce(UInt8(0)) { $0 | padded[start + $1] << UInt8($1) }
    }
  }

  private static func littleEndian<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { Array($0) }
  }

  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(UInt32.max) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { value, _ in
        value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1
      }
    }
  }
}
