package import System

/// What somebody has changed here, with the time of it, until it is merged with what others know.
///
/// Nothing else is told to other machines and servers: that stories are cleared or dropped, or come back
/// without their marks, is nobody's change.
package struct RecordedChanges: Hashable, Sendable {
  /// A mark or a tag that a story got or lost.
  package struct Mark: Hashable, Sendable {
    /// The number of the story's id here.
    package let story: UInt64
    package let mark: SyncKey.StoryMark

    package init(_ story: UInt64, _ mark: SyncKey.StoryMark) {
      (self.story, self.mark) = (story, mark)
    }
  }

  /// What a mark has become, and what others know the story by.
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
  /// The time of the last change, of those that were merged too, as in `SyncStamp`.
  package var last: UInt64
  /// The values that the last change has taken the place of, as one record; empty where there was none.
  package var former: [RecordedChanges] = []
  /// The versions of the home's files from which the last change was made (`StoreGeneration`).
  package var before: [Int] = []

  package init(last: UInt64 = 0) {
    self.last = last
  }

  package var count: Int { marks.count + settings.count }

  /// Goes on to the time of a change, which is later than that of all before it, whatever the clock
  /// says.
  package mutating func advance(to date: Date) {
    last = SyncStamp.time(ofChange: SyncStamp.time(of: date), after: last)
  }

  /// Notes a mark at the time that was reached.
  package mutating func note(_ mark: Mark, _ value: SyncValue, keys: [UInt64]) {
    marks[mark] = MarkChange(value, keys: keys, time: last)
  }

  package mutating func note(_ values: [SyncKey: SyncValue]) {
    for (key, value) in values { settings[key] = SettingChange(value, time: last) }
  }

  /// Remembers what a change took the place of that was noted since `old`.
  package mutating func noteFormer(_ old: RecordedChanges) {
    var former = RecordedChanges()
    former.marks = old.marks.filter { marks[$0.key]?.time == last }
    former.settings = old.settings.filter { settings[$0.key]?.time == last }
    self.former = [former]
  }

  /// The changes without the last one, which was never made.
  package var withoutLast: RecordedChanges {
    var rest = RecordedChanges(last: last)
    let former = former.first ?? RecordedChanges()
    rest.marks = marks.filter { $0.value.time != last }.merging(former.marks) { $1 }
    rest.settings = settings.filter { $0.value.time != last }.merging(former.settings) { $1 }
    return rest
  }

  /// Without those that were merged: what came no later than a time.
  package func later(than time: UInt64) -> RecordedChanges {
    var rest = RecordedChanges(last: last)
    rest.marks = marks.filter { $0.value.time > time }
    rest.settings = settings.filter { $0.value.time > time }
    return rest
  }
}
