import System

struct PackedWriter: ItemCoder {
  typealias Failure = Never

  var bytes: [UInt8] = []
  var end = 0

  /// Cuts the details that are missing at the end.
  ///
  /// PERF: most stories have no author, no enclosure and the like.
  mutating func cut() { bytes.removeLast(bytes.count - end) }

  private mutating func keep() { end = bytes.count }

  mutating func appendBytes(of value: some BitwiseCopyable) {
    withUnsafeBytes(of: value) { bytes.append(contentsOf: $0) }
  }

  mutating func flag(_: ItemField, _ value: Bool) -> Bool {
    bytes.append(value ? 1 : 0)
    keep()
    return value
  }

  mutating func number(_ field: ItemField, _ value: Int?) -> Int? {
    append(value)
    if value != nil || field == .text { keep() }
    return value
  }

  mutating func date(_: ItemField, _ value: Date?) -> Date? {
    // -0 and 0 are equal, but their bits are not; adding 0 makes both 0.
    appendBytes(of: (value.map { $0.timeIntervalSinceReferenceDate + 0 } ?? .nan).bitPattern)
    keep()
    return value
  }

  mutating func text(_: ItemField, _ value: String?) -> String? {
    append(value)
    if value != nil { keep() }
    return value
  }

  mutating func texts(_: ItemField, _ value: [String]) -> [String] {
    append(value) { $0.append($1) }
    return value
  }

  mutating func hasParts(_: ItemField, count: Int) -> Bool {
    if count == 0 { appendBytes(of: UInt32(0)) }
    return count > 0
  }

  mutating func parts<Part: ItemPart>(_: ItemField, _ value: [Part]) -> [Part] {
    append(value) { writer, part in _ = part.coded(by: &writer) }
    return value
  }

  mutating func append(_ number: Int?) {
    bytes.append(number == nil ? 0 : 1)
    if let number { appendBytes(of: Int64(number)) }
  }

  mutating func append(_ text: String?) {
    guard var text else { return appendBytes(of: PackedReader.none) }
    text.withUTF8 { utf8 in
      appendBytes(of: UInt32(utf8.count))
      bytes.append(contentsOf: utf8)
    }
  }

  mutating func append<Element>(
    _ list: [Element],
    _ element: (inout Self, Element) -> Void,
  ) {
    appendBytes(of: UInt32(list.count))
    for one in list { element(&self, one) }
    if !list.isEmpty { keep() }
  }
}

extension PackedWriter: PartCoder {
  mutating func text(_: String, _ value: String?) -> String? {
    append(value)
    return value
  }

  mutating func link(_: String, _ value: String?) -> String? {
    append(value)
    return value
  }

  mutating func number(_: String, _ value: Int?) -> Int? {
    append(value)
    return value
  }
}
