package import FeedModel
internal import PropertyLists
internal import System

/// One file of whole texts, open: a dictionary from a story's id to a dictionary with `html` or `text`,
/// and `base`; `cut` is true where the page that the text is of shows only its beginning.
struct TextFile: Sendable {
  private let path: String
  private let reader: BinaryPropertyListReader

  /// nil where there is none.
  init?(_ path: String) throws(StorageError) {
    guard let (reader, _) = try LibraryStore.reader(path) else { return nil }
    (self.path, self.reader) = (path, reader)
  }

  func text(of id: String) throws(StorageError) -> StoryText? {
    let object = try read { () throws(PropertyListError) -> Int? in
      guard let entries = try reader.entries(reader.root) else { return nil }
      for index in 0..<entries.count where try isID(entries.key(index), id) {
        return entries.value(index)
      }
      return nil
    }
    guard let object else { return nil }
    return try text(object)
  }

  /// PERF: makes no string of a key that `news` wrote; one look goes past all of a file.
  private func isID(_ key: Int, _ id: String) throws(PropertyListError) -> Bool {
    guard case .ascii(let bytes)? = try reader.stringBytes(key) else {
      return try reader.string(key) == id
    }
    return bytes.elementsEqual(id.utf8)
  }

  func ids() throws(StorageError) -> [String] { try entries().map(\.id) }

  /// Ids, and the objects that are their texts.
  func entries() throws(StorageError) -> [(object: Int, id: String)] {
    try read { () throws(PropertyListError) in
      var found: [(object: Int, id: String)] = []
      _ = try reader.forEachEntry(reader.root) { (key, value) throws(PropertyListError) in
        if let id = try reader.string(key) { found.append((value, id)) }
      }
      return found
    }
  }

  func text(_ object: Int) throws(StorageError) -> StoryText? {
    try read { () throws(PropertyListError) in
      var (bytes, isHTML, base): ([UInt8]?, Bool, String?) = (nil, false, nil)
      var isCut = false
      _ = try reader.forEachEntry(object, atMost: 16) { (key, value) throws(PropertyListError) in
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

  /// For whoever goes through all of it: what was looked at leaves the memory.
  func releasePages() { reader.bytes.releasePages() }

  private func read<R>(
    _ body: () throws(PropertyListError) -> R
  ) throws(StorageError) -> R {
    try ItemTable.reading(path, body)
  }
}

/// Where the whole text of each story is: for whoever looks at many.
package struct StoryTextIndex: Sendable {
  private var files: [TextFile] = []
  private var locations: [String: (file: Int, object: Int)] = [:]
  /// Why a file could not be read.
  package internal(set) var failure: StorageError?

  /// Texts of files that were added before count.
  mutating func add(_ file: TextFile) throws(StorageError) {
    for (object, id) in try file.entries() where locations[id] == nil {
      locations[id] = (files.count, object)
    }
    files.append(file)
  }

  package var count: Int { locations.count }

  func hasText(of id: String) -> Bool { locations[id] != nil }

  package func text(of id: String) throws(StorageError) -> StoryText? {
    guard let (file, object) = locations[id] else { return nil }
    return try files[file].text(object)
  }
}

/// The next file of texts, which goes out in pieces while it is made.
struct TextFileBuilder: ~Copyable {
  private var writer = BinaryPropertyListWriter()
  private var keys: [BinaryPropertyListWriter.Object] = []
  private var values: [BinaryPropertyListWriter.Object] = []
  private var seen = ItemIDs()
  /// Whose texts alone are written; nil for all.
  private let live: ItemIDs?
  /// Bytes of texts so far.
  private(set) var size = 0

  /// So much of a file that is copied from is in memory at once.
  private static let piece = 1 << 20

  init(_ live: ItemIDs?) {
    self.live = live
  }

  /// Of several texts of an id the first is kept.
  mutating func add(_ text: NewText, to sink: AtomicFile.Sink) throws(StorageError) {
    guard takes(text.id), let whole = try text.stories.text(at: text.index) else { return }
    add(whole, of: text.id)
    try passOn(to: sink)
  }

  /// Adds what a file has; false where some of it cannot be read.
  mutating func add(_ path: String, to sink: AtomicFile.Sink) throws(StorageError) -> Bool {
    guard let file = (try? TextFile(path)) ?? nil, let entries = try? file.entries() else {
      return false
    }
    var released = size
    for (object, id) in entries where takes(id) {
      let text: StoryText?
      do { text = try file.text(object) } catch { return false }
      guard let text else { continue }
      add(text, of: id)
      try passOn(to: sink)
      guard size - released > Self.piece else { continue }
      released = size
      file.releasePages()
    }
    return true
  }

  mutating func finish(_ path: String, to sink: AtomicFile.Sink) throws(StorageError) {
    guard try writer.finish(root: writer.add(keys: keys, values: values), to: sink) else {
      throw .damaged(path: path, reason: "it would be larger than 4 GiB")
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

  private mutating func passOn(to sink: AtomicFile.Sink) throws(StorageError) {
    guard writer.isFull else { return }
    try sink(writer.piece)
    writer.discardPiece()
  }
}
