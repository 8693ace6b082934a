/// An effect of a history that no person would expect.
struct ModelFault: Error, Hashable, CustomStringConvertible {
  enum Claim: String {
    case nobodySaid = "what nobody did happens nowhere"
    case lastWord = "the last word counts everywhere"
    case agreed = "all places come to the same"
    case quiet = "a sync that has nothing to do does nothing"
    case savedStays = "a saved page stays until somebody deletes it"
    case hangsAlone = "a command that hangs costs no story"
    case starStays = "a starred story stays"
    case carriedStays = "a story that its feed carries stays, and comes back"
    case onlyOnce = "a story is there once"
    case undo = "undo gives back exactly what was"
    case boundedLoss = "what a server lost is not taken away without asking"
    case works = "a sync works"
    case textStays = "a story has its feed's text, and its page's article where that was fetched"
  }

  let claim: Claim
  let words: String

  var description: String { "not so: \(claim.rawValue): \(words)" }
}

/// Carries out the steps of a history in real homes, and compares the results with the model.
struct ModelRun {
  let world: ModelWorld
  var beliefs: ModelBeliefs
  /// The states of the homes, and of the server as the last.
  var states: [ModelState]
  /// Values that a home has because nothing has told it otherwise: from a file that was put back,
  /// or from stories that were dropped and came back as read.
  var stale: [Set<Fact>]
  var dropped: [Set<Int>]
  var goneForGood: [Set<Int>]
  var deleted: Set<Int> = []
  var deletedPages: Set<Int> = []
  /// The states that the next undos and redos are to give back, the next one last.
  var undoTo: [[[String]]]
  var redoTo: [[[String]]]
  /// Stories whose pages somebody has saved: on other machines a saved page is not the feed's
  /// story.
  var pages: Set<Int> = []
  var knowServer: Set<Int> = []
  /// The homes to which files were put back.
  var putBack: Set<Int> = []
  var number = 0

  private init(_ setting: ModelSetting) throws {
    world = try ModelWorld(setting)
    beliefs = ModelBeliefs(setting)
    states = try (0...setting.homes).map { [world] in try world.state($0) }
    stale = Array(repeating: [], count: states.count)
    dropped = Array(repeating: [], count: states.count)
    goneForGood = Array(repeating: [], count: states.count)
    undoTo = Array(repeating: [], count: states.count)
    redoTo = undoTo
  }

  static func fault(of history: ModelHistory) throws -> ModelFault? {
    var run = try ModelRun(history.setting)
    do {
      for step in history.steps { try run.perform(step) }
    } catch let fault as ModelFault {
      return fault
    }
    return nil
  }

  var setting: ModelSetting { world.setting }
  var facts: [Facts] { states.map(\.facts) }

  private mutating func perform(_ step: ModelStep) throws {
    pass()
    switch step.act {
    case .settle: try settle()
    case .delete, .backUp, .putBack: try file(step)
    case _ where step.act.isOnWeb: try world.work(step)
    case _ where step.act.isOnServer: try serve(step)
    default:
      guard let words = try words(step) else { return }
      try command(step, words)
    }
  }

  mutating func pass() {
    number += 1
    world.pass(1000)
  }

  // MARK: Files and the server

  private mutating func file(_ step: ModelStep) throws {
    let (home, name) = (step.home, ModelFiles.name(step.what))
    if step.act == .backUp { return world.backUp(home) }
    if step.act == .delete { world.delete(home, name) } else { world.putBack(home, name) }
    let before = facts
    states[home] = try world.state(home)
    forgetHistory(home)
    beliefs.distrust(home)
    if step.act == .putBack { putBack.insert(home) }
    // The files of sync say what was agreed on with a server, the log when.
    if name.hasPrefix("sync") { knowServer.remove(home) }
    if name.hasPrefix("sync") || name.hasPrefix("history") { beliefs.joined.remove(home) }
    for (fact, old, new) in changes(from: before[home], to: facts[home]) {
      if old != nil { beliefs.forget(fact, at: home, else: facts) }
      if new != nil, step.act == .putBack { stale[home].insert(fact) }
    }
  }

  private mutating func serve(_ step: ModelStep) throws {
    let (server, before) = (beliefs.server, facts)
    try world.work(step)
    states[server] = try world.state(server)
    let isLoss = step.act == .serverLoses || step.act == .serverPutBack
    for (fact, old, new) in changes(from: before[server], to: facts[server]) {
      if isLoss, new != nil {
        beliefs.lose(fact)
      } else if !isLoss, old != nil, let new {
        beliefs.act(fact, new, by: server, number)
      } else if new == nil {
        beliefs.forget(fact, at: server, else: facts)
      }
      if step.act == .serverUndo { beliefs.takeBack(fact, at: server) }
    }
    if step.act == .serverUndo { for feed in 0..<ModelWeb.feeds { beliefs.didMove(feed) } }
  }

