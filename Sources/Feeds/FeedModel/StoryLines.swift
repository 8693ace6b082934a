package import System

/// A document's stories as they are listed: the date, the link and the title of each.
///
/// PERF: one array has them all, which is far shorter than the document.
package struct StoryLines: Hashable, Sendable {
  package private(set) var count = 0
  /// The fields in lines: a tab behind each of the first two, a line feed behind the last.
  package private(set) var bytes: ArraySlice<UInt8> = []

  package init() {}

  /// Makes lines of bytes that are so many.
  package init(_ bytes: ArraySlice<UInt8>, count: Int) {
    (self.bytes, self.count) = (bytes, count)
  }

  /// Makes room for the lines of a document of so many bytes, of which few have more than a quarter.
  package init(ofDocument size: Int) {
    var memory: [UInt8] = []
    memory.reserveMemory(size / 4)
    bytes = memory[...]
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
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 23 + link.count + title.count) { line in
      var end = 0
      func add(_ field: Field, _ sign: Unicode.Scalar) {
        end = line[end...].initialize(fromContentsOf: field)
        line.initializeElement(at: end, to: UInt8(ascii: sign))
        end += 1
      }
      if let date {
        RFC3339.withUTF8(of: date) { add($0, "\t") }
      } else {
        add(Field(start: nil, count: 0), "\t")
      }
      add(link, "\t")
      add(title, "\n")
      bytes += line[..<end]
    }
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
