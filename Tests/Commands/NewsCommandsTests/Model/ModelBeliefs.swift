/// The state that a person would expect after all commands: the last word on each fact, and who
/// said it.
struct ModelBeliefs {
  struct Belief {
    /// All values that anybody ever gave the fact.
    var said: Set<String> = []
    /// The values given since all places agreed last.
    var saidLately: Set<String> = []
    /// The places that have said anything since then.
    var byLately: Set<Int> = []
    /// The value that all are to have once they have heard of it; nil where nobody can tell.
    var sure: String?
    var by: Int?
    var step = 0
  }

  private var beliefs: [Fact: Belief] = [:]
  let setting: ModelSetting
  /// The homes, and the server, that were synchronized and have lost nothing of that since.
  var joined: Set<Int>
  /// The step at which each home was last synchronized with a folder or another home.
  var told: [Int: Int] = [:]
  /// The facts that the server has lost, or has as they were.
  private(set) var lost: Set<Fact> = []
  private var rules: Set<Int> = []
  private var moved: Set<Int> = []
  /// Facts about stories that went before another place had them, and may come back with them.
  private var hidden: Set<Fact> = []
  private(set) var server: Int

  init(_ setting: ModelSetting) {
    self.setting = setting
    server = setting.homes
    joined = [setting.homes]
  }

  subscript(fact: Fact) -> Belief {
    get { beliefs[fact] ?? Belief(sure: fact.beginning) }
    set { beliefs[fact] = newValue }
  }

  func hasBeenSaid(_ value: String, of fact: Fact) -> Bool {
    self[fact].said.contains(value) || value == "yes" && isOfRule(fact)
      || fact.elsewhere(moved).map { self[$0].said.contains(value) } ?? false
  }

  /// Returns true for a star that a rule may have set: rules star stories by their last digit.
  private func isOfRule(_ fact: Fact) -> Bool {
    guard case .starred(let story) = fact else { return false }
    return rules.contains { story % 10 == Self.digit(ofRule: $0) }
  }

  static func digit(ofRule rule: Int) -> Int { rule + 5 }

  // MARK: What somebody does

  mutating func act(_ fact: Fact, _ value: String, by place: Int, _ step: Int) {
    var belief = self[fact]
    let isFirst = belief.said.subtracting([value]).isEmpty
    hidden.remove(fact)
    belief.said.insert(value)
    belief.saidLately.insert(value)
    belief.byLately.insert(place)
    (belief.by, belief.step) = (place, step)
    belief.sure = value
    if !joined.contains(place), value != "yes" || !isFirst { belief.sure = nil }
    // Servers know no times: of two words nobody knows which was the last.
    if setting.hasServer, belief.saidLately.count > 1 || fact.isTitleOrTag { belief.sure = nil }
    if isOfRule(fact) { belief.sure = nil }
    self[fact] = belief
    switch fact {
    case .follows(let feed): didFollow(feed, value == "yes")
    case .rule(let rule): addRule(rule)
    case .tag(let feed, _): doubtTags(of: feed, besides: place)
    default: break
    }
  }

  mutating func actInVain(_ fact: Fact, _ value: String) {
    if self[fact].sure != value { doubt(fact) }
  }

  /// Doubts a word that is taken back, unless nobody else has said anything.
  mutating func takeBack(_ fact: Fact, at place: Int) {
    if !self[fact].byLately.isSubset(of: [place]) { doubt(fact) }
  }

  mutating func doubt(_ fact: Fact) { self[fact].sure = nil }

  /// Doubts the tags of a feed that other places have said something of: they are one setting, of
  /// which the last one counts.
  private mutating func doubtTags(of feed: Int, besides place: Int) {
    let tags = (0..<3).map { Fact.tag(feed: feed, $0) }
    guard !tags.allSatisfy({ self[$0].byLately.isSubset(of: [place]) }) else { return }
    for tag in tags {
      self[tag].said.insert("no")
      doubt(tag)
    }
  }

  private mutating func addRule(_ rule: Int) {
    rules.insert(rule)
    for fact in known where isOfRule(fact) { doubt(fact) }
  }

