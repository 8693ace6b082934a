package import FeedModel
package import FeedStorage
import FeedUpdating
package import System

/// A merge of a home with what others know, as a value: nothing is read or saved here.
///
/// A home's changes are those that were recorded (`RecordedChanges`), each with its time. Its
/// contents are never compared with former ones: a story that is cleared, evicted, or back from a
/// backup is no change of the user's.
package struct SyncMerge {
  package internal(set) var state: SyncState
  package internal(set) var sent = 0
  /// The changes of others that exceed the limits of `SyncBounds`.
  package private(set) var pending = PendingConsent()
  let library: Library
  let rules: [StoryRule]
  let now: Date
  /// The subscriptions merged with a server's, or nil without a server.
  var agreedSubscriptions: [Subscription]?
  var merged: Replica
  let stories: SharedMarks
  private let serial: UInt32
  let allowsPrivate: Bool
  var hasFilled = false
  private var machines: [MachineID: Replica.Seen]?
  /// The hashes of stories that others newly say are not deleted.
  var undeleted: Set<UInt64> = []

  /// Merges a home's state with what others know, including the home's own file in the folder.
  ///
  /// `recorded` has the changes made here, and is nil if the record is lost. Then the home tells all
  /// that it has, dated before any change, and what either side has read, starred or followed stays
  /// so. `machines` has the changes that each other machine has seen, and is nil if those of some are
  /// unknown.
  package init(
    _ state: SyncState,
    _ recorded: RecordedChanges?,
    with known: Replica,
    machines: [MachineID: Replica.Seen]?,
    library: Library,
    rules: [StoryRule],
    now: Date,
    consent: SyncConsent = .asked,
    allowsPrivate: Bool = false,
  ) throws {
    (self.state, self.allowsPrivate) = (state, allowsPrivate)
    (self.library, self.rules, self.now) = (library, rules, now)
    self.machines = machines
    merged = state.replica
    stories = try SharedMarks(library.items, library.subscriptions)
    let seen = max(merged.seen[state.machine] ?? 0, known.seen[state.machine] ?? 0)
    serial = min(seen, 1 << 30 - 1) + 1
    if let recorded { try take(recorded) }
    try take(known, consent)
    let isNew = recorded == nil || state.isNew
    if isNew {
      noteSettings()
      try noteMarks()
    }
    self.state.isNew = false
    fillAll()
    followMoves()
  }

  /// The last change of each machine that is known, with those that are made now.
  var heard: Replica.Seen { merged.seen.merging([state.machine: serial]) { max($0, $1) } }

  mutating func finish() {
    // Values filled in are new to the others, though nothing changed here.
    merged.seen[state.machine] = sent > 0 || hasFilled ? serial : serial - 1
    var replica = merged
    let oldest = SyncStamp.time(of: now.addingTimeInterval(-Self.longestMark))
    if var machines {
      machines[state.machine] = merged.seen
      replica.drop(seenBy: machines, before: oldest, hasOthers: !state.servers.isEmpty)
    }
    let known = stories.known
    // Clocks may be wrong, but marks of stories that are not stored are not kept for ever.
    let latest = max(SyncStamp.time(of: now.addingTimeInterval(Self.longestMark)), state.taken)
    replica.dropMarks(outside: min(oldest, latest)...latest, except: known)
    fit(&replica, known)
    state.replica = replica
  }

  private func fit(_ replica: inout Replica, _ known: Set<UInt64>) {
    let feeds = Set(library.subscriptions.map(\.sharedURL))
    let names = Set(rules.map { $0.name.lowercased() })
    replica.fit(of: state.machine, besides: Set((machines ?? [:]).keys)) { key in
      switch key {
      case .story(let story, _): known.contains(story)
      case .feed(let url, _): feeds.contains(url)
      case .rule(let name): names.contains(name)
      case .ruleOrder: true
      }
    }
  }

  /// The seconds for which a mark is kept whose story is not stored.
  private static let longestMark = 400 * 86_400.0

  // MARK: What was changed here

  private mutating func take(_ recorded: RecordedChanges) throws {
    let new = recorded.later(than: state.taken)
    let indices = new.marks.isEmpty ? [:] : stories.indices
    lazy var known = stories.known
    for (mark, change) in new.marks {
      // A key that a story has which is still here would mark that one.
      let hashes =
        indices[mark.story].map { stories.keys(of: $0) }
        ?? change.keys.filter { !known.contains($0) }
      var keys = hashes.map { SyncKey.story($0, mark.mark) }
      if mark.mark == .deleted, change.value == .none {
        // A deletion that no other machine knows of need not be taken back.
        guard keys.contains(where: { merged.registers[$0]?.value == .yes }) else { continue }
        keys +=
          try indices[mark.story].map { index in
            try clearedKeys(of: index)
          } ?? []
      }
      note(change.value, under: keys, at: change.time)
    }
    for (key, change) in new.settings { note(change.value, under: [key], at: change.time) }
    state.taken = max(state.taken, recorded.last)
  }

  func register(of keys: some Sequence<SyncKey>) -> Replica.Register? {
    keys.lazy.compactMap { merged.registers[$0] }.max()
  }

  /// Notes a change under all keys of its subject.
  ///
  /// Its time is later than all that the home knew when it was made, whatever the clocks say.
  mutating func note(_ value: SyncValue, under keys: [SyncKey], at time: UInt64) {
    guard !keys.isEmpty else { return }
    let last = register(of: keys)?.stamp.time ?? merged.collected
    let time = SyncStamp.time(ofChange: time, after: last)
    let stamp = SyncStamp(time: time, machine: state.machine)
    for key in keys { merged.registers[key] = Replica.Register(value, stamp, serial: serial) }
    sent += 1
  }

  private mutating func noteSettings() {
    for (key, value) in SharedSettings(library.subscriptions, rules).values where value != .none {
      noteFound(value, under: [key], at: Self.earliest)
    }
  }

  private mutating func noteMarks() throws {
    let dates = try library.items.storedTimes()
    for index in 0..<stories.count {
      let keys = stories.keys(of: index)
      for (mark, value) in stories.set(at: index) {
        noteFound(value, under: keys.map { .story($0, mark) }, at: dates[index])
      }
    }
  }

  private static let earliest: UInt64 = 1

  private func hasMoved(_ key: SyncKey) -> Bool {
    guard case .feed(let url, .followed) = key else { return false }
    return merged.registers[.feed(url, .moved)]?.value.text != nil
  }

  /// Notes a value whose time is unknown: a read, starred or followed state survives its removal by
  /// others, and for any other value theirs counts.
  private mutating func noteFound(_ value: SyncValue, under keys: [SyncKey], at time: UInt64) {
    guard let known = register(of: keys) else {
      return note(value, under: keys, at: min(time, SyncStamp.time(of: now)))
    }
    guard known.isGone, keys[0].isKeptByAny, !hasMoved(keys[0]) else { return }
    note(value, under: keys, at: SyncStamp.time(of: now))
  }

  /// Copies what is known under some keys of a story to all of its keys.
  private mutating func fillAll() {
    let (others, hasDeletions) = (merged.otherMarks, merged.registers.hasDeletions)
    for index in 0..<stories.count {
      let keys = stories.keys(of: index)
      guard keys.count > 1 else { continue }
      for mark in SyncKey.StoryMark.flags { fill(keys.map { .story($0, mark) }) }
      if hasDeletions { fillDeletion(of: index, keys) }
      guard !others.isEmpty else { continue }
      for mark in Set(keys.flatMap { others[$0] ?? [] }) { fill(keys.map { .story($0, mark) }) }
    }
  }

  mutating func fill(_ keys: [SyncKey]) {
    guard let known = register(of: keys) else { return }
    for key in keys where merged.registers[key]?.value ?? .none != known.value {
      let time = SyncStamp.time(ofCopy: known.stamp.time)
      let stamp = SyncStamp(time: time, machine: state.machine)
      merged.registers[key] = Replica.Register(known.value, stamp, serial: serial)
      hasFilled = true
    }
  }

  /// Copies settings of a feed's former URL to its present one, unless newer ones are there.
  private mutating func followMoves() {
    for case .feed(let old, .moved) in Array(merged.registers.others.keys) {
      let current = currentURL(of: old)
      guard current != old else { continue }
      followEnd(of: old, at: current)
      for setting in SyncKey.SharedSetting.sent {
        guard let former = merged.registers[.feed(old, setting)] else { continue }
        let present = merged.registers[.feed(current, setting)]
        if present.map({ $0 < former }) ?? true {
          merged.registers[.feed(current, setting)] = former
          hasFilled = true
        }
      }
    }
  }

  /// Ends a feed at its new URL that another machine than the one that moved it has ended since at
  /// the old one.
  private mutating func followEnd(of old: String, at current: String) {
    guard let move = merged.registers[.feed(old, .moved)]?.stamp,
      let end = merged.registers[.feed(old, .followed)]?.stamp, end > move,
      end.machine != move.machine,
      let present = merged.registers[.feed(current, .followed)], !present.isGone,
      present.stamp < end
    else { return }
    merged.registers[.feed(current, .followed)] = Replica.Register(.none, end, serial: serial)
    hasFilled = true
  }

  /// The URL at which a feed is followed after its moves.
  func currentURL(of url: String) -> String {
    var current = url
    for _ in 0..<SyncBounds.mostMoves {
      guard merged.registers[.feed(current, .followed)]?.isGone == true,
        let next = merged.registers[.feed(current, .moved)]?.value.text
      else { break }
      current = next
    }
    return current
  }

  // MARK: What others have changed

  private mutating func take(_ known: Replica, _ consent: SyncConsent) throws {
    var known = known
    noteUndeleted(known)
    if consent == .asked {
      let excess = try ExcessiveChanges(of: known, over: merged, stories, library, now)
      for key in excess.keys { known.registers[key] = nil }
      // A home that has not taken everything does not claim to have seen it.
      if !excess.keys.isEmpty { known.seen = [:] }
      pending = excess.pending
    }
    merged.merge(known)
  }
}

extension SyncKey {
  /// True for values that stay if any side has them when times are unknown.
  fileprivate var isKeptByAny: Bool {
    switch self {
    case .story, .feed(_, .followed), .rule: true
    case .feed, .ruleOrder: false
    }
  }
}
