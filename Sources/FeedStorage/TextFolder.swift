package import FeedModel
internal import PropertyLists
internal import System

/// The folder of whole stories, `texts/` (design §3): binary property lists, each a dictionary from a
/// story's id to a dictionary with `html` or `text`, and `base`.
///
/// A file never changes. What a run brings is a new one, which takes in the newer ones that are not
/// much larger, so that there are few; of several entries of an id the newest file's counts. Entries
/// whose story has gone stay until all files become one. A file that cannot be read is left as it is.
struct TextFolder {
  let path: String

  private struct File {
    let number: Int
    let size: Int
    let path: String
  }

  /// A file as large as this takes in no other.
  private static let maximumMerged = 256 << 20

  /// The newest first.
  private func files() -> [File] {
    let numbers = (POSIX.names(inFolder: path) ?? []).compactMap { name in
      name.hasSuffix(".plist") ? Int(name.dropLast(6)) : nil
    }
    return numbers.sorted(by: >).compactMap { number in
      let path = self.path(of: number)
      return FileStatus(at: path).map { File(number: number, size: $0.size, path: path) }
    }
  }

  private func path(of number: Int) -> String { "\(path)/\(number.padded(to: 8)).plist" }

  var isEmpty: Bool { files().isEmpty }

  // MARK: Reading

  /// The text of a story; nil where there is none.
  ///
  /// - Throws: where there may be one in a file that cannot be read.
  func text(of id: String) throws(StorageError) -> StoryText? {
    // A writer may put another file in the place of some while this looks.
    for _ in 0..<3 {
      var isWhole = true
      var failure: StorageError?
      for file in files() {
        do throws(StorageError) {
          let texts = try TextFile(file.path)
          isWhole = isWhole && texts != nil
          if let text = try texts?.text(of: id) { return text }
        } catch {
          failure = failure ?? error
        }
      }
      if let failure { throw failure }
      if isWhole { return nil }
    }
    return nil
  }

  func index() throws(StorageError) -> StoryTextIndex {
    var index = StoryTextIndex()
    for file in files() {
      if let texts = try TextFile(file.path) { try index.add(texts) }
    }
    return index
  }

  /// Calls `body` with each story that has a text; with some more than once.
  func forEachID(_ body: (String) -> Void) throws(StorageError) {
    for file in files() {
      try TextFile(file.path)?.forEachObject { id, _ in body(id) }
    }
  }

  // MARK: Writing

  /// Writes new texts; they count from then on, and `finish` is to be called once their stories are
  /// stored, or `discard` where those cannot be.
  ///
  /// `live` tells the ids of all stories that are or may come back; asked only where all becomes one
  /// file.
  func add(
    _ texts: [NewText],
    live: () throws(StorageError) -> ItemIDs,
  ) throws(StorageError) -> AddedTexts? {
    guard !texts.isEmpty else { return nil }
    let files = files()
    var size = max(texts.reduce(0) { $0 + $1.texts.size(at: $1.index) }, 64 << 10)
    let merged = files.prefix { file in
      guard file.size <= 2 * size, size + file.size <= Self.maximumMerged else { return false }
      size += file.size
      return true
    }
    let kept = merged.count > 1 && merged.count == files.count ? try live() : nil
    return try write(texts, and: Array(merged), after: files.first, keeping: kept)
  }

  /// Removes what no story points to, if that is a quarter of all.
  func collect(live: ItemIDs) throws(StorageError) {
    let files = files()
    var (ids, entries) = (ItemIDs(), 0)
    try forEachID { id in
      entries += 1
      if live.contains(id) { ids.insert(id) }
    }
    guard ids.count * 4 <= entries * 3 else { return }
    guard !ids.isEmpty else { return try remove(files.map(\.path)) }
    try write([], and: files, after: files.first, keeping: ids).finish()
  }

  private func write(
    _ texts: [NewText],
    and merged: [File],
    after newest: File?,
    keeping live: ItemIDs?,
  ) throws(StorageError) -> AddedTexts {
    try OpenFile.makeFolder(path)
    let path = self.path(of: (newest?.number ?? 0) + 1)
    var superseded: [String] = []
    try AtomicFile(path: path).replace { sink throws(StorageError) in
      var builder = TextFileBuilder(live)
      // The last of a story counts, as in the store.
      for text in texts.reversed() { try builder.add(text, to: sink) }
      for file in merged {
        do throws(StorageError) {
          try TextFile(file.path)?.withEach { id, text throws(StorageError) in
            try builder.add(text, of: id, to: sink)
          }
          superseded.append(file.path)
        } catch .damaged {
          continue
        }
      }
      try builder.finish(path, to: sink)
    }
    return AddedTexts(folder: self, path: path, superseded: superseded)
  }

  fileprivate func remove(_ paths: [String]) throws(StorageError) {
    guard !paths.isEmpty else { return }
    let folder = try OpenFile.folder(path)
    for path in paths { try folder.remove(FilePath.name(of: path)) }
    try folder.synchronize()
  }
}

/// Where the whole text of each story is: for whoever looks at many.
package struct StoryTextIndex: Sendable {
  private var files: [TextFile] = []
  private var places: [String: (file: Int, object: Int)] = [:]

  fileprivate mutating func add(_ file: TextFile) throws(StorageError) {
    let number = files.count
    files.append(file)
    var new = places
    try file.forEachObject { id, object in
      if new[id] == nil { new[id] = (number, object) }
    }
    places = new
  }

  package func text(of id: String) throws(StorageError) -> StoryText? {
    guard let (file, object) = places[id] else { return nil }
    return try files[file].text(object)
  }
}

