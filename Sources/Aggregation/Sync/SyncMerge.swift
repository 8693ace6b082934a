package import FeedModel
package import FeedStorage
package import System

/// What a home and what others know come to: a value; nothing is read or saved here.
package struct SyncMerge {
  /// What the home is to remember.
  package private(set) var state: SyncState
  /// Values that were changed here since the last merge.
  package private(set) var sent = 0
  let library: Library
  let rules: [StoryRule]
  let now: Date
  /// What the home knew before.
  private let before: Replica
  private var merged: Replica
  private var stories: SharedMarks
  private let serial: UInt32
  private var hasFilled = false

  /// Merges what a home remembers (`state`) and has with what others know, the home's own file in
  /// the folder among them; `machines` is what each of the others has seen, nil where that of some is
  /// not known.
  package init(
    _ state: SyncState,
    with known: Replica,
    machines: [MachineID: [MachineID: UInt32]]?,
    library: Library,
    rules: [StoryRule],
    now: Date,
  ) throws(StorageError) {
    self.state = state
    (self.library, self.rules, self.now) = (library, rules, now)
    before = state.replica
    merged = state.replica
    merged.merge(known)
    serial = min(merged.seen[state.machine] ?? 0, 1 << 30 - 1) + 1
    stories = try SharedMarks(library.items, library.subscriptions)
    noteSettings()
    noteMarks()
    // Others know of it, though it has changed nothing yet.
    merged.seen[state.machine] = sent > 0 || hasFilled ? serial : serial - 1
    var replica = merged
    let oldest = SyncStamp.time(of: now.addingTimeInterval(-Self.longestMark))
    if var machines {
      machines[state.machine] = merged.seen
      replica.drop(seenBy: machines, before: oldest)
    }
    replica.dropMarks(before: oldest, except: stories.known)
    self.state.replica = replica
  }

  /// What the stored stories are known by.
  package var storyKeys: Set<UInt64> { stories.known }

  /// Seconds that the mark of a story is kept which is not stored here.
  private static let longestMark = 400 * 86_400.0

  // MARK: What was changed here

  private mutating func noteSettings() {
    var settings = SharedSettings(library.subscriptions, rules)
    settings.addGone(since: state.base)
    for (key, value) in settings.values { note(value, under: [key]) }
  }

  private mutating func noteMarks() {
    for place in 0..<stories.count {
      let (keys, marks) = (stories.keys(of: place), stories.marks[place])
      note(marks.isRead ? .yes : .none, under: keys.map { .story($0, .read) })
      note(marks.isStarred ? .yes : .none, under: keys.map { .story($0, .starred) })
    }
  }

  /// Takes in what the home has now of something that has these keys.
  ///
  /// What nobody knows has been changed as well: the home was never merged, or what it remembers is
  /// gone.
  private mutating func note(_ value: SyncValue, under keys: [SyncKey]) {
    let base = keys.compactMap { state.base[$0] }.first ?? .none
    let known = keys.compactMap { merged.registers[$0] }.max()
    if value != base || known == nil, value != known?.value ?? .none {
      let own = keys.map {
        before.changed($0, to: value, on: now, by: state.machine, serial: serial)
      }.max()
      if let own, known.map({ $0 < own }) ?? true {
        for key in keys { merged.registers[key] = own }
        sent += 1
        return
      }
    }
    guard let known else { return }
    // What was known under some of the keys is known under all of them from now on.
    for key in keys where merged.registers[key]?.value ?? .none != known.value {
      let stamp = SyncStamp(time: known.stamp.time + 1, machine: state.machine)
      merged.registers[key] = Replica.Register(known.value, stamp, serial: serial)
      hasFilled = true
    }
  }

  // MARK: What is to be changed here

  /// Feeds that are followed elsewhere now: their subscriptions, and where.
  package var moves: [(from: Subscription, to: String)] {
    library.subscriptions.compactMap { feed in
      var place = feed.sharedURL
      for _ in 0..<Self.mostMoves {
        guard merged.registers[.feed(place, .followed)]?.isGone == true,
          let next = merged.registers[.feed(place, .moved)]?.value.text
        else { break }
        place = next
      }
      let isFollowed = merged.registers[.feed(place, .followed)]?.value == .yes
      return isFollowed && place != feed.sharedURL ? (feed, place) : nil
    }
  }

  /// One after the other; hostile ones may go round in circles.
  private static let mostMoves = 16

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
  var subscriptions: (all: [Subscription], gone: [Subscription]) {
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

  /// Remembers what the home has from now on.
  mutating func settle(_ subscriptions: [Subscription], _ rules: [StoryRule]) {
    var base = SharedSettings(subscriptions, rules).values
    for place in 0..<stories.count {
      let (keys, marks) = (stories.keys(of: place), stories.marks[place])
      let read = mark(.read, of: keys) ?? marks.isRead
      let starred = mark(.starred, of: keys) ?? marks.isStarred
      for key in keys where read { base[.story(key, .read)] = .yes }
      for key in keys where starred { base[.story(key, .starred)] = .yes }
    }
    state.base = base.filter { $0.value != .none }
  }
}

extension StoryRule {
  fileprivate var bytes: Int {
    (feeds + grep + actions.map(\.word) + [name]).reduce(64) { $0 + $1.utf8.count + 16 }
  }
}

extension SyncState {
  /// The same for a feed that the home follows elsewhere from now on, because others do.
  package mutating func move(_ feed: Subscription, to place: String) {
    let isKnown = base[.feed(place, .followed)] != nil
    for aspect in SyncKey.FeedAspect.allCases {
      let value = base.removeValue(forKey: .feed(feed.sharedURL, aspect))
      if !isKnown { base[.feed(place, aspect)] = value }
    }
    base[.feed(feed.sharedURL, .moved)] = .text(place)
  }

  /// Forgets what the home had in a file that is gone: that was no wish.
  package mutating func forget(feeds: Bool, rules: Bool) {
    base = base.filter { key, _ in
      switch key {
      case .feed: !feeds
      case .rule, .ruleOrder: !rules
      case .story: true
      }
    }
  }
}
