package import System

/// Changes made here, with their times, until they are merged with what others know.
///
/// Nothing else is sent to other machines and servers: stories that are cleared or evicted, or come
/// back without their marks, are no change of the user's.
package struct RecordedChanges: Hashable, Sendable {
  package struct Mark: Hashable, Sendable {
    package let story: UInt64
    package let mark: SyncKey.StoryMark

    package init(_ story: UInt64, _ mark: SyncKey.StoryMark) {
      (self.story, self.mark) = (story, mark)
    }
  }

  /// The new value of a mark; `keys` are the hashes that other machines know the story by.
  package struct MarkChange: Hashable, Sendable {
    package let value: SyncValue
    package let keys: [UInt64]
    package let time: UInt64

    package init(_ value: SyncValue, keys: [UInt64], time: UInt64) {
      (self.value, self.keys, self.time) = (value, keys, time)
    }
  }

  package struct SettingChange: Hashable, Sendable {
    package let value: SyncValue
    package let time: UInt64

    package init(_ value: SyncValue, time: UInt64) { (self.value, self.time) = (value, time) }
  }

  package var marks: [Mark: MarkChange] = [:]
  package var settings: [SyncKey: SettingChange] = [:]
  /// The time of the last change, merged ones included, as in `SyncStamp`.
  package var last: UInt64
  /// The values that the last change replaced, in one record at most.
  package var former: [RecordedChanges] = []
  /// The versions of the home's files from which the last change was made (`StoreGeneration`).
  package var before: [Int] = []

  /// Hashes of what others know, by hashes of what was changed since.
  package var bases: [UInt64: UInt64] = [:]
  /// True while an undo or redo is recorded; it is not stored.
  ///
  /// A value that others know already is no change then: nobody has heard of the one before.
  package var isAnswer = false

  package init(last: UInt64 = 0) {
    self.last = last
  }

  package var count: Int { marks.count + settings.count }

  /// Advances `last` to the time of a new change, later than all before it whatever the clock says.
  package mutating func advance(to date: Date) {
    last = SyncStamp.time(ofChange: SyncStamp.time(of: date), after: last)
  }

  package mutating func note(
    _ mark: Mark,
    _ value: SyncValue,
    was old: SyncValue? = nil,
    keys: [UInt64],
  ) {
    let isNews = isNews(mark.hash, value, was: marks[mark] == nil ? old : nil)
    marks[mark] = isNews ? MarkChange(value, keys: keys, time: last) : nil
  }

  package mutating func note(_ values: [SyncKey: SyncValue], over old: [SyncKey: SyncValue]) {
    for (key, value) in values {
      let former = settings[key] == nil ? old[key, default: .none] : nil
      let isNews = isNews(key.hash, value, was: former)
      settings[key] = isNews ? SettingChange(value, time: last) : nil
    }
  }

  private mutating func isNews(_ key: UInt64, _ value: SyncValue, was old: SyncValue?) -> Bool {
    if let old { bases[key] = old.hash }
    guard isAnswer, bases[key] == value.hash else { return true }
    bases[key] = nil
    return false
  }

  package mutating func noteFormer(_ old: RecordedChanges) {
    var former = RecordedChanges()
    former.marks = old.marks.filter { marks[$0.key] != $0.value }
    former.settings = old.settings.filter { settings[$0.key] != $0.value }
    former.bases = old.bases.filter { bases[$0.key] != $0.value }
    self.former = [former]
  }

  /// The changes as if the last one had never been made.
  package var withoutLast: RecordedChanges {
    var rest = RecordedChanges(last: last)
    let former = former.first ?? RecordedChanges()
    rest.marks = marks.filter { $0.value.time != last }.merging(former.marks) { $1 }
    rest.settings = settings.filter { $0.value.time != last }.merging(former.settings) { $1 }
    rest.keep(bases.merging(former.bases) { $1 })
    return rest
  }

  private mutating func keep(_ bases: [UInt64: UInt64]) {
    let kept = Set(marks.keys.map(\.hash) + settings.keys.map(\.hash))
    self.bases = bases.filter { kept.contains($0.key) }
  }

  /// Drops the changes up to a time, which others know.
  package mutating func drop(until time: UInt64) {
    let rest = later(than: time)
    (marks, settings) = (rest.marks, rest.settings)
    keep(bases)
  }

  package func later(than time: UInt64) -> RecordedChanges {
    var rest = RecordedChanges(last: last)
    rest.marks = marks.filter { $0.value.time > time }
    rest.settings = settings.filter { $0.value.time > time }
    return rest
  }
}

extension RecordedChanges.Mark {
  // PERF: a mark may be of a million stories.
  fileprivate var hash: UInt64 {
    switch mark {
    case .flag(let flag): story &* (1 + 2 << UInt64(flag.rawValue))
    case .deleted: story &* 7
    case .tag, .note: story ^ FNV1a.hash("\(mark)")
    }
  }
}

extension SyncKey {
  fileprivate var hash: UInt64 { FNV1a.hash("\(self)") }
}

extension SyncValue {
  fileprivate var hash: UInt64 {
    switch self {
    case .none: 0
    case .yes: 1
    case .text(let text): FNV1a.hash(text)
    case .number, .texts, .rule: FNV1a.hash("\(self)")
    }
  }
}
