internal import PropertyLists
internal import System

extension LibraryStore {
  /// Returns a file of the home that counts as missing where it is not understood.
  func record<Contents>(
    _ file: StoreFile,
    _ coding: PropertyListCoding<Contents>,
  ) -> PropertyListFile<Contents> {
    PropertyListFile(path: path(file), coding: coding, damage: nil)
  }
}

struct PropertyListFile<Contents: Sendable> {
  let path: String
  let coding: PropertyListCoding<Contents>
  /// The newest version that is understood; nil for a file without a version.
  var version: Int?
  var maximumSize = LibraryStore.maximumSize
  /// The reason of damage if `coding` does not understand the file; nil if the file then counts as
  /// missing.
  var damage: String? = "the top-level object is not a dictionary"

  func read() throws -> Contents? {
    guard let (reader, _) = try LibraryStore.reader(path, atMost: maximumSize) else { return nil }
    return try contents(reader)
  }

  func contents(_ bytes: [UInt8]) throws -> Contents? {
    let reader = try StorageError.translating(path) {
      try PropertyList.reader(PropertyListBytes(bytes))
    }
    return try contents(reader)
  }

  private func contents(_ reader: BinaryPropertyListReader) throws -> Contents? {
    let value = try StorageError.translating(path) {
      try reader.value(reader.root)
    }
    return try contents(value)
  }

  func contents(_ value: PropertyListValue) throws -> Contents? {
    try check(Int(value.dictionary?["version"]?.integer ?? 1))
    let contents = coding.decode(value)
    if contents == nil, let damage { throw StorageError.damaged(path: path, reason: damage) }
    return contents
  }

  private func check(_ found: Int) throws {
    guard let version, found > version else { return }
    throw StorageError.newerVersion(path: path, version: found, supported: version)
  }

  func bytes(_ contents: Contents) -> [UInt8] { PropertyList.encode(coding.encode(contents)) }

  /// Replaces the file; the caller holds the lock.
  func replace(by contents: Contents) throws {
    try AtomicFile(path: path, .following(.none)).replace(bytes(contents))
  }

  func replaceUnsynced(by contents: Contents) throws {
    try AtomicFile(path: path).replaceUnsynced { bytes(contents) }
  }
}
