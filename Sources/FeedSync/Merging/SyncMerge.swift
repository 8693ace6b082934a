package import FeedModel
package import FeedStorage
import FeedUpdating
package import System

/// What a home and what others know come to: a value; nothing is read or saved here.
///
/// What the home tells is what was recorded (`RecordedChanges`), with the time at which somebody did
/// it. What it has is never compared with what it had: stories that are cleared, dropped, or back
/// from a backup are nobody's change.
package struct SyncMerge {
  /// What the home is to remember.
  package internal(set) var state: SyncState
  /// Values that were changed here since the last merge.
  package internal(set) var sent = 0
  /// What others would take away or bring that is too much to be done without being asked.
  package private(set) var pending = PendingConsent()
  let library: Library
  let rules: [StoryRule]
  let now: Date
  /// The subscriptions that there are to be, where a server has said.
  var settled: [Subscription]?
  var merged: Replica
  let stories: SharedMarks
  private let serial: UInt32
  /// Whether feeds that others bring may be in a private network.
  let allowsPrivate: Bool
  var hasFilled = false
  private var machines: [MachineID: Replica.Sight]?
  /// What stories are known by of which others say anew that they are not deleted.
  var undeleted: Set<UInt64> = []

  /// Merges what a home remembers (`state`) and has with what others know, the home's own file in
  /// the folder among them.
  ///
  /// `recorded` is what was changed here; nil where nobody knows: then the home tells what it has, as
  /// done at some time before, and what either side has read, starred or followed stays so. `machines` is
  /// what each of the others has seen, nil where that of some is not known.
  package init(
    _ state: SyncState,
    _ recorded: RecordedChanges?,
    with known: Replica,
    machines: [MachineID: Replica.Sight]?,
    library: Library,
    rules: [StoryRule],
    now: Date,
    consent: SyncConsent = .asked,
    allowsPrivate: Bool = false,
  ) throws(StorageError) {
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
    if isNew { noteSettings() }
    let unknown = SyncKey.StoryMark.later.filter { state.replica.sight.later[$0] == nil }
    if isNew || !state.hasTags || !unknown.isEmpty {
      try noteMarks { isNew || $0.isTag && !state.hasTags || unknown.contains($0) }
    }
    (self.state.isNew, self.state.hasTags) = (false, true)
    fillAll()
    followMoves()
  }

  /// Ends the merge: what the home is to remember is complete.
  mutating func finish() {
    // Others know of it, though it has changed nothing yet.
    merged.sight.note(sent > 0 || hasFilled ? serial : serial - 1, of: state.machine)
    var replica = merged
    let oldest = SyncStamp.time(of: now.addingTimeInterval(-Self.longestMark))
    if var machines {
      machines[state.machine] = merged.sight
      replica.drop(seenBy: machines, before: oldest, hasOthers: !state.servers.isEmpty)
    }
    let known = stories.known
    // Clocks may be wrong, but what is of no story here is not carried on for ever.
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

  /// What the stored stories are known by.
  package var storyKeys: Set<UInt64> { stories.known }

  /// Seconds that the mark of a story is kept which is not stored here.
  private static let longestMark = 400 * 86_400.0

  // MARK: What was changed here

  /// Takes in what was recorded since the last merge.
  private mutating func take(_ recorded: RecordedChanges) throws(StorageError) {
    let new = recorded.later(than: state.taken)
    let indices = new.marks.isEmpty ? [:] : stories.indices
    for (mark, change) in new.marks {
      let current = indices[mark.story].map { stories.keys(of: $0) } ?? []
      var keys = (current.isEmpty ? change.keys : current).map { SyncKey.story($0, mark.mark) }
      if mark.mark == .deleted, change.value == .none {
        // Nobody has to hear of what nobody has heard of.
        guard keys.contains(where: { merged.registers[$0]?.value == .yes }) else { continue }
        keys +=
          try indices[mark.story].map { index throws(StorageError) in
            try clearedKeys(of: index)
          } ?? []
      }
      note(change.value, under: keys, at: change.time)
    }
    for (key, change) in new.settings { note(change.value, under: [key], at: change.time) }
    state.taken = max(state.taken, recorded.last)
  }

  /// The latest value that is recorded under any of some keys.
  func register(of keys: some Sequence<SyncKey>) -> Replica.Register? {
    keys.lazy.compactMap { merged.registers[$0] }.max()
  }

  /// Notes a change under all keys of what was changed; one made here comes behind all that the home
  /// knew when it was made, whatever the clocks say.
  mutating func note(_ value: SyncValue, under keys: [SyncKey], at time: UInt64) {
    guard !keys.isEmpty else { return }
    let last = register(of: keys)?.stamp.time ?? merged.collected
    let time = SyncStamp.time(ofChange: time, after: last)
    let stamp = SyncStamp(time: time, machine: state.machine)
    for key in keys { merged.registers[key] = Replica.Register(value, stamp, serial: serial) }
    sent += 1
  }

  /// Notes what the home has, as done at some time before.
  private mutating func noteSettings() {
    for (key, value) in SharedSettings(library.subscriptions, rules).values where value != .none {
      noteFound(value, under: [key], at: Self.earliest)
    }
  }

  private mutating func noteMarks(
    _ isWanted: (SyncKey.StoryMark) -> Bool
  ) throws(StorageError) {
    let dates = try library.items.storedTimes()
    for index in 0..<stories.count {
      let keys = stories.keys(of: index)
      for (mark, value) in stories.set(at: index) where isWanted(mark) {
        noteFound(value, under: keys.map { .story($0, mark) }, at: dates[index])
      }
    }
  }

  private static let earliest: UInt64 = 1

  /// Whether a feed is followed elsewhere instead.
  private func hasMoved(_ key: SyncKey) -> Bool {
    guard case .feed(let url, .followed) = key else { return false }
    return merged.registers[.feed(url, .moved)]?.value.text != nil
  }

  /// What is read, starred or followed stays so, though another has ended it some time; of everything
  /// else what others know counts.
  private mutating func noteFound(_ value: SyncValue, under keys: [SyncKey], at time: UInt64) {
    guard let known = register(of: keys) else {
      return note(value, under: keys, at: min(time, SyncStamp.time(of: now)))
    }
    guard known.isGone, keys[0].isKeptByAny, !hasMoved(keys[0]) else { return }
    note(value, under: keys, at: SyncStamp.time(of: now))
  }

  /// What was known under some of the keys is known under all of them from now on.
  private mutating func fillAll() {
    let others = merged.otherMarks
    for index in 0..<stories.count {
      let keys = stories.keys(of: index)
      guard keys.count > 1 else { continue }
      for mark in SyncKey.StoryMark.states { fill(keys.map { .story($0, mark) }) }
      fillDeletion(of: index, keys)
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

  /// What was set of a feed where it was before is set of it where it is now.
  private mutating func followMoves() {
    for case .feed(let old, .moved) in Array(merged.registers.others.keys) {
      let current = currentURL(of: old)
      guard current != old else { continue }
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

  /// Where a feed is followed that was followed at a URL.
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

  /// Takes what others know, but for what is to be asked about.
  private mutating func take(_ known: Replica, _ consent: SyncConsent) throws(StorageError) {
    var known = known
    var deferred: [SyncKey: Replica.Register] = [:]
    noteUndeleted(known)
    if consent != .accepted {
      let excess = try ExcessiveChanges(of: known, over: merged, stories, library, now)
      for key in excess.keys { deferred[key] = known.registers.removeValue(forKey: key) }
      // Who has not taken it all does not say that he has.
      if !deferred.isEmpty { known.sight = Replica.Sight() }
      if consent == .asked { pending = excess.pending }
    }
    merged.merge(known)
    guard consent == .restored else { return }
    for (key, register) in deferred {
      let value = merged.registers[key]?.value ?? .none
      let time = SyncStamp.time(ofChange: SyncStamp.time(of: now), after: register.stamp.time)
      note(value, under: [key], at: time)
    }
    try keepStories(deletedBy: deferred)
  }
}

extension SyncKey {
  /// Whether what somebody has stays as long as any side has it, where nobody knows since when.
  fileprivate var isKeptByAny: Bool {
    switch self {
    case .story, .feed(_, .followed), .rule: true
    case .feed, .ruleOrder: false
    }
  }
}
