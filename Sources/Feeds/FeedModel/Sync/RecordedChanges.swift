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

  package init(last: UInt64 = 0) {
    self.last = last
  }

  package var count: Int { marks.count + settings.count }

  /// Advances `last` to the time of a new change, later than all before it whatever the clock says.
  package mutating func advance(to date: Date) {
    last = SyncStamp.time(ofChange: SyncStamp.time(of: date), after: last)
  }

  package mutating func note(_ mark: Mark, _ value: SyncValue, keys: [UInt64]) {
    marks[mark] = MarkChange(value, keys: keys, time: last)
  }

  package mutating func note(_ values: [SyncKey: SyncValue]) {
    for (key, value) in values { settings[key] = SettingChange(value, time: last) }
  }

  package mutating func noteFormer(_ old: RecordedChanges) {
    var former = RecordedChanges()
    former.marks = old.marks.filter { marks[$0.key]?.time == last }
    former.settings = old.settings.filter { settings[$0.key]?.time == last }
    self.former = [former]
  }

  /// The changes as if the last one had never been made.
  package var withoutLast: RecordedChanges {
    var rest = RecordedChanges(last: last)
    let former = former.first ?? RecordedChanges()
    rest.marks = marks.filter { $0.value.time != last }.merging(former.marks) { $1 }
    rest.settings = settings.filter { $0.value.time != last }.merging(former.settings) { $1 }
    return rest
  }

  package func later(than time: UInt64) -> RecordedChanges {
    var rest = RecordedChanges(last: last)
    rest.marks = marks.filter { $0.value.time > time }
    rest.settings = settings.filter { $0.value.time > time }
    return rest
  }
}
