internal import PropertyLists
internal import System

/// The keys of a story's dictionary in the data file, as `Files.md` of the documentation explains them.
package enum ItemField: Int, CaseIterable, Sendable {
  case id, title, pubDate, link, guid, guidIsPermaLink, date, stored, feeds, author, summary
  case categories, enclosures, read, starred, matched, changed, previous, text, pageText, tags
  case rules, related, file

  private static let names = allCases.map { "\($0)" }

  var name: String { Self.names[rawValue] }

  /// - Returns: nil for another program's key.
  init?(name: String) {
    guard let number = Self.names.firstIndex(of: name) else { return nil }
    self.init(rawValue: number)
  }

  init?(_ key: Int, in reader: BinaryPropertyListReader) throws(PropertyListError) {
    guard case .ascii(let bytes)? = try reader.stringBytes(key) else { return nil }
    let start = Self.start(of: bytes)
    guard let number = Self.starts.firstIndex(where: { $0 == start }),
      Self.utf8Names[number].withUnsafeBytes({ $0.elementsEqual(bytes) })
    else { return nil }
    self.init(rawValue: number)
  }

  /// PERF: no two names are as long and begin with the same seven letters.
  private static let starts = utf8Names.map { name in name.withUnsafeBytes(start) }
  private static let utf8Names = names.map { Array($0.utf8) }

  private static func start(of name: UnsafeRawBufferPointer) -> Int {
    name.prefix(7).reduce(name.count) { $0 << 8 | Int($1) }
  }
}

/// Which entry of a story's dictionary is which field.
///
/// PERF: the stories of a file have few shapes, and the references to the keys, compared as bytes,
/// tell which one it is: a tenth of the time that it takes to look at each key.
struct StoryShape {
  static let noPlaces = InlineArray<24, Int>(repeating: -1)

  private let keyBytes: [UInt8]
  let places: InlineArray<24, Int>

  /// Finds the fields; of a key that occurs twice the last one counts.
  init(
    _ entries: PropertyListEntries,
    in reader: BinaryPropertyListReader,
  ) throws(PropertyListError) {
    var places = Self.noPlaces
    for place in 0..<min(entries.count, ItemReader.maximumKeys) {
      if let field = try ItemField(entries.key(place), in: reader) {
        places[field.rawValue] = place
      }
    }
    self.places = places
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
