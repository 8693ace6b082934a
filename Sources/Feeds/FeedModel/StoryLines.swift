package import System

/// A document's stories as they are listed: the date, the link and the title of each.
///
/// PERF: one array has them all, which is far shorter than the document.
package struct StoryLines: Hashable, Sendable {
  package private(set) var count = 0
  /// The fields in lines: a tab behind each of the first two, a line feed behind the last.
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package init(bytes: [UInt8]) {
    guard let count = bytes.withUnsafeBytes(Self.count) else { return }
    (self.count, self.bytes) = (count, bytes)
  }

  /// Returns the number of stories; nil for bytes that are no lines of three fields each.
  package static func count(of bytes: UnsafeRawBufferPointer) -> Int? {
    let (tab, end) = (UInt8(ascii: "\t"), UInt8(ascii: "\n"))
    var (count, position) = (0, 0)
    while position < bytes.count {
      guard let line = ByteScan.first(end, in: bytes, from: position),
        let first = ByteScan.first(tab, in: bytes, from: position),
        let second = ByteScan.first(tab, in: bytes, from: first + 1), second < line,
        ByteScan.first(tab, in: bytes, from: second + 1).map({ $0 > line }) ?? true
      else { return nil }
      (count, position) = (count + 1, line + 1)
    }
    return count
  }

  /// Appends a story; its link and its title have to be safe lines.
  package mutating func append(
    _ date: Date?,
    link: UnsafeBufferPointer<UInt8>,
    title: UnsafeBufferPointer<UInt8>,
  ) {
    if let date { bytes += RFC3339.string(date).utf8 }
    bytes.append(UInt8(ascii: "\t"))
    bytes += link
    bytes.append(UInt8(ascii: "\t"))
    bytes += title
    bytes.append(UInt8(ascii: "\n"))
    count += 1
  }

  /// Calls `body` with the fields of each story; the date is empty where there is none.
  package func visit(
    _ body: (_ date: Field, _ link: Field, _ title: Field) -> Void
  ) {
    bytes.withUnsafeBytes { bytes in
      var position = 0
      func field(until end: UInt8) -> Field {
        let start = position
        position = ByteScan.first(end, in: bytes, from: start) ?? bytes.count
        defer { position += 1 }
        return Field(rebasing: bytes[start..<position].bindMemory(to: UInt8.self)[...])
      }
      for _ in 0..<count {
        let (date, link) = (field(until: UInt8(ascii: "\t")), field(until: UInt8(ascii: "\t")))
        body(date, link, field(until: UInt8(ascii: "\n")))
      }
    }
  }

  package typealias Field = UnsafeBufferPointer<UInt8>
}
