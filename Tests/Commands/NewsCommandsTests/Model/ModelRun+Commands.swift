import FeedFetching
import FeedStorage

extension ModelStep.Act {
  /// True for a command that says something new, rather than passing on what others have said.
  var isWord: Bool {
    switch self {
    case .refresh, .fetch, .refreshKeepingOne, .hang, .clear, .clearFeed, .deleteRead,
      .clearHistory,
      .sync, .faultySync:
      false
    default: true
    }
  }

  var canBeUndone: Bool {
    switch self {
    case .read, .unread, .star, .unstar, .later, .notLater, .readAll, .unreadAll, .starAll,
      .unstarAll, .note, .noNote, .open, .show, .showFull, .showFeedText, .showArticle,
      .subscribe, .unsubscribe, .move, .title, .tag, .untag, .addRule, .removeRule, .applyRule,
      .clear, .clearFeed, .deleteRead, .importList, .importStories, .save, .deletePage,
      .deleteStory:
      true
    default: false
    }
  }

  var asksFeeds: Bool { [.refresh, .fetch, .refreshKeepingOne, .hang].contains(self) }

  var isSync: Bool { asksFeeds || [.sync, .faultySync, .accept, .acceptAgain].contains(self) }

  fileprivate var mark: (words: [String], fact: (Int) -> Fact, value: String)? {
    switch self {
    case .read, .readAll: (["read"], Fact.read, "yes")
    case .unread, .unreadAll: (["unread"], Fact.read, "no")
    case .star, .starAll: (["star"], Fact.starred, "yes")
    case .unstar, .unstarAll: (["unstar"], Fact.starred, "no")
    case .later: (["tag", "later"], Fact.later, "yes")
    case .notLater: (["untag", "later"], Fact.later, "no")
    case .note: (["note"], Fact.noted, "yes")
    case .noNote: (["note", "--remove"], Fact.noted, "no")
    case .open: (["open"], Fact.read, "yes")
    case .show: (["show"], Fact.read, "yes")
    case .showFull: (["show", "--full"], Fact.read, "yes")
    case .showFeedText: (["show", "--from", "feed"], Fact.read, "yes")
    case .showArticle: (["show", "--from", "page"], Fact.read, "yes")
    default: nil
    }
  }
}

extension ModelRun {
  /// Returns the words of a command, or nil where its object does not exist.
  func words(_ step: ModelStep) throws -> [String]? {
    let (home, url) = (step.home, ModelWeb.url(step.feed))
    let rule = "r\(step.which % 3)"
    switch step.act {
    case .read, .unread, .star, .unstar, .later, .notLater, .noNote, .open, .show, .showFull,
      .showFeedText, .showArticle:
      return states[home].ids[step.story].map { (step.act.mark?.words ?? []) + [$0] }
    case .note: return states[home].ids[step.story].map { ["note", $0, "n"] }
    case .deleteStory: return states[home].ids[step.story].map { ["delete", $0] }
    case .readAll, .unreadAll, .starAll, .unstarAll:
      let filter = step.which % 2 == 0 ? [] : ["--feed", url]
      return (step.act.mark?.words ?? []) + ["--all"] + filter
    case .refreshKeepingOne: return ["refresh", "--keep", "1"]
    case .subscribe: return ["subscribe", url] + (step.which % 2 == 0 ? [] : ["--no-check"])
    case .move:
      let merge = step.which % 2 == 0 ? [] : ["--merge"]
      return ["move", url, ModelWeb.url(step.feed + ModelWeb.feeds)] + merge
    case .title: return ["feeds", "set", url, "--title", "T\(step.which % 3)"]
    case .tag, .untag: return ["feeds", "set", url, "--\(step.act)", "t\(step.which % 3)"]
    case .addRule:
      let digit = ModelBeliefs.digit(ofRule: step.which % 3)
      return ["rules", "add", rule, "--grep", "\(digit)", "--then", "star"]
    case .redo: return ["redo"]
    case .undoNumber:
      let changes = try world.homes[home].store.history().changes
      return changes.isEmpty ? nil : ["undo", "\(changes[step.which % changes.count].change)"]
    case .removeRule: return ["rules", "remove", rule]
    case .applyRule: return ["rules", "apply", rule]
    case .clear: return ["clear", "--yes"]
    case .clearFeed: return ["clear", "--yes", "--feed", url]
    case .deleteRead: return ["delete", "--all", "--grep", "is:read", "--yes"]
    case .clearHistory: return ["clear", "--history"]
    case .importList: return ["import", try world.export(from: other(step))]
    case .importStories: return ["import", try world.export(from: other(step), "--json")]
    case .sync: return try world.syncWords(home, place(step))
    case .faultySync: return try world.syncWords(home, .server)
    case .accept, .acceptAgain: return ["sync", "rss", "--accept"]
    case .unsubscribe: return ["unsubscribe", url]
    case .save: return ["save", ModelWeb.link(step.page)]
    case .deletePage: return page(step).flatMap { states[home].ids[$0] }.map { ["delete", $0] }
    case .followCommand: return ["subscribe", "--no-check", "--command", world.command]
    case .hang: return ["fetch", "--deadline", "2"]
    default: return ["\(step.act)"]
    }
  }

  func page(_ step: ModelStep) -> Int? {
    let saved = states[step.home].saved.sorted()
    return saved.isEmpty ? nil : saved[step.which % saved.count]
  }

