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
  package private(set) var state: SyncState
  /// Values that were changed here since the last merge.
  package private(set) var sent = 0
  /// What others would take away or bring that is too much to be done without being asked.
  package private(set) var pending = PendingConsent()
  let library: Library
  let rules: [StoryRule]
  let now: Date
  /// The subscriptions that there are to be, where a server has said.
  private var settled: [Subscription]?
  private var merged: Replica
  private let stories: SharedMarks
  private let serial: UInt32
  private var hasFilled = false
  private var machines: [MachineID: [MachineID: UInt32]]?

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
    machines: [MachineID: [MachineID: UInt32]]?,
    library: Library,
    rules: [StoryRule],
    now: Date,
    consent: SyncConsent = .asked,
  ) throws(StorageError) {
    self.state = state
    (self.library, self.rules, self.now) = (library, rules, now)
    self.machines = machines
    merged = state.replica
    stories = try SharedMarks(library.items, library.subscriptions)
    let seen = max(merged.seen[state.machine] ?? 0, known.seen[state.machine] ?? 0)
    serial = min(seen, 1 << 30 - 1) + 1
    if let recorded { take(recorded) }
    try take(known, consent)
    if recorded == nil || state.isNew { try noteAll() }
    self.state.isNew = false
    fillAll()
    followMoves()
  }

  /// Ends the merge: what the home is to remember is complete.
  mutating func finish() {
    // Others know of it, though it has changed nothing yet.
    merged.seen[state.machine] = sent > 0 || hasFilled ? serial : serial - 1
    var replica = merged
    let oldest = SyncStamp.time(of: now.addingTimeInterval(-Self.longestMark))
    if var machines {
      machines[state.machine] = merged.seen
      replica.drop(seenBy: machines, before: oldest, hasOthers: !state.servers.isEmpty)
    }
    let known = stories.known
    replica.dropMarks(before: oldest, except: known)
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
  private mutating func take(_ recorded: RecordedChanges) {
    let new = recorded.later(than: state.taken)
    let places = new.marks.isEmpty ? [:] : stories.places
    for (mark, change) in new.marks {
      let current = places[mark.story].map { stories.keys(of: $0) } ?? []
      let keys = (current.isEmpty ? change.keys : current).map { SyncKey.story($0, mark.mark) }
      note(change.isSet ? .yes : .none, under: keys, at: change.time)
    }
    for (key, change) in new.settings { note(change.value, under: [key], at: change.time) }
    state.taken = max(state.taken, recorded.last)
  }

  /// Notes a change under all keys of what was changed; one made here comes behind all that the home
  /// knew when it was made, whatever the clocks say.
  private mutating func note(_ value: SyncValue, under keys: [SyncKey], at time: UInt64) {
    guard !keys.isEmpty else { return }
    let last = keys.compactMap { merged.registers[$0]?.stamp.time }.max() ?? merged.dropped
    let stamp = SyncStamp(time: max(time, last + 1), machine: state.machine)
    for key in keys { merged.registers[key] = Replica.Register(value, stamp, serial: serial) }
    sent += 1
  }

  /// Notes what the home has, as done at some time before.
  private mutating func noteAll() throws(StorageError) {
    for (key, value) in SharedSettings(library.subscriptions, rules).values where value != .none {
      noteFound(value, under: [key], at: Self.earliest)
    }
    let dates = try library.items.storedTimes()
    for place in 0..<stories.count {
      let keys = stories.keys(of: place)
      for mark in SyncKey.StoryMark.allCases where stories.has(mark, at: place) {
        noteFound(.yes, under: keys.map { .story($0, mark) }, at: dates[place])
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
    let known = keys.compactMap { merged.registers[$0] }.max()
    guard let known else {
      return note(value, under: keys, at: min(time, SyncStamp.time(of: now)))
    }
    guard known.isGone, keys[0].isKeptByAny, !hasMoved(keys[0]) else { return }
    note(value, under: keys, at: SyncStamp.time(of: now))
  }

  /// What was known under some of the keys is known under all of them from now on.
  private mutating func fillAll() {
    for place in 0..<stories.count {
      let keys = stories.keys(of: place)
      guard keys.count > 1 else { continue }
      for mark in SyncKey.StoryMark.allCases { fill(keys.map { .story($0, mark) }) }
    }
  }

  private mutating func fill(_ keys: [SyncKey]) {
    guard let known = keys.compactMap({ merged.registers[$0] }).max() else { return }
    for key in keys where merged.registers[key]?.value ?? .none != known.value {
      let stamp = SyncStamp(time: known.stamp.time + 1, machine: state.machine)
      merged.registers[key] = Replica.Register(known.value, stamp, serial: serial)
      hasFilled = true
    }
  }

  /// What was set of a feed where it was before is set of it where it is now.
  private mutating func followMoves() {
    for case .feed(let old, .moved) in Array(merged.registers.keys) {
      let place = placeNow(of: old)
      guard place != old else { continue }
      for aspect in SyncKey.FeedAspect.allCases where aspect != .followed && aspect != .moved {
        guard let former = merged.registers[.feed(old, aspect)] else { continue }
        let present = merged.registers[.feed(place, aspect)]
        if present.map({ $0 < former }) ?? true {
          merged.registers[.feed(place, aspect)] = former
          hasFilled = true
        }
      }
    }
  }

  /// Where a feed is followed that was followed at a URL.
  private func placeNow(of url: String) -> String {
    var place = url
    for _ in 0..<SyncBounds.mostMoves {
      guard merged.registers[.feed(place, .followed)]?.isGone == true,
        let next = merged.registers[.feed(place, .moved)]?.value.text
      else { break }
      place = next
    }
    return place
  }

  // MARK: What others have changed

  /// Takes what others know, but for what is to be asked about.
  private mutating func take(_ known: Replica, _ consent: SyncConsent) throws(StorageError) {
    var known = known
    var held: [SyncKey: Replica.Register] = [:]
    if consent != .accepted {
      let excess = try ExcessiveChanges(of: known, over: merged, stories, library, now)
      for key in excess.keys { held[key] = known.registers.removeValue(forKey: key) }
      // Who has not taken it all does not say that he has.
      if !held.isEmpty { known.seen = [:] }
      if consent == .asked { pending = excess.pending }
    }
    merged.merge(known)
    guard consent == .restored else { return }
    for (key, register) in held {
      let value = merged.registers[key]?.value ?? .none
      note(value, under: [key], at: max(SyncStamp.time(of: now), register.stamp.time + 1))
    }
  }

  // MARK: What a server has changed

  /// What is recorded of a mark of a story, given by the keys that it is known by; nil where nothing is.
  func recorded(_ mark: SyncKey.StoryMark, of keys: [UInt64]) -> Bool? {
    let known = keys.lazy.compactMap { merged.registers[.story($0, mark)] }.max()
    return known.map { !$0.isGone }
  }

  func keys(of place: Int) -> [UInt64] { stories.keys(of: place) }

  /// Whether anything is recorded of a story that may be gone, by the number of its id.
  func isRecorded(_ story: UInt64) -> Bool {
    SyncKey.StoryMark.allCases.contains { merged.registers[.story(story, $0)] != nil }
  }

  /// How many stories have a mark; read ones of the last days alone.
  func marked(_ mark: SyncKey.StoryMark) throws(StorageError) -> Int {
    try stories.marked(mark, library, now)
  }

  /// Takes a change of a server, which does not say when it was made.
  mutating func take(_ mark: SyncKey.StoryMark, _ isSet: Bool, of keys: [UInt64]) {
    note(isSet ? .yes : .none, under: keys.map { .story($0, mark) }, at: SyncStamp.time(of: now))
    sent -= 1
    hasFilled = true
  }

  /// Remembers that it was merged with a server, where that changes anything here or there; gives the time by
  /// which both know it.
  mutating func agree(with server: String, hasEdits: Bool) -> UInt64 {
    let former = state.servers[server]?.time ?? 0
    guard former == 0 || hasEdits || hasFilled || sent > 0 else { return former }
    let time = max(SyncStamp.time(of: now), former + 1)
    state.servers[server] = ServerAgreement(time: time, former: former)
    return time
  }

  /// Whether what is remembered of a server belongs to what the home remembers.
  func agrees(_ merged: UInt64, with server: String) -> Bool {
    let agreement = state.servers[server]
    return merged == agreement?.time ?? 0 || merged == agreement?.former ?? 0
  }

  /// Takes the subscriptions as a server and the home have them together.
  mutating func take(_ subscriptions: [Subscription]) {
    let before = SharedSettings(self.subscriptions.all, [])
    for (key, value) in SharedSettings(subscriptions, []).changes(since: before)
    where key != .ruleOrder {
      note(value, under: [key], at: SyncStamp.time(of: now))
      sent -= 1
      hasFilled = true
    }
    settled = subscriptions
  }

  // MARK: What is to be changed here

  /// Feeds that are followed elsewhere now: their subscriptions, and where.
  package var moves: [(from: Subscription, to: String)] {
    library.subscriptions.compactMap { feed in
      let place = placeNow(of: feed.sharedURL)
      let isFollowed = merged.registers[.feed(place, .followed)]?.value == .yes
      return isFollowed && place != feed.sharedURL ? (feed, place) : nil
    }
  }

  /// The marks that stories are to have which have others now, by their places.
  var marks: [Int: ItemMarks] {
    var changed: [Int: ItemMarks] = [:]
    for place in 0..<stories.count {
      let (keys, old) = (stories.keys(of: place), stories.marks[place])
      var marks = ItemMarks()
      if let isRead = mark(.read, of: keys), isRead != old.isRead { marks.isRead = isRead }
      if let isStarred = mark(.starred, of: keys), isStarred != old.isStarred {
        marks.isStarred = isStarred
      }
      if marks != ItemMarks() { changed[place] = marks }
    }
    return changed
  }

  private func mark(_ mark: SyncKey.StoryMark, of keys: [UInt64]) -> Bool? {
    guard let key = keys.first, let value = merged.registers[.story(key, mark)]?.value else {
      return nil
    }
    return value == .yes
  }

  /// The subscriptions that there are to be, and those that go.
  package var subscriptions: (all: [Subscription], gone: [Subscription]) {
    if let settled {
      let urls = Set(settled.map(\.url))
      return (settled, library.subscriptions.filter { !urls.contains($0.url) })
    }
    let places = SharedSettings(library.subscriptions, []).places
    var all: [Subscription] = []
    var gone: [Subscription] = []
    for (place, feed) in library.subscriptions.enumerated() {
      let url = feed.sharedURL
      guard places[url] == place else {
        all.append(feed)
        continue
      }
      if merged.registers[.feed(url, .followed)]?.isGone == true {
        gone.append(feed)
      } else {
        all.append(taking(feed))
      }
    }
    return (all + added(to: places), gone)
  }

  private static let maximumFeeds = 10_000

  /// In the order in which they were subscribed to.
  private func added(to places: [String: Int]) -> [Subscription] {
    let new = merged.registers.compactMap { key, register -> (SyncStamp, String)? in
      guard case .feed(let url, .followed) = key, register.value == .yes, places[url] == nil
      else { return nil }
      return (register.stamp, url)
    }
    return new.sorted { $0 < $1 }.prefix(max(Self.maximumFeeds - places.count, 0)).map { _, url in
      var feed = Subscription(url: url)
      // Leave to be in a private network is given on each machine by itself.
      feed.state.isOnInternet = true
      return taking(feed)
    }
  }

  private func taking(_ feed: Subscription) -> Subscription {
    var feed = feed
    let url = feed.sharedURL
    feed.take { merged.registers[.feed(url, $0)]?.value }
    return feed
  }

  private static let (maximumRules, maximumRuleBytes) = (1_000, 1 << 19)

  /// The rules that there are to be, in their order.
  var newRules: [StoryRule] {
    let feeds = Dictionary(
      library.subscriptions.map { ($0.sharedURL, $0.url) },
      uniquingKeysWith: { first, _ in first },
    )
    var rules: [StoryRule] = []
    for rule in self.rules {
      let register = merged.registers[.rule(rule.name.lowercased())]
      if register?.isGone != true { rules.append(register?.value.rule?.local(feeds) ?? rule) }
    }
    let names = Set(self.rules.map { $0.name.lowercased() })
    let others = merged.registers.compactMap { key, register -> StoryRule? in
      guard case .rule(let name) = key, !names.contains(name) else { return nil }
      return register.value.rule?.local(feeds)
    }
    var bytes = rules.reduce(0) { $0 + $1.bytes }
    for rule in others.sorted(by: { $0.name < $1.name }) where rules.count < Self.maximumRules {
      bytes += rule.bytes
      if bytes <= Self.maximumRuleBytes { rules.append(rule) }
    }
    return ordered(rules)
  }

  private func ordered(_ rules: [StoryRule]) -> [StoryRule] {
    let order = merged.registers[.ruleOrder]?.value.texts ?? []
    let places = Dictionary(zip(order, order.indices), uniquingKeysWith: { first, _ in first })
    // Of rules that were added on several machines at once the order may name some only.
    return rules.map { rule in
      let name = rule.name.lowercased()
      return (places[name] ?? order.count, name, rule)
    }.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
  }
}

extension StoryRule {
  fileprivate var bytes: Int {
    (feeds + grep + actions.map(\.word) + [name]).reduce(64) { $0 + $1.utf8.count + 16 }
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

extension Subscription {
  /// Takes what is known of the feed; what is not is as it was.
  mutating func take(_ known: (SyncKey.FeedAspect) -> SyncValue?) {
    if let value = known(.title) { title = value.text }
    if let value = known(.tags) { tags = value.texts ?? [] }
    var settings = settings
    if let value = known(.interval) { settings.interval = value.number.map { .seconds($0) } }
    if let value = known(.keep) { settings.keep = value.number }
    if let value = known(.maxSize) { settings.maximumBytes = value.number }
    if let value = known(.userAgent) { settings.userAgent = value.text }
    if let value = known(.full) { settings.fetchesPages = value == .yes }
    if let value = known(.download) { settings.downloads = value.number }
    if let value = known(.downloadLimit) { settings.downloadBytes = value.number }
    if settings != self.settings { settle(settings) }
  }
}
