internal import FeedModel
internal import PropertyLists
internal import System

extension ItemField {
  init?(_ key: Int, in reader: BinaryPropertyListReader) throws {
    guard case .ascii(let name)? = try reader.stringBytes(key) else { return nil }
    self.init(utf8: name)
  }
}

/// The indices of the fields' entries in a story's dictionary.
///
/// PERF: the stories of a file have few shapes, and the references to the keys, compared as bytes,
/// tell which one it is: a tenth of the time that it takes to look at each key.
struct StoryShape {
  private let keyBytes: [UInt8]
  let slots: [Int]

  /// Finds the fields; of a key that occurs twice the last one counts.
  init(_ entries: PropertyListEntries, in reader: BinaryPropertyListReader) throws {
    var slots = Array(repeating: -1, count: ItemField.allCases.count)
    for index in 0..<min(entries.count, ItemReader.maximumKeys) {
      if let field = try ItemField(entries.key(index), in: reader) {
        slots[field.rawValue] = index
      }
    }
    self.slots = slots
    keyBytes = Array(entries.keyBytes(atMost: ItemReader.maximumKeys))
  }

  func isShape(of entries: PropertyListEntries) -> Bool {
    let bytes = entries.keyBytes(atMost: ItemReader.maximumKeys)
    guard bytes.count == keyBytes.count, let start = bytes.baseAddress else {
      return bytes.count == keyBytes.count
    }
    return memcmp(start, keyBytes, bytes.count) == 0
  }
}