  mutating func forgetHistory(_ home: Int) { (undoTo[home], redoTo[home]) = ([], []) }

  func changes(from old: Facts, to new: Facts) -> [(Fact, old: String?, new: String?)] {
    var changes: [(Fact, old: String?, new: String?)] = []
    for (fact, value) in new where old[fact] != value { changes.append((fact, old[fact], value)) }
    for (fact, value) in old where new[fact] == nil { changes.append((fact, value, nil)) }
    return changes
  }

  // MARK: All come to the same

  private mutating func settle() throws {
    guard !setting.places.isEmpty else { return }
    var (rounds, told) = (0, [""])
    while rounds < Self.maximumRounds, !told.isEmpty {
      rounds += 1
      guard let new = try synchronizeAll() else { return }
      told = new
    }
    guard told.isEmpty else { throw ModelFault(claim: .quiet, words: "\(told)") }
    if setting.clocks.isEmpty { try checkLastWords() }
    try checkAgreement()
    beliefs.settle(
      facts.enumerated().map { place, facts in facts.filter { !isApart($0.key, at: place) } }
    )
  }

  /// The number of rounds after which each home has told what it has, and heard what others have.
  private static let maximumRounds = 6

  /// Returns the reports of all syncs that changed anything; nil where one was not done.
  private mutating func synchronizeAll() throws -> [String]? {
    var (isDone, told) = (true, [String]())
    for home in world.homes.indices {
      for place in setting.places {
        pass()
        let report = try synchronize(home, place)
        isDone = isDone && report != nil
        if let report, !report.hasSuffix("nothing new\n") {
          told.append("home \(home), \(place): \(report)")
        }
      }
    }
    return isDone ? told : nil
  }

  /// Synchronizes, and agrees to any question but one about what the server lost.
  private mutating func synchronize(_ home: Int, _ place: ModelSetting.Place) throws -> String? {
    let words = try world.syncWords(home, place)
    var result = try command(ModelStep(act: .sync, home: home), words, place)
    if result.errors.contains("--accept"), beliefs.lost.isEmpty {
      let words = try world.syncWords(home, place) + ["--accept"]
      result = try command(ModelStep(act: .accept, home: home), words, place)
    }
    // A server that follows nothing may have lost its feeds.
    let followsNone = !facts[beliefs.server].contains { $0.key.isFollowing && $0.value == "yes" }
    guard result.status == 0 || !beliefs.lost.isEmpty || place == .server && followsNone else {
      throw ModelFault(claim: .works, words: "home \(home): \(result.errors)")
    }
    return result.status == 0 && !result.errors.contains("--accept") ? result.errors : nil
  }

  private func isApart(_ fact: Fact, at place: Int) -> Bool {
    if let story = fact.story, pages.contains(story) { return true }
    // A server follows a moved feed where it was, and so do homes that hear of it there alone.
    if place == beliefs.server || setting.places == [.server], case .follows(let feed) = fact,
      beliefs.hasMoved(feed)
    {
      return true
    }
    // Servers have no rules, and titles and tags of their own.
    if setting.hasServer, fact.isTitleOrTag { return true }
    if setting.places == [.server], isRuleOrElsewhere(fact) { return true }
    return stale[place].contains(fact)
      || place == beliefs.server && (!setting.hasServer || !beliefs.lost.isEmpty)
  }

  /// Returns true for a fact that a server does not carry: homes that share a server alone never
  /// hear of it.
  private func isRuleOrElsewhere(_ fact: Fact) -> Bool {
    if case .rule = fact { return true }
    return fact.story != nil && facts[beliefs.server][fact] == nil
  }

  private func checkLastWords() throws {
    for fact in beliefs.known {
      guard let sure = beliefs[fact].sure else { continue }
      for place in states.indices where !isApart(fact, at: place) {
        guard let value = facts[place][fact], value != sure else { continue }
        let last = beliefs[fact].by.map { name($0) } ?? "nobody"
        throw ModelFault(
          claim: .lastWord,
          words: "\(fact) is \(value) at \(name(place)), though \(last) said \(sure)",
        )
      }
    }
  }

  /// Expects the same of all places that have a fact, whoever was right.
  private func checkAgreement() throws {
    guard beliefs.lost.isEmpty else { return }
    for place in states.indices {
      for (fact, value) in facts[place] where !isApart(fact, at: place) {
        for home in world.homes.indices where home < place && !isApart(fact, at: home) {
          guard let own = facts[home][fact], own != value else { continue }
          throw ModelFault(
            claim: .agreed,
            words: "\(fact) is \(own) at \(name(home)), and \(value) at \(name(place))",
          )
        }
      }
    }
  }

  func name(_ place: Int) -> String { place == beliefs.server ? "the server" : "home \(place)" }
}
