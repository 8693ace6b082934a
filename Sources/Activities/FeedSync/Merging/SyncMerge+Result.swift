import FeedLibrary
package import FeedModel
internal import FeedStorage

extension SyncMerge {
  package var moves: [(from: Subscription, to: String)] {
    library.subscriptions.compactMap { feed in
      let current = currentURL(of: feed.sharedURL)
      let isFollowed = merged.registers[.feed(current, .followed)]?.value == .yes
      return isFollowed && current != feed.sharedURL ? (feed, current) : nil
    }
  }

  /// The stories' new marks, tags and texts, by index, and the number of tags beyond the limit.
  var adjustments: (all: [Int: ItemAdjustment], tagsLeftOut: Int) {
    var tagsLeftOut = 0
    var changed: [Int: ItemAdjustment] = [:]
    let others = merged.otherMarks
    for index in 0..<stories.count {
      let (keys, old) = (stories.keys(of: index), stories.flags[index])
      var new = ItemAdjustment()
      for flag in StoryFlag.allCases {
        guard let register = register(.flag(flag), of: keys) else { continue }
        if !register.isGone != old[flag] { new.marks[flag] = !register.isGone }
      }
      let known = others.isEmpty ? [] : Set(keys.flatMap { others[$0] ?? [] })
      if known.contains(where: \.isTag) {
        let old = stories.tags[index] ?? []
        let (tags, leftOut) = tags(becoming: known.filter(\.isTag), of: keys, old)
        new.tags = tags == old ? nil : tags
        tagsLeftOut += leftOut
      }
      new.texts = texts(known, of: keys, stories.texts[index] ?? [:])
      if new != ItemAdjustment() { changed[index] = new }
    }
    return (changed, tagsLeftOut)
  }

  private func tags(
    becoming known: Set<SyncKey.StoryMark>,
    of keys: [UInt64],
    _ old: [String],
  ) -> (all: [String], leftOut: Int) {
    let marks = old.map { SyncKey.StoryMark.tagged($0).mark }
    var all = zip(old, marks).compactMap { name, mark in
      let register = register(mark, of: keys)
      return register?.isGone == true
        ? nil : (time: register?.stamp.time ?? 0, name: register?.value.text ?? name)
    }
    let new = known.filter { !marks.contains($0) }.compactMap { mark in
      register(mark, of: keys).flatMap { register in
        register.value.text.map { (time: register.stamp.time, name: $0) }
      }
    }
    all += new.sorted { $0.name < $1.name }
    guard all.count > TagList.most else { return (all.map(\.name), 0) }
    // All machines keep the same tags: those that were set first.
    all.sort { ($0.time, $0.name) < ($1.time, $1.name) }
    return (all.prefix(TagList.most).map(\.name), all.count - TagList.most)
  }

  private func texts(
    _ known: Set<SyncKey.StoryMark>,
    of keys: [UInt64],
    _ old: [SyncKey.StoryMark: String],
  ) -> [SyncKey.StoryMark: String] {
    var new: [SyncKey.StoryMark: String] = [:]
    for mark in SyncKey.StoryMark.texts where known.contains(mark) {
      let text = register(mark, of: keys)?.value.text ?? ""
      if text != old[mark] ?? "" { new[mark] = text }
    }
    return new
  }

  /// The register of a mark, which is equal under all of the story's keys that have one.
  ///
  /// A removal may be known under a former key alone.
  func register(_ mark: SyncKey.StoryMark, of keys: [UInt64]) -> Replica.Register? {
    keys.lazy.compactMap { merged.registers[.story($0, mark)] }.first
  }

  package var subscriptions: (all: [Subscription], gone: [Subscription]) {
    if let agreedSubscriptions {
      let urls = Set(agreedSubscriptions.map(\.url))
      return (agreedSubscriptions, library.subscriptions.filter { !urls.contains($0.url) })
    }
    let indices = SharedSettings(library.subscriptions, []).indices
    var all: [Subscription] = []
    var gone: [Subscription] = []
    for (index, feed) in library.subscriptions.enumerated() {
      let url = feed.sharedURL
      guard indices[url] == index else {
        all.append(feed)
        continue
      }
      if merged.registers[.feed(url, .followed)]?.isGone == true {
        gone.append(feed)
      } else {
        all.append(taking(feed))
      }
    }
    return (all + added(to: indices), gone)
  }

  private static let maximumFeeds = 10_000

  /// The feeds that others have added, in the order of their subscription.
  private func added(to indices: [String: Int]) -> [Subscription] {
    let new = merged.registers.others.compactMap { key, register -> (SyncStamp, String)? in
      guard case .feed(let url, .followed) = key, register.value == .yes, indices[url] == nil
      else { return nil }
      return (register.stamp, url)
    }
    return new.sorted { $0 < $1 }.prefix(max(Self.maximumFeeds - indices.count, 0)).map { _, url in
      var feed = Subscription(url: url)
      // Access to a private network is granted on each machine by itself.
      feed.state.isOnInternet = !allowsPrivate
      return taking(feed)
    }
  }

  private func taking(_ feed: Subscription) -> Subscription {
    var feed = feed
    let url = feed.sharedURL
    feed.take { merged.registers[.feed(url, $0)]?.value }
    return feed
  }

  static let (maximumRules, maximumRuleBytes) = (1_000, 256 << 10)

  /// The rules in their order, and the number of others' rules beyond the limits.
  var newRules: (all: [StoryRule], leftOut: Int) {
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
    let others = merged.registers.others.compactMap { key, register -> StoryRule? in
      guard case .rule(let name) = key, !names.contains(name) else { return nil }
      return register.value.rule?.local(feeds)
    }
    var (bytes, leftOut) = (rules.reduce(0) { $0 + $1.bytes }, 0)
    for rule in others.sorted(by: { $0.name < $1.name }) {
      let isTaken =
        rules.count < Self.maximumRules && bytes + rule.bytes <= Self.maximumRuleBytes
      bytes += isTaken ? rule.bytes : 0
      leftOut += isTaken ? 0 : 1
      if isTaken { rules.append(rule) }
    }
    return (ordered(rules), leftOut)
  }

  private func ordered(_ rules: [StoryRule]) -> [StoryRule] {
    let order = merged.registers[.ruleOrder]?.value.texts ?? []
    let indices = Dictionary(zip(order, order.indices), uniquingKeysWith: { first, _ in first })
    // The order may lack rules that several machines added at once.
    return rules.map { rule in
      let name = rule.name.lowercased()
      return (indices[name] ?? order.count, name, rule)
    }.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
  }
}

extension StoryRule {
  fileprivate var bytes: Int {
    (feeds + grep + actions.map(\.word) + [name]).reduce(64) { $0 + $1.utf8.count + 16 }
  }
}

extension Subscription {
  mutating func take(_ known: (SyncKey.SharedSetting) -> SyncValue?) {
    if let value = known(.title) { title = value.text }
    if let value = known(.tags) { tags = value.texts ?? [] }
    var settings = settings
    for setting in FeedSetting.allCases {
      if let value = known(.setting(setting)) { settings[setting] = value }
    }
    if settings != self.settings { apply(settings) }
  }
}
