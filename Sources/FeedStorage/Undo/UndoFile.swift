internal import PropertyLists
internal import System

/// The file of what `news undo` takes back, `undo.plist`.
///
/// A dictionary; where some stories were cleared they are in its array `stories`. Where all were,
/// the data file itself was set aside instead: renaming it costs the same for any number of them.
struct UndoFile {
  let path: String
  /// The data file, where its link leads.
  let dataPath: String

  /// Where the data file goes that is cleared as a whole; beside it, since only there can it be
  /// renamed to.
  var asidePath: String { dataPath + ".cleared" }

  func read() throws(StorageError) -> UndoRecord? {
    guard let (reader, status) = try LibraryStore.reader(path) else { return nil }
    var root = PropertyListDictionary()
    var stories: Int?
    try StorageError.reading(path) { () throws(PropertyListError) in
      _ = try reader.forEachEntry(reader.root, atMost: ItemReader.maximumKeys) {
        (key, value) throws(PropertyListError) in
        guard let name = try reader.string(key) else { return }
        if name == Self.storiesKey {
          stories = value
        } else {
          root.append(name, try reader.value(value))
        }
      }
    }
    try checkVersion(root)
    guard var record = UndoRecord.table.contents(root), stories != nil || record.isComplete else {
      throw .damaged(path: path, reason: "it does not say what was done")
    }
    if let stories {
      let cleared = try ItemTable(reader, array: stories, path: path, status: status)
      guard record.counts(cleared) else {
        throw .damaged(path: path, reason: "it has not as many stories as it says")
      }
      record.cleared = cleared
    } else if let dataFile = record.dataFile {
      record.cleared = try aside(dataFile)
    }
    return record
  }

  /// Whether it tells of stories that it would bring back; nobody knows of a damaged one.
  var hasCleared: Bool {
    guard let (reader, _) = (try? LibraryStore.reader(path)) ?? nil else { return false }
    var isFound = false
    _ = try? reader.forEachEntry(reader.root, atMost: ItemReader.maximumKeys) {
      (key, _) throws(PropertyListError) in
      let name = try reader.string(key)
      isFound = isFound || name == Self.storiesKey || name == "dataFile"
    }
    return isFound
  }

  private static let storiesKey = "stories"

  private func checkVersion(_ root: PropertyListDictionary) throws(StorageError) {
    let version = Int(root["version"]?.integer ?? 1)
    guard version <= UndoRecord.version else {
      throw .newerVersion(path: path, version: version, supported: UndoRecord.version)
    }
  }

  /// The file that was set aside; nil when that never happened.
  private func aside(_ file: SetAsideFile) throws(StorageError) -> ItemTable? {
    guard let (_, found) = try OpenFile.reading(asidePath) else { return nil }
    guard SetAsideFile(found) == file else {
      // A clearing that was stopped has not come to replace the one before it.
      if let (_, kept) = try OpenFile.reading(dataPath), SetAsideFile(kept) == file {
        return nil
      }
      let reason = "it is not the file that \(FilePath.name(of: path)) tells of"
      throw .damaged(path: asidePath, reason: reason)
    }
    guard let (reader, status) = try LibraryStore.reader(asidePath) else { return nil }
    return try ItemTable(reader, path: asidePath, status: status)
  }

  /// Writes a record beside the old one; the caller holds the lock.
  func prepare(
    _ record: UndoRecord,
    of table: ItemTable,
  ) throws(StorageError) -> PreparedFile {
    let root = UndoRecord.table.dictionary(record)
    return try AtomicFile(path: path).prepare { write throws(StorageError) in
      guard !record.clearing.isEmpty else {
        let bytes = PropertyList.encode(.dictionary(root))
        return try AtomicFile.pass(bytes, to: write)
      }
      let edits = record.clearing.map { ItemEdit.keep($0) }
      var builder = DataFileBuilder(table, for: edits, from: nil)
      try builder.write(edits, as: Self.storiesKey, in: root, to: write)
    }
  }

  func setAside() throws(StorageError) {
    try rename(dataPath, to: asidePath)
  }

  /// Puts the file that was set aside back, in place of whatever is there.
  func putBack() throws(StorageError) {
    try rename(asidePath, to: dataPath)
  }

  private func rename(_ old: String, to new: String) throws(StorageError) {
    let folder = try OpenFile.folder(FilePath.folder(of: dataPath))
    try folder.rename(FilePath.name(of: old), to: FilePath.name(of: new))
    try folder.synchronize()
  }

  /// Removes what no record tells of any more.
  func removeAside() throws(StorageError) {
    let folder = try OpenFile.folder(FilePath.folder(of: dataPath))
    try folder.remove(FilePath.name(of: asidePath))
  }

  func delete() throws(StorageError) {
    try AtomicFile(path: path).delete()
  }
}