  func place(_ step: ModelStep) -> ModelSetting.Place {
    step.act == .sync ? setting.places[step.which % setting.places.count] : .server
  }

  private func other(_ step: ModelStep) -> Int {
    (step.home + 1 + step.which % (setting.homes - 1)) % setting.homes
  }

  @discardableResult
  mutating func command(
    _ step: ModelStep,
    _ words: [String],
    _ place: ModelSetting.Place? = nil,
  ) throws -> CommandResult {
    let (home, before) = (step.home, states)
    let place =
      place
      ?? ([.sync, .faultySync, .accept, .acceptAgain].contains(step.act) ? self.place(step) : nil)
    if step.act.isSync { join(home, place) }
    if step.act == .faultySync { failServer(step.which) }
    try world.setHanging(step.act == .hang)
    let isSaved = step.act == .deleteStory && before[home].saved.contains(step.story)
    let page = step.act == .deletePage ? page(step) : isSaved ? step.story : nil
    var possible: ModelState?
    let result = try world.run(words, home, killedBefore: step.killedBefore) { [world] in
      possible = try world.state(home)
    }
    world.server.fail(nil)
    try world.setHanging(false)
    for number in states.indices
    where number == home || number >= world.homes.count || place == .machine
      || setting.places.contains(.machine)
    {
      states[number] = try world.state(number)
    }
    noteDeletions(step, before[home], possible)
    // Accepting what others have said is no word of its own; what a server has lost becomes one.
    if step.act.isWord, ![.accept, .acceptAgain].contains(step.act) || place == .server {
      note(step, before[home], possible ?? states[home], isWhole: possible == nil)
    }
    try check(step, before, isKilled: possible != nil, result)
    try checkSaved(step, before, deleting: page)
    pages.formUnion(states.flatMap(\.saved).filter { !ModelWeb.pages.contains($0) })
    if step.act == .hang { try checkHung(before) }
    if step.act.isSync, result.status == 0, let place { didSync(home, place) }
    return result
  }

  /// Remembers the stories that were deleted, or may have been: they go elsewhere, too.
  private mutating func noteDeletions(
    _ step: ModelStep,
    _ before: ModelState,
    _ possible: ModelState?,
  ) {
    guard [.deleteRead, .deletePage, .deleteStory].contains(step.act) else { return }
    let left = Set(states[step.home].ids.keys).intersection(
      (possible ?? states[step.home]).ids.keys
    )
    let gone = Set(before.ids.keys).subtracting(left)
    deleted.formUnion(gone)
    deletedPages.formUnion(gone.intersection(before.saved))
  }

  private mutating func join(_ home: Int, _ place: ModelSetting.Place?) {
    if !beliefs.joined.contains(home) { beliefs.join(facts[home]) }
    guard setting.hasServer, place ?? .server == .server, !knowServer.contains(home) else { return }
    beliefs.join(facts[home])
    beliefs.join(facts[beliefs.server])
  }

  private mutating func didSync(_ home: Int, _ place: ModelSetting.Place) {
    beliefs.joined.insert(home)
    if place == .server { knowServer.insert(home) } else { beliefs.told[home] = number }
  }

  /// Makes requests fail from one on, before or after the server has carried them out.
  private func failServer(_ first: Int) {
    let server = world.server
    server.forget()
    server.fail { _ in
      guard server.requests.count > first / 2 % 9 else { return nil }
      if first % 2 == 1 { return .error(.stalled(.seconds(15))) }
      return first % 4 == 0 ? .lost : .killed
    }
  }

  // MARK: What was said

  private mutating func note(
    _ step: ModelStep,
    _ before: ModelState,
    _ after: ModelState,
    isWhole: Bool,
  ) {
    let isImport = step.act == .importStories || step.act == .importList
    for (fact, old, new) in changes(from: before.facts, to: after.facts) {
      if let new, old != nil || isImport && new != fact.beginning {
        beliefs.act(fact, new, by: step.home, number)
        stale[step.home].remove(fact)
        if !isWhole { beliefs.doubt(fact) }
        if step.act.isReversal { beliefs.takeBack(fact, at: step.home) }
      } else if new == nil, step.act.isReversal, old == "yes", beliefs[fact].by == step.home {
        beliefs[fact].said.insert("no")
        beliefs.doubt(fact)
      }
    }
    if step.act == .move || step.act.isReversal { beliefs.didMove(step.feed) }
    if step.act.isReversal { for feed in 0..<ModelWeb.feeds { beliefs.didMove(feed) } }
    if isImport {
      for (fact, value) in after.facts where value == "yes" { beliefs.actInVain(fact, value) }
      // A list of another home may have the URL at which a feed is followed there by now.
      for feed in 0..<ModelWeb.feeds where after.facts[.follows(feed + ModelWeb.feeds)] == "yes" {
        beliefs.didMove(feed)
      }
    }
    guard let mark = step.act.mark else { return }
    for story in before.ids.keys where isMeant(story, by: step) {
      let fact = mark.fact(story)
      if before.facts[fact] == mark.value { beliefs.actInVain(fact, mark.value) }
    }
  }

  private func isMeant(_ story: Int, by step: ModelStep) -> Bool {
    switch step.act {
    case .read, .unread, .star, .unstar, .later, .notLater, .note, .noNote, .open, .show,
      .showFull, .showFeedText, .showArticle:
      story == step.story
    default: step.which % 2 == 0 || ModelWeb.feed(of: story) == step.feed
    }
  }
}