/// A story's whole text that waits to be stored.
package struct NewText: Sendable {
  let id: String
  let texts: SpooledTexts
  let index: Int

  package init(id: String, texts: SpooledTexts, index: Int) {
    (self.id, self.texts, self.index) = (id, texts, index)
  }
}

/// A new file of texts, before their stories are stored.
struct AddedTexts {
  fileprivate let folder: TextFolder
  fileprivate let path: String
  /// The files of which it holds the entries.
  fileprivate let superseded: [String]

  /// Files that stay by an error are taken in by the next.
  func finish() {
    try? folder.remove(superseded)
  }

  func discard() {
    try? folder.remove([path])
  }
}

/// One file of texts, open.
private struct TextFile: Sendable {
  private let path: String
  private let reader: BinaryPropertyListReader
  /// So much of it is in memory at once, for whoever goes through it.
  private static let piece = 1 << 20

  /// nil where there is none.
  init?(_ path: String) throws(StorageError) {
    guard let (reader, _) = try LibraryStore.reader(path) else { return nil }
    (self.path, self.reader) = (path, reader)
  }

  func withEach(
    _ body: (_ id: String, _ text: StoryText) throws(StorageError) -> Void
  ) throws(StorageError) {
    var passed = 0
    try forEachObject { id, object throws(StorageError) in
      guard let text = try text(object) else { return }
      try body(id, text)
      passed += text.bytes.count
      guard passed > Self.piece else { return }
      passed = 0
      reader.bytes.releasePages()
    }
  }

  /// Calls `body` with each id and the object that is its text.
  func forEachObject(
    _ body: (_ id: String, _ object: Int) throws(StorageError) -> Void
  ) throws(StorageError) {
    guard let entries = try entries() else { return }
    for place in 0..<entries.count {
      let id = try read { () throws(PropertyListError) in try reader.string(entries.key(place)) }
      if let id { try body(id, entries.value(place)) }
    }
  }

  func text(of id: String) throws(StorageError) -> StoryText? {
    guard let entries = try entries() else { return nil }
    let place = try read { () throws(PropertyListError) -> Int? in
      for place in 0..<entries.count {
        let isFound =
          if case .ascii(let key)? = try reader.stringBytes(entries.key(place)) {
            key.elementsEqual(id.utf8)
          } else {
            try reader.string(entries.key(place)) == id
          }
        if isFound { return place }
      }
      return nil
    }
    guard let place else { return nil }
    return try text(entries.value(place))
  }

  private func entries() throws(StorageError) -> PropertyListEntries? {
    try read { () throws(PropertyListError) in try reader.entries(reader.root) }
  }

  func text(_ object: Int) throws(StorageError) -> StoryText? {
    try read { () throws(PropertyListError) in
      var (bytes, isHTML, base): ([UInt8]?, Bool, String?) = (nil, false, nil)
      _ = try reader.forEachEntry(object, atMost: 16) { (key, value) throws(PropertyListError) in
        switch try reader.string(key) {
        case "base": base = try reader.string(value)
        case "html", "text":
          bytes = try reader.stringBytes(value)?.withUTF8 { Array($0) }
          isHTML = try reader.isString(key, "html")
        default: break
        }
      }
      return bytes.map { StoryText(isHTML: isHTML, base: base, bytes: $0) }
    }
  }

  private func read<R>(
    _ body: () throws(PropertyListError) -> R
  ) throws(StorageError) -> R {
    try ItemTable.reading(path, body)
  }
}

/// The next file of texts, which goes out in pieces while it is made.
private struct TextFileBuilder: ~Copyable {
  private var writer = BinaryPropertyListWriter()
  private var keys: [BinaryPropertyListWriter.Object] = []
  private var values: [BinaryPropertyListWriter.Object] = []
  private var seen = ItemIDs()
  /// Whose texts alone are written; nil for all.
  private let live: ItemIDs?
  private var memory: [UInt8] = []

  init(_ live: ItemIDs?) {
    self.live = live
  }

  /// Of several texts of an id the first is kept.
  mutating func add(_ text: NewText, to sink: AtomicFile.Sink) throws(StorageError) {
    guard takes(text.id) else { return }
    var memory = memory
    self.memory = []
    try text.texts.withText(at: text.index, memory: &memory) { isHTML, base, utf8 in
      add(utf8, isHTML, base, of: text.id)
    }
    self.memory = memory
    try passOn(to: sink)
  }

  mutating func add(
    _ text: StoryText,
    of id: String,
    to sink: AtomicFile.Sink,
  ) throws(StorageError) {
    guard takes(id) else { return }
    text.bytes.withUnsafeBufferPointer { add($0, text.isHTML, text.base, of: id) }
    try passOn(to: sink)
  }

  private mutating func takes(_ id: String) -> Bool {
    guard live?.contains(id) ?? true, !seen.contains(id) else { return false }
    seen.insert(id)
    return true
  }

  private mutating func add(
    _ utf8: UnsafeBufferPointer<UInt8>,
    _ isHTML: Bool,
    _ base: String?,
    of id: String,
  ) {
    keys.append(writer.add(.string(id)))
    var names = [writer.addShared(.string(isHTML ? "html" : "text"))]
    var contents = [writer.add(utf8: utf8)]
    if let base {
      names.append(writer.addShared(.string("base")))
      contents.append(writer.addShared(.string(base)))
    }
    values.append(writer.add(keys: names, values: contents))
  }

  private mutating func passOn(to sink: AtomicFile.Sink) throws(StorageError) {
    guard writer.isFull else { return }
    try sink(writer.piece)
    writer.discardPiece()
  }

  mutating func finish(_ path: String, to sink: AtomicFile.Sink) throws(StorageError) {
    guard try writer.finish(root: writer.add(keys: keys, values: values), to: sink) else {
      throw .damaged(path: path, reason: "it would be larger than 4 GiB")
    }
  }
}
