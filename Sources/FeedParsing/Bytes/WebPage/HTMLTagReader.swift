/// Finds the start tags of a web page, past comments and scripts.
struct HTMLTagReader {
  private let bytes: UnsafeRawBufferPointer
  private var position = 0
  private let isWanted: (String) -> Bool
  /// End marks that do not come any more: searching for each beginning's would be quadratic.
  private var missingMarks: Set<String> = []

  /// - Parameters:
  ///   - bytes: The page.
  ///   - isWanted: Which elements' tags to hand out, by name in small letters.
  init(_ bytes: UnsafeRawBufferPointer, isWanted: @escaping (String) -> Bool) {
    self.bytes = bytes
    self.isWanted = isWanted
  }

  mutating func next() -> HTMLTag? {
    while let start = ByteScan.first(UInt8(ascii: "<"), in: bytes, from: position) {
      position = start + 1
      if bytes.hasASCII("<!--", at: start) {
        skip(past: "-->")
      } else if let tag = readTag(at: start) {
        return tag
      }
    }
    return nil
  }

  private mutating func readTag(at start: Int) -> HTMLTag? {
    let nameEnd = XMLNameScan.end(bytes, from: start + 1)
    guard nameEnd > start + 1, nameEnd < bytes.count else { return nil }
    let name = String(decoding: bytes[start + 1..<nameEnd], as: UTF8.self).lowercased()
    if Self.rawTextEnds[name] == nil, !isWanted(name) { return nil }
    let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
    var scanner = TagEndScanner()
    guard case .end(let length) = scanner.scan(rest) else { return nil }
    position = start + length
    if let end = Self.rawTextEnds[name] { skip(past: end) }
    guard isWanted(name) else { return nil }
    let tag = UnsafeRawBufferPointer(rebasing: rest[..<(length - 1)])
    return HTMLTag(tag, nameEnd: nameEnd - start)
  }

  /// Elements whose content has no tags (HTML §13.2.5).
  private static let rawTextEnds: [String: StaticString] = [
    "script": "</script", "style": "</style", "textarea": "</textarea", "title": "</title",
  ]

  private mutating func skip(past mark: StaticString) {
    guard !missingMarks.contains("\(mark)") else { return }
    var search = position
    while let candidate = ByteScan.first(mark.utf8Start[0], in: bytes, from: search) {
      if bytes.hasASCII(mark, at: candidate) {
        position = candidate + mark.utf8CodeUnitCount
        return
      }
      search = candidate + 1
    }
    // Without its end it is no such thing: go on behind its beginning.
    missingMarks.insert("\(mark)")
  }
}
