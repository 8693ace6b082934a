extension ModelRun {
  mutating func check(
    _ step: ModelStep,
    _ before: [ModelState],
    isKilled: Bool,
    _ result: CommandResult,
  ) throws {
    for place in states.indices {
      let isHome = place < world.homes.count || setting.servesHome
      if isHome, let story = states[place].doubled.first {
        throw ModelFault(claim: .onlyOnce, words: "s\(story) is twice in \(name(place))")
      }
      if place < world.homes.count, !putBack.contains(place),
        let story = states[place].textless.first
      {
        throw ModelFault(claim: .textStays, words: "a text of s\(story) is gone in \(name(place))")
      }
      let isOwn = place == step.home && step.act.isWord
      try checkWords(step, place, before[place].facts, isOwn: isOwn)
      if !isKilled, step.act.isSync { try checkCarried(step, place, before[place].facts) }
    }
    try checkUndo(step, before[step.home], isKilled: isKilled, result)
    for place in states.indices where place != step.home {
      if states[place].whole != before[place].whole { forgetHistory(place) }
    }
  }

  private mutating func checkWords(
    _ step: ModelStep,
    _ place: Int,
    _ before: Facts,
    isOwn: Bool,
  ) throws {
    var unsaid: [Fact] = []
    for (fact, old, new) in changes(from: before, to: facts[place]) {
      guard let new else {
        try checkGone(fact, old ?? "", step, place)
        continue
      }
      if setting.hasServer, fact.isTitleOrTag { continue }
      guard !isOwn, !beliefs.hasBeenSaid(new, of: fact) else { continue }
      if old == nil, new == fact.beginning { continue }
      if old == nil, case .read(let story) = fact, dropped[place].contains(story) {
        stale[place].insert(fact)
        continue
      }
      guard beliefs.lost.contains(fact) else {
        throw ModelFault(
          claim: .nobodySaid,
          words: "\(fact) was \(old ?? "not there") at \(name(place)), and is \(new)",
        )
      }
      unsaid.append(fact)
    }
    try checkLoss(unsaid, place, before)
  }

  private mutating func checkGone(
    _ fact: Fact,
    _ old: String,
    _ step: ModelStep,
    _ place: Int,
  ) throws {
    guard let story = fact.story else { return }
    let mayGo =
      place == beliefs.server || (step.act == .clear || step.act.isReversal) && place == step.home
    let isUnstarred = beliefs[fact].saidLately.contains("no")
    if fact.isStar, old == "yes", !mayGo, !isUnstarred {
      throw ModelFault(claim: .starStays, words: "s\(story) is gone from \(name(place))")
    }
    if step.act.asksFeeds { dropped[place].insert(story) }
    if ![.clear, .clearFeed].contains(step.act) { goneForGood[place].insert(story) }
    stale[place].remove(fact)
    beliefs.forget(fact, at: place, else: facts)
  }

  /// Expects a question where more than a fifth of the feeds, or of the marks, would go.
  private func checkLoss(_ unsaid: [Fact], _ place: Int, _ before: Facts) throws {
    guard place < world.homes.count else { return }
    let kinds: [(String, least: Int, (Fact) -> Bool)] = [
      ("feeds", 2, { $0.isFollowing }), ("stars", 20, { $0.isStar }),
      ("read marks", 20, { $0.isRead }), ("tags of stories", 20, { $0.isLater }),
      ("notes", 20, { $0.isNoted }),
    ]
    for (name, least, isOfKind) in kinds {
      let gone = unsaid.count { isOfKind($0) && facts[place][$0] == "no" }
      let all = before.count { isOfKind($0.key) && $0.value == "yes" }
      guard gone > max(least, all / 5) else { continue }
      throw ModelFault(
        claim: .boundedLoss,
        words: "\(gone) of \(all) \(name) are gone from \(self.name(place))",
      )
    }
  }

  /// Expects that carried stories stay, and that a refresh brings those that are missing.
  private func checkCarried(_ step: ModelStep, _ place: Int, _ before: Facts) throws {
    guard place < world.homes.count, step.act != .refreshKeepingOne else { return }
    let isAsked = place == step.home && step.act.asksFeeds
    for feed in 0..<ModelWeb.feeds {
      let fact = Fact.follows(feed)
      guard before[fact] == "yes", facts[place][fact] == "yes" else { continue }
      for story in world.web.carried[feed] where facts[place][.read(story)] == nil {
        let mayMiss = goneForGood[place].contains(story) || putBack.contains(place)
        if deleted.contains(story) { continue }
        if before[.read(story)] == nil, !isAsked || mayMiss { continue }
        // A feed that has moved, or moved back, may be another feed to others until they ask it.
        if !isAsked, beliefs.hasMoved(feed) { continue }
        // The folder may end the feed, and the server bring it again, in one run.
        if setting.hasServer, beliefs[fact].saidLately.count > 1 { continue }
        throw ModelFault(claim: .carriedStays, words: "s\(story) is not in \(name(place))")
      }
    }
  }

  /// Expects that only the reader's own word takes a saved page away, or brings one.
  func checkSaved(_ step: ModelStep, _ before: [ModelState], deleting page: Int?) throws {
    for place in world.homes.indices {
      let (old, new) = (before[place].saved, states[place].saved)
      let isOwn = place == step.home
      let mayTakeAll = step.act.isReversal || step.act == .deleteRead
      let own = isOwn && mayTakeAll ? old : isOwn ? Set([page].compactMap(\.self)) : []
      let mayGo = own.union(step.act.isSync ? deletedPages : [])
      if let gone = old.subtracting(new).subtracting(mayGo).first {
        throw ModelFault(claim: .savedStays, words: "page \(gone) is gone from \(name(place))")
      }
      let mayCome =
        isOwn && (step.act.isReversal || [.save, .importStories].contains(step.act))
      if !mayCome, let come = new.subtracting(old).first {
        throw ModelFault(claim: .nobodySaid, words: "page \(come) is saved in \(name(place))")
      }
    }
  }

  /// Expects the stories that the command had printed before it hung.
  func checkHung(_ before: [ModelState]) throws {
    guard before[0].whole.contains(where: { $0.hasPrefix("exec:") }) else { return }
    for story in ModelWeb.printed where facts[0][.read(story)] == nil {
      if goneForGood[0].contains(story) { continue }
      throw ModelFault(claim: .hangsAlone, words: "s\(story) is not in \(name(0))")
    }
  }

  /// Returns true if a feed is followed again after its subscription was lost with a file: undoing
  /// that takes the stories along.
  private func isOrphaned(_ step: ModelStep, _ before: ModelState) -> Bool {
    guard step.act == .subscribe, before.facts[.follows(step.feed)] != "yes" else { return false }
    return before.ids.keys.contains { story in
      ModelWeb.feed(of: story) == step.feed % ModelWeb.feeds
        && before.facts[.starred(story)] != "yes"
    }
  }

  private mutating func checkUndo(
    _ step: ModelStep,
    _ before: ModelState,
    isKilled: Bool,
    _ result: CommandResult,
  ) throws {
    let (home, whole) = (step.home, states[step.home].whole)
    guard !isKilled, step.act != .undoNumber || whole == before.whole else {
      return forgetHistory(home)
    }
    switch step.act {
    case .undo, .redo:
      guard result.status == 0 else { return }
      let expected = step.act == .undo ? undoTo[home].popLast() : redoTo[home].popLast()
      guard let expected else { return forgetHistory(home) }
      if step.act == .undo { redoTo[home].append(before.whole) }
      if step.act == .redo { undoTo[home].append(before.whole) }
      guard expected != whole else { return }
      // What was deleted elsewhere meanwhile stays away.
      let isGone = { [deleted] (line: String) in deleted.contains { line.contains(" s\($0) ") } }
      let missing = expected.filter { !whole.contains($0) && !isGone($0) }.prefix(3)
      let more = whole.filter { !expected.contains($0) }.prefix(3)
      guard !(missing.isEmpty && more.isEmpty) else { return forgetHistory(home) }
      throw ModelFault(
        claim: .undo,
        words: "home \(home) lacks \(missing), and has \(more); \(result.errors)",
      )
    case _ where whole != before.whole:
      // What the new URL has brought stays, as after any refresh.
      let isMore = states[home].ids.count > before.ids.count || world.web.hasChanged
      let brings = step.act == .move && isMore
      redoTo[home] = []
      if step.act.canBeUndone, !brings, !isOrphaned(step, before) {
        undoTo[home].append(before.whole)
      } else {
        undoTo[home] = []
      }
    default: break
    }
  }
}
