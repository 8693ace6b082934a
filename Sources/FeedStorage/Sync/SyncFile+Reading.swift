internal import FeedModel
internal import PropertyLists
internal import System

/// Reading a file: what may be large is taken from where it stands, piece by piece, so that what is
/// left out takes no memory.
extension SyncFile {
  /// Where the large parts of a file are.
  struct Parts {
    let reader: BinaryPropertyListReader
    let path: String
    private(set) var small = PropertyListDictionary()
    private var objects: [String: Int] = [:]

    private static let large = ["marks", "tags", "settings", "stories"]
    /// As `expansionBudget`, of what is small in the file of another machine.
    private static let smallBudget = 1 << 20

    init(
      _ reader: BinaryPropertyListReader,
      _ path: String,
      isShared: Bool,
    ) throws(StorageError) {
      (self.reader, self.path) = (reader, path)
      let names = isShared ? SyncForm.shared.names : SyncForm.own.names
      var budget = isShared ? Self.smallBudget : reader.expansionBudget
      var (small, objects) = (small, objects)
      let isDictionary = try StorageError.reading(path) { () throws(PropertyListError) in
        try reader.forEachEntry(reader.root, atMost: 1_000) {
          key,
          value throws(PropertyListError) in
          guard let name = try reader.string(key), names.contains(name) else { return }
          if Self.large.contains(name) {
            objects[name] = value
          } else {
            small[name] = try reader.value(value, budget: &budget)
          }
        }
      }
      guard isDictionary else { throw .damaged(path: path, reason: SyncFile.damage) }
      (self.small, self.objects) = (small, objects)
    }

    func has(_ name: String) -> Bool { objects[name] != nil }

    /// The data under a name; nil where there is something else.
    func data(_ name: String) throws(StorageError) -> UnsafeRawBufferPointer? {
      guard let object = objects[name] else { return UnsafeRawBufferPointer(start: nil, count: 0) }
      return try StorageError.reading(path) { () throws(PropertyListError) in
        try reader.data(object)
      }
    }

    /// Calls `body` with each tag's name and its marks, as long as it says so.
    func forEachTag(
      _ body: (String, UnsafeRawBufferPointer) throws(StorageError) -> Bool
    ) throws(StorageError) {
      guard let object = objects["tags"] else { return }
      let entries = try StorageError.reading(path) { () throws(PropertyListError) in
        try reader.entries(object)
      }
      guard let entries else { return }
      for index in 0..<entries.count {
        let tag = try StorageError.reading(path) {
          () throws(PropertyListError) -> (String, UnsafeRawBufferPointer)? in
          guard let name = try reader.string(entries.key(index)),
            let data = try reader.data(entries.value(index))
          else { return nil }
          return (name, data)
        }
        if let tag, try !body(tag.0, tag.1) { return }
      }
    }

    /// Calls `body` with each setting, as long as it says so.
    ///
    /// - Returns: false where what they refer to would expand to more than `limit`.
    func forEachSetting(
      limit: Int?,
      _ body: (PropertyListDictionary) -> Bool,
    ) throws(StorageError) -> Bool {
      guard let object = objects["settings"] else { return true }
      var budget = limit ?? reader.expansionBudget
      return try StorageError.reading(path) { () throws(PropertyListError) in
        for index in 0..<(try reader.arrayCount(object) ?? 0) {
          guard let element = try reader.element(object, at: index) else { continue }
          do throws(PropertyListError) {
            let setting = try reader.value(element, budget: &budget)
            if let setting = setting.dictionary, !body(setting) { return true }
          } catch {
            guard case .tooLarge = error else { throw error }
            return false
          }
        }
        return true
      }
    }
  }
}

/// A mark as it stands in a file, in 23 bytes.
struct SyncMarkRecord: PackedRecord {
  var story: UInt64 = 0
  var time: UInt64 = 0
  /// The machine's number in the file.
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

/// Reads marks of a file.
struct SyncMarkReader {
  private let machines: [MachineID]
  private let latest: UInt64

  /// Marks later than `latest` are none.
  init(_ machines: [MachineID], latest: UInt64) {
    (self.machines, self.latest) = (machines, latest)
  }

  /// Calls `body` with each mark that is understood: of a tag, those of its name.
  ///
  /// - Returns: false where the last is cut short.
  func forEach(
    _ bytes: UnsafeRawBufferPointer,
    tag: String? = nil,
    _ body: (UInt64, SyncKey.StoryMark, Replica.Register) throws(StorageError) -> Void,
  ) throws(StorageError) -> Bool {
    // PERF: a name is looked at once, and not for each of its marks.
    let tagged = tag.flatMap { SyncKey.StoryMark.pair(0x80, tag: $0) }
    return try PackedFields.forEach(bytes) { (row: SyncMarkRecord) throws(StorageError) in
      guard row.machine < machines.count, row.time <= latest, tag == nil || tagged != nil,
        let (mark, value) = tagged.map({ ($0, row.mark > 0x7F ? $1 : .none) })
          ?? SyncKey.StoryMark.pair(row.mark, tag: nil),
        tag == nil || row.mark & 0x7F == 0
      else { return }
      let stamp = SyncStamp(time: row.time, machine: machines[Int(row.machine)])
      try body(row.story, mark, Replica.Register(value, stamp, serial: row.serial))
    }
  }
}
