package import FeedModel
internal import PropertyLists
internal import System

/// One open file of whole texts: a dictionary from a story's id to a dictionary with `html` or
/// `text`, and `base`; `cut` is true if the text's page shows only its beginning.
///
/// A pass through all of it keeps little in memory, since pages that were looked at are discarded.
struct TextFile: Sendable {
  private let path: String
  private let reader: BinaryPropertyListReader
  private let entries: PropertyListEntries?

  init?(_ path: String) throws {
    guard let (reader, _) = try LibraryStore.reader(path) else { return nil }
    (self.path, self.reader) = (path, reader)
    entries = try StorageError.translating(path) {
      try reader.entries(reader.root)
    }
  }

  func text(of id: String) throws -> StoryText? {
    guard let entries else { return nil }
    for index in 0..<entries.count {
      let key = entries.key(index)
      guard try read({ try isID(key, id) }) else { continue }
      return try text(entries.value(index))
    }
    return nil
  }

  /// Compares an id.
  ///
  /// PERF: makes no string of a key that `news` wrote; one look goes past all keys of a file.
  private func isID(_ key: Int, _ id: String) throws -> Bool {
    try reader.willRead(key)
    guard case .ascii(let bytes)? = try reader.stringBytes(key) else {
      return try reader.string(key) == id
    }
    return bytes.elementsEqual(id.utf8)
  }

  var count: Int { entries?.count ?? 0 }

  func entry(_ index: Int) throws -> (id: String, object: Int)? {
    guard let entries else { return nil }
    let key = entries.key(index)
    let id = try read {
      try reader.willRead(key)
      return try reader.string(key)
    }
    return id.map { ($0, entries.value(index)) }
  }

  func ids() throws -> [String] {
    var ids: [String] = []
    for index in 0..<count {
      if let id = try entry(index)?.id { ids.append(id) }
    }
    return ids
  }

  func text(_ object: Int) throws -> StoryText? {
    try read {
      try reader.willRead(object)
      var (bytes, isHTML, base): ([UInt8]?, Bool, String?) = (nil, false, nil)
      var isCut = false
      _ = try reader.forEachEntry(object, atMost: 16) { (key, value) in
        switch try reader.string(key) {
        case "base": base = try reader.string(value)
        case "cut": isCut = try reader.boolean(value) ?? false
        case "html", "text":
          bytes = try reader.stringBytes(value)?.withUTF8 { Array($0) }
          isHTML = try reader.isString(key, "html")
        default: break
        }
      }
      return bytes.map { StoryText(isHTML: isHTML, base: base, bytes: $0, isCut: isCut) }
    }
  }

  private func read<R>(_ body: () throws -> R) throws -> R {
    try StorageError.translating(path, body)
  }
}

package struct StoryTextIndex: Sendable {
  private struct Location {
    let file: UInt32
    let object: UInt32
  }

  private var files: [TextFile] = []
  // PERF: our ids are kept as numbers: the strings of a million take 100 MB.
  private var locations: [UInt64: Location] = [:]
  private var otherLocations: [String: Location] = [:]
  package internal(set) var failure: (any Error)?

  /// Adds a file; texts of files that were added before count.
  mutating func add(_ file: TextFile) throws {
    let number = UInt32(files.count)
    for index in 0..<file.count {
      guard let (id, object) = try file.entry(index), !hasText(of: id) else { continue }
      // A list of at most 2 GiB has fewer objects.
      let location = Location(file: number, object: UInt32(truncatingIfNeeded: object))
      if let id = ItemID.number(of: id.utf8) {
        locations[id] = location
      } else {
        otherLocations[id] = location
      }
    }
    files.append(file)
  }

  package var count: Int { locations.count + otherLocations.count }

  func hasText(of id: String) -> Bool { location(of: id) != nil }

  package func text(of id: String) throws -> StoryText? {
    guard let location = location(of: id) else { return nil }
    return try files[Int(location.file)].text(Int(location.object))
  }

  package func text(of story: StoredItem) throws -> StoryText? {
    try text(underFirstOf: story.textKeys)
  }

  package func text(of story: borrowing ItemReader) throws -> StoryText? {
    try text(underFirstOf: story.textKeys())
  }

  package func hiddenText(of story: StoredItem) throws -> StoryText? {
    guard let key = story.articleKey else { return nil }
    if !story.article.isShown { return try text(of: key) }
    return story.item.textNumber == 0 ? nil : try text(of: story.id)
  }

  private func text(underFirstOf keys: [String]) throws -> StoryText? {
    for key in keys {
      if let text = try text(of: key) { return text }
    }
    return nil
  }

  private func location(of id: String) -> Location? {
    ItemID.number(of: id.utf8).map { locations[$0] } ?? otherLocations[id]
  }
}

struct TextFileBuilder: ~Copyable {
  private var writer = BinaryPropertyListWriter()
  private var keys: [BinaryPropertyListWriter.Object] = []
  private var values: [BinaryPropertyListWriter.Object] = []
  private var seen = ItemIDs()
  private let live: ItemIDs?
  private(set) var size = 0

  init(_ live: ItemIDs?) {
    self.live = live
  }

  mutating func add(_ text: NewText, to sink: AtomicFile.Sink) throws {
    guard takes(text.id), let whole = try text.stories.text(at: text.index) else { return }
    add(whole, of: text.id)
    try forward(to: sink)
  }

  /// Adds the texts of a file; returns false if some of it cannot be read.
  mutating func add(_ path: String, to sink: AtomicFile.Sink) throws -> Bool {
    guard let file = (try? TextFile(path)) ?? nil else { return false }
    for index in 0..<file.count {
      do {
        guard let (id, object) = try file.entry(index), takes(id) else { continue }
        if let text = try file.text(object) { add(text, of: id) }
      } catch {
        return false
      }
      try forward(to: sink)
    }
    return true
  }

  mutating func finish(_ path: String, to sink: AtomicFile.Sink) throws {
    guard try writer.finish(root: writer.add(keys: keys, values: values), to: sink) else {
      throw StorageError.tooLarge(path: path, limit: BinaryPropertyListWriter.maximumSize)
    }
  }

  private mutating func takes(_ id: String) -> Bool {
    guard live?.contains(id) ?? true, !seen.contains(id) else { return false }
    seen.insert(id)
    return true
  }

  private mutating func add(_ text: StoryText, of id: String) {
    size += text.bytes.count
    keys.append(writer.add(.string(id)))
    var names = [writer.addShared(.string(text.isHTML ? "html" : "text"))]
    var contents = [text.bytes.withUnsafeBufferPointer { writer.add(utf8: $0) }]
    if let base = text.base {
      names.append(writer.addShared(.string("base")))
      contents.append(writer.addShared(.string(base)))
    }
    if text.isCut {
      names.append(writer.addShared(.string("cut")))
      contents.append(writer.add(.boolean(true)))
    }
    values.append(writer.add(keys: names, values: contents))
  }

  private mutating func forward(to sink: AtomicFile.Sink) throws {
    guard writer.isFull else { return }
    try sink(writer.piece)
    writer.discardPiece()
  }
}
