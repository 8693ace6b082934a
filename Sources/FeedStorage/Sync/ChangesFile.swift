internal import FeedModel
internal import PropertyLists
internal import System

/// The file `changes.plist`: what was changed here and is not merged yet.
///
/// It is there as soon as the home has been synchronized once, and saved with each change, before
/// the stories and subscriptions: who is stopped in between has told of a change that the next sync
/// makes here, too. A dictionary with the marks as data, those of tags by their names, and the others
/// as an array of dictionaries.
struct ChangesFile {
  let path: String

  fileprivate static let version = 1

  private var file: PropertyListFile<RecordedChanges> {
    PropertyListFile(
      path: path,
      coding: .dictionary(RecordedChanges.table),
      version: Self.version,
      maximumSize: 256 << 20,
      damage: nil,
    )
  }

  /// nil where there is none; what is damaged is no record, as if it were lost.
  func read() -> RecordedChanges? { (try? file.read()) ?? nil }

  func prepare(_ changes: RecordedChanges) throws(StorageError) -> PreparedFile {
    let bytes = file.bytes(changes)
    return try AtomicFile(path: path).prepare { sink throws(StorageError) in
      try AtomicFile.pass(bytes, to: sink)
    }
  }

  func save(_ changes: RecordedChanges) throws(StorageError) { try file.replace(by: changes) }
}

extension RecordedChanges {
  fileprivate static let table: PropertyListTable<RecordedChanges> = .init(
    RecordedChanges(),
    [
      .version { _ in ChangesFile.version },
      .init("last", { $1(&$0.last) }, required: .time),
      .init("marks", { $0.visit(\.isState, $1) }, required: .states),
      .init("tags", { $0.visit(\.isTag, $1) }, .tags),
      .init("settings", { $1(&$0.settings) }, required: .settings),
    ],
  )
}

extension RecordedChanges {
  /// Has the visitor at the marks of one kind, which stand under a key of their own.
  fileprivate mutating func visit(
    _ isOfKind: (SyncKey.StoryMark) -> Bool,
    _ visit: (inout [Mark: MarkChange]) -> Void,
  ) {
    var part = marks.filter { isOfKind($0.key.mark) }
    visit(&part)
    marks.merge(part) { $1 }
  }
}

extension PropertyListCoding where Value == [SyncKey: RecordedChanges.SettingChange] {
  /// An array of dictionaries, understood as a whole or not at all.
  fileprivate static var settings: Self {
    Self(
      decode: { value in
        var settings: Value = [:]
        for setting in value.array ?? [] {
          guard let setting = setting.dictionary, let (key, value) = SyncKey.pair(setting),
            let time = setting["time"].flatMap(PropertyListCoding<UInt64>.time.decode)
          else { return nil }
          settings[key] = RecordedChanges.SettingChange(value, time: time)
        }
        return settings
      },
      encode: { settings in
        .array(
          SyncKey.sorted(settings).map { key, change in
            var setting = key.dictionary(change.value)
            setting.append("time", PropertyListCoding<UInt64>.time.encode(change.time))
            return .dictionary(setting)
          }
        )
      },
    )
  }
}

extension PropertyListCoding where Value == [RecordedChanges.Mark: RecordedChanges.MarkChange] {
  private static var headSize: Int { 18 }

  /// Data: of each mark 18 bytes, and eight more for each key.
  fileprivate static var states: Self {
    PropertyListCoding<[UInt8]>.data.map({ read($0, tag: nil) }, back: bytes)
  }

  /// A dictionary: by its name the same data of each tag.
  fileprivate static var tags: Self {
    PropertyListCoding<[String: [UInt8]]>.dictionary(of: .data).map(
      { tags in
        var marks: Value = [:]
        for (tag, bytes) in tags {
          guard let part = read(bytes, tag: tag) else { return nil }
          marks.merge(part) { $1 }
        }
        return marks
      },
      back: { marks in
        Dictionary(grouping: marks) { $0.key.mark.tag($0.value.value) }.mapValues {
          bytes(Dictionary(uniqueKeysWithValues: $0.map { ($0.key, $0.value) }))
        }
      },
    )
  }

  private static func read(_ bytes: [UInt8], tag: String?) -> Value? {
    var (marks, start) = (Value(), 0)
    while start + headSize <= bytes.count {
      let count = Int(bytes[start + 17])
      guard start + headSize + 8 * count <= bytes.count,
        let (mark, value) = SyncKey.StoryMark.pair(bytes[start + 16], tag: tag)
      else { return nil }
      let keys = (0..<count).map { bytes.number(at: start + headSize + 8 * $0, width: 8) }
      let story = RecordedChanges.Mark(bytes.number(at: start, width: 8), mark)
      marks[story] = RecordedChanges.MarkChange(
        value,
        keys: keys,
        time: bytes.number(at: start + 8, width: 8),
      )
      start += headSize + 8 * count
    }
    return start == bytes.count ? marks : nil
  }

  private static func bytes(_ marks: Value) -> [UInt8] {
    var bytes: [UInt8] = []
    let sorted = marks.sorted {
      ($0.value.time, $0.key.story, $0.key.mark) < ($1.value.time, $1.key.story, $1.key.mark)
    }
    for (mark, change) in sorted {
      let keys = change.keys.prefix(255)
      bytes.append(mark.story, width: 8)
      bytes.append(change.time, width: 8)
      bytes.append(mark.mark.byte(change.value))
      bytes.append(UInt8(keys.count))
      for key in keys { bytes.append(key, width: 8) }
    }
    return bytes
  }
}