  /// Doubts the facts about the stories of a feed: they go with it, but for starred ones, and come
  /// back as new.
  private mutating func didFollow(_ feed: Int, _ follows: Bool) {
    for fact in known {
      if fact.feed == feed, !fact.isFollowing { doubt(fact) }
      if case .read(let story) = fact, ModelWeb.feed(of: story) == feed % ModelWeb.feeds, !follows {
        doubt(fact)
      }
    }
  }

  /// Doubts both URLs of a feed: the model does not say which one is followed in the end.
  mutating func didMove(_ feed: Int) {
    let feed = feed % ModelWeb.feeds
    moved.insert(feed)
    for feed in [feed, feed + ModelWeb.feeds] {
      for fact in [.follows(feed), .title(feed)] + (0..<3).map({ Fact.tag(feed: feed, $0) }) {
        doubt(fact)
      }
    }
  }

  func hasMoved(_ feed: Int) -> Bool { moved.contains(feed % ModelWeb.feeds) }

  // MARK: What gets lost

  /// Notes that the server lost a fact, or has it as it was, which nobody can tell from a word.
  mutating func lose(_ fact: Fact) {
    lost.insert(fact)
    doubt(fact)
    if case .follows(let feed) = fact { didFollow(feed, false) }
  }

  /// Notes that a place has lost a fact, which may be known elsewhere still.
  mutating func forget(_ fact: Fact, at place: Int, else states: [Facts]) {
    let belief = self[fact]
    guard belief.said != [fact.beginning], !belief.said.isEmpty else { return }
    let said = belief.sure ?? "yes"
    let isElsewhere = states.indices.contains { $0 != place && states[$0][fact] == said }
    // A server knows nothing of a story that no home has.
    let isNowhere =
      setting.hasServer
      && !states.indices.contains { $0 != place && $0 != server && states[$0][fact] != nil }
    if !isElsewhere, isNowhere || !isTold(belief) {
      doubt(fact)
      if said == "yes", belief.said.contains(said) { hidden.insert(fact) }
    }
  }

  /// Doubts the words of a home that nobody has heard: they may have been in a file that is lost.
  mutating func distrust(_ home: Int) {
    for (fact, belief) in beliefs where belief.by == home && !isTold(belief) { doubt(fact) }
  }

  private func isTold(_ belief: Belief) -> Bool {
    guard setting.homes > 1, let by = belief.by, let told = told[by] else { return false }
    return told > belief.step
  }

  // MARK: Who comes to the others

  /// Adds a new place, whose facts have no time: a mark of either side stays.
  mutating func join(_ facts: Facts) {
    for (fact, value) in facts where self[fact].sure != value {
      if value == "yes" {
        doubt(fact)
        self[fact].said.insert(value)
      } else if fact.isTitleOrTag {
        doubt(fact)
      }
    }
  }

  mutating func settle(_ states: [Facts]) {
    for fact in known {
      let values = Set(states.compactMap { $0[fact] })
      (self[fact].saidLately, self[fact].byLately) = ([], [])
      let isSure = values.count == 1 && !isOfRule(fact) && !hidden.contains(fact)
      self[fact].sure = isSure ? values.first : nil
    }
  }

  var known: [Fact] { Array(beliefs.keys) }
}

extension Fact {
  /// Returns the fact about the feed's other URL.
  ///
  /// Titles and tags move along, and who stops following one that has moved means both.
  fileprivate func elsewhere(_ moved: Set<Int>) -> Fact? {
    let other = feed.map { ($0 + ModelWeb.feeds) % (2 * ModelWeb.feeds) } ?? 0
    switch self {
    case .title: return .title(other)
    case .follows(let feed): return moved.contains(feed % ModelWeb.feeds) ? .follows(other) : nil
    case .tag(_, let tag): return .tag(feed: other, tag)
    default: return nil
    }
  }

  var isTitleOrTag: Bool {
    switch self {
    case .title, .tag: true
    default: false
    }
  }
}
