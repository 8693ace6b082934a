internal import FeedModel
internal import PropertyLists

extension RecordedChanges {
  /// The marks are data, those of tags and of other kinds by their names, and the others an array of
  /// dictionaries.
  static let table = own.adding([
    .init("former", { $1(&$0.former) }, .list(of: .dictionary(own))),
    .init("before", { $1(&$0.before) }, .list(of: .integer)),
  ])

  private static let own: PropertyListTable<RecordedChanges> = .init(
    RecordedChanges(),
    [
      .init("last", { $1(&$0.last) }, required: .time),
      .init("marks", { $0.visit(\.isFlag, $1) }, required: .states),
      .init("tags", { $0.visit(\.isTag, $1) }, .named(.tag(""))),
      .init("later", { $0.visit(\.isOther, $1) }, .others),
      .init("settings", { $1(&$0.settings) }, required: .settings),
      .init("bases", { $1(&$0.bases) }, .bases),
    ],
  )
}

extension RecordedChanges {
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

private struct BaseRecord: PackedRecord {
  var key: UInt64 = 0
  var base: UInt64 = 0

  mutating func visit(_ fields: inout PackedFields) {
    fields(&key)
    fields(&base)
  }
}

extension PropertyListCoding where Value == [UInt64: UInt64] {
  fileprivate static var bases: Self {
    PropertyListCoding<[BaseRecord]>.records().map(
      { records in Dictionary(records.map { ($0.key, $0.base) }) { $1 } },
      back: { bases in
        bases.sorted { $0.key < $1.key }.map { BaseRecord(key: $0.key, base: $0.value) }
      },
    )
  }
}

/// A changed mark, in 18 bytes and eight more for each key.
private struct MarkChangeRecord: PackedRecord {
  var story: UInt64 = 0
  var time: UInt64 = 0
  var mark: UInt8 = 0
  var keys: [UInt64] = []

  static let mostKeys = 255

  mutating func visit(_ fields: inout PackedFields) {
    fields(&story)
    fields(&time)
    fields(&mark)
    var count = UInt8(keys.count)
    fields(&count)
    // Blank keys are there to be read into.
    keys += [UInt64](repeating: 0, count: Int(count) - keys.count)
    for index in keys.indices { fields(&keys[index]) }
  }
}

extension PropertyListCoding where Value == [RecordedChanges.Mark: RecordedChanges.MarkChange] {
  fileprivate static var states: Self {
    PropertyListCoding<[MarkChangeRecord]>.records().map({ marks($0, nil) }, back: records)
  }

  fileprivate static func named(_ kind: SyncKey.StoryMark) -> Self {
    PropertyListCoding<[String: [MarkChangeRecord]]>.dictionary(of: .records()).map(
      { names in
        var all: Value = [:]
        for (name, records) in names {
          let named = SyncKey.StoryMark.named(name, kind)
          guard let named, let part = marks(records, named) else { return nil }
          all.merge(part) { $1 }
        }
        return all
      },
      back: { marks in
        Dictionary(grouping: marks) { $0.key.mark.name($0.value.value) }.mapValues(records)
      },
    )
  }

  /// A dictionary of such dictionaries by the names of the other kinds.
  fileprivate static var others: Self {
    PropertyListCoding<[String: PropertyListValue]>.dictionary(of: .value).map(
      { kinds in
        var all: Value = [:]
        for kind in SyncKey.StoryMark.others {
          guard let value = kinds[kind.kindName] else { continue }
          guard let part = named(kind).decode(value) else { return nil }
          all.merge(part) { $1 }
        }
        return all
      },
      back: { marks in
        var kinds: [String: PropertyListValue] = [:]
        for kind in SyncKey.StoryMark.others {
          let part = marks.filter { $0.key.mark == kind }
          if !part.isEmpty { kinds[kind.kindName] = named(kind).encode(part) }
        }
        return kinds
      },
    )
  }

  private static func marks(
    _ records: [MarkChangeRecord],
    _ named: SyncKey.StoryMark.Named?,
  ) -> Value? {
    var marks: Value = [:]
    for record in records {
      guard let (mark, value) = SyncKey.StoryMark.pair(record.mark, named) else { return nil }
      marks[RecordedChanges.Mark(record.story, mark)] =
        RecordedChanges.MarkChange(value, keys: record.keys, time: record.time)
    }
    return marks
  }

  private static func records(
    _ marks: some Sequence<(key: RecordedChanges.Mark, value: RecordedChanges.MarkChange)>
  ) -> [MarkChangeRecord] {
    marks.map { mark, change in
      MarkChangeRecord(
        story: mark.story,
        time: change.time,
        mark: mark.mark.byte(change.value),
        keys: Array(change.keys.prefix(MarkChangeRecord.mostKeys)),
      )
    }.sorted {
      ($0.time, $0.story, $0.mark & 0x7F) < ($1.time, $1.story, $1.mark & 0x7F)
    }
  }
}
