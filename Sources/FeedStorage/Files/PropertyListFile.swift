internal import PropertyLists
internal import System

/// A property-list file of the store: its form, its limits, and what is wrong with it.
struct PropertyListFile<Contents: Sendable> {
  let path: String
  let coding: PropertyListCoding<Contents>
  /// The newest version that is understood, of a file that says one.
  var version: Int?
  var maximumSize = LibraryStore.maximumSize
  /// Why one that `coding` does not understand is damaged; nil where it counts as none.
  var damage: String? = "the top-level object is not a dictionary"

  /// nil where there is no file.
  func read() throws(StorageError) -> Contents? {
    guard let (reader, _) = try LibraryStore.reader(path, atMost: maximumSize) else { return nil }
    return try contents(reader)
  }

  /// The contents of bytes that came from the file's path.
  func contents(_ bytes: [UInt8]) throws(StorageError) -> Contents? {
    let reader = try StorageError.reading(path) { () throws(PropertyListError) in
      try PropertyList.reader(PropertyListBytes(bytes))
    }
    return try contents(reader)
  }

  private func contents(_ reader: BinaryPropertyListReader) throws(StorageError) -> Contents? {
    let value = try StorageError.reading(path) { () throws(PropertyListError) in
      try reader.value(reader.root)
    }
    return try contents(value)
  }

  /// The contents of what was read from the file.
  func contents(_ value: PropertyListValue) throws(StorageError) -> Contents? {
    try check(Int(value.dictionary?["version"]?.integer ?? 1))
    let contents = coding.decode(value)
    if contents == nil, let damage { throw .damaged(path: path, reason: damage) }
    return contents
  }

  private func check(_ found: Int) throws(StorageError) {
    guard let version, found > version else { return }
    throw .newerVersion(path: path, version: found, supported: version)
  }

  func bytes(_ contents: Contents) -> [UInt8] { PropertyList.encode(coding.encode(contents)) }

  /// Replaces the file; the caller holds the lock.
  func replace(by contents: Contents) throws(StorageError) {
    try AtomicFile(path: path).replace(bytes(contents))
  }

  /// As `AtomicFile.replaceUnsynced`.
  func replaceUnsynced(by contents: Contents) throws(StorageError) {
    try AtomicFile(path: path).replaceUnsynced { () throws(StorageError) in bytes(contents) }
  }
}
