internal import FeedModel
internal import PropertyLists

/// Reading of a file: large parts are read in place, piece by piece, so that what is left out takes
/// no memory.
extension SyncFile {
  struct Parts {
    let reader: BinaryPropertyListReader
    let path: String
    private(set) var small = PropertyListDictionary()
    private var objects: [String: Int] = [:]

    private static let large = ["marks", "tags", "later", "settings"]
    /// The expansion budget of the small parts of another machine's file.
    private static let smallBudget = 1 << 20

    init(_ reader: BinaryPropertyListReader, _ path: String, isShared: Bool) throws {
      (self.reader, self.path) = (reader, path)
      let names = isShared ? SyncForm.shared.names : SyncForm.own.names
      var budget = isShared ? Self.smallBudget : reader.expansionBudget
      var (small, objects) = (small, objects)
      let isDictionary = try StorageError.translating(path) {
        try reader.forEachEntry(reader.root, atMost: 1_000) {
          key,
          value throws in
          guard let name = try reader.string(key), names.contains(name) else { return }
          if Self.large.contains(name) {
            objects[name] = value
          } else {
            small[name] = try reader.value(value, budget: &budget)
          }
        }
      }
      guard isDictionary else { throw StorageError.damaged(path: path, reason: SyncFile.damage) }
      (self.small, self.objects) = (small, objects)
    }

    /// The data under a name; nil for another kind of value.
    func data(_ name: String) throws -> UnsafeRawBufferPointer? {
      guard let object = objects[name] else { return UnsafeRawBufferPointer(start: nil, count: 0) }
      return try StorageError.translating(path) {
        try reader.data(object)
      }
    }

    func forEachName(
      of kind: SyncKey.StoryMark,
      _ body: (String, UnsafeRawBufferPointer) throws -> Bool,
    ) throws {
      guard let entries = try names(of: kind) else { return }
      for index in 0..<entries.count {
        let named = try StorageError.translating(path) {
          () throws -> (String, UnsafeRawBufferPointer)? in
          guard let name = try reader.string(entries.key(index)),
            let data = try reader.data(entries.value(index))
          else { return nil }
          return (name, data)
        }
        if let named, try !body(named.0, named.1) { return }
      }
    }

    private func names(of kind: SyncKey.StoryMark) throws -> PropertyListEntries? {
      guard let object = objects[kind.isTag ? "tags" : "later"] else { return nil }
      return try StorageError.translating(path) {
        guard let entries = try reader.entries(object), !kind.isTag else {
          return try reader.entries(object)
        }
        for index in 0..<entries.count where try reader.string(entries.key(index)) == kind.kindName
        {
          return try reader.entries(entries.value(index))
        }
        return nil
      }
    }

    /// Calls `body` with each setting, until it returns false.
    ///
    /// - Returns: false if the settings would expand to more than `limit`.
    func forEachSetting(limit: Int?, _ body: (PropertyListDictionary) -> Bool) throws -> Bool {
      guard let object = objects["settings"] else { return true }
      var budget = limit ?? reader.expansionBudget
      return try StorageError.translating(path) {
        for index in 0..<(try reader.arrayCount(object) ?? 0) {
          guard let element = try reader.element(object, at: index) else { continue }
          do {
            let setting = try reader.value(element, budget: &budget)
            if let setting = setting.dictionary, !body(setting) { return true }
          } catch PropertyListError.tooLarge {
            return false
          }
        }
        return true
      }
    }
  }
}

/// A mark in a file, in 23 bytes.
struct SyncMarkRecord: PackedRecord {
  var story: UInt64 = 0
  var time: UInt64 = 0
  var machine: UInt16 = 0
  var serial: UInt32 = 0
  var mark: UInt8 = 0

  static let size = PackedFields.bytes([SyncMarkRecord()]).count

  mutating func visit(_ fields: inout PackedFields) {
    fields(&story)
    fields(&time)
    fields(&machine)
    fields(&serial)
    fields(&mark)
  }
}
