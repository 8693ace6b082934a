import TestSupport

/// One step of a history: a command in a home, an event on the web or on the server, or the loss of
/// a file.
///
/// Its numbers are looked up when it is carried out, so that a history with fewer steps is one,
/// too.
struct ModelStep: Hashable, Sendable {
  enum Act: String, CaseIterable, Sendable {
    case read, unread, star, unstar, later, notLater, note, noNote, readAll, unreadAll, starAll,
      unstarAll, open,
      show, showFull, showFeedText, showArticle
    case refresh, fetch, refreshKeepingOne, subscribe, unsubscribe, move, title, tag, untag
    case save, deletePage, deleteStory, followCommand, hang
    case addRule, removeRule, applyRule, clear, clearFeed, deleteRead, clearHistory, undo, redo,
      undoNumber
    case importList, importStories, sync, faultySync, accept, acceptAgain, settle
    case delete, backUp, putBack
    case publish, change, vanish, comeBack
    case serverRead, serverUnread, serverStar, serverUnstar, serverLater, serverNotLater
    case serverSubscribe, serverUnsubscribe
    case serverFetch, serverBackUp, serverPutBack, serverLoses
    case serverUndo, serverClear

    var weight: Int {
      switch self {
      case .read, .star, .refresh: 6
      case .sync: 14
      case .unread, .unstar, .later, .publish, .serverFetch, .showFull: 4
      case .undo, .clear, .clearFeed, .readAll, .subscribe, .delete, .fetch, .starAll: 3
      case .redo, .unsubscribe, .serverRead, .serverStar, .settle, .backUp, .putBack, .deleteRead,
        .save,
        .hang:
        2
      default: 1
      }
    }

    /// True for a command that takes back, or does again, an earlier change.
    var isReversal: Bool { [.undo, .redo, .undoNumber].contains(self) }
    var isOnServer: Bool { rawValue.hasPrefix("server") }
    /// True for what only a home that serves can do.
    var isOfServingHome: Bool { self == .serverUndo || self == .serverClear }
    var isOnWeb: Bool { [.publish, .change, .vanish, .comeBack].contains(self) }
  }

  let act: Act
  var home = 0
  /// The number of the story, feed or file.
  var what = 0
  /// The number of the tag, place, other home or request.
  var which = 0
  /// The save or request before which the command is killed.
  var killedBefore: Int?

  private static let allChoices = Act.allCases.flatMap { Array(repeating: $0, count: $0.weight) }
  private static let usualChoices = allChoices.filter { !$0.isOfServingHome }

  static func random(_ setting: ModelSetting, _ chance: inout Chance) -> ModelStep {
    let choices = setting.servesHome ? allChoices : usualChoices
    var act = choices[chance.below(choices.count)]
    while !setting.has(act) { act = choices[chance.below(choices.count)] }
    var step = ModelStep(act: act, home: chance.below(setting.homes))
    (step.what, step.which) = (chance.below(32), chance.below(60))
    if step.act == .hang { step.home = 0 }
    if chance.below(12) == 0, step.canBeKilled { step.killedBefore = chance.below(6) }
    return step
  }

  private var canBeKilled: Bool {
    !act.isOnServer && !act.isOnWeb && ![.settle, .delete, .backUp, .putBack, .hang].contains(act)
  }

  var feed: Int { what % ModelWeb.feeds }
  var story: Int { ModelWeb.story(feed, what / ModelWeb.feeds) }
  /// The number of a web page: one that no feed has, or that of a story.
  var page: Int { which % 2 == 0 ? ModelWeb.firstPage + which % 4 : story }
}

extension ModelStep: CustomStringConvertible {
  var description: String {
    let killed = killedBefore.map { ", killed before save or request \($0)" } ?? ""
    if act.isOnWeb { return "web: \(act) of feed \(feed), \(what)" }
    if act.isOnServer { return "server: \(act.rawValue.dropFirst(6)) \(detail)" }
    if act == .settle { return "all: sync, until nothing changes" }
    return "home \(home): \(act) \(detail)\(killed)"
  }

  private var detail: String {
    switch act {
    case .read, .unread, .star, .unstar, .later, .notLater, .note, .noNote, .open, .show,
      .showFull, .showFeedText, .showArticle, .deleteStory:
      "s\(story)"
    case .serverRead, .serverUnread, .serverStar, .serverUnstar, .serverLater, .serverNotLater:
      "s\(story)"
    case .readAll, .unreadAll, .starAll, .unstarAll: which % 2 == 0 ? "" : "of feed \(feed)"
    case .subscribe, .unsubscribe, .move, .clearFeed, .serverSubscribe, .serverUnsubscribe:
      "feed \(feed)"
    case .title, .tag, .untag: "\(which % 3) of feed \(feed)"
    case .addRule, .removeRule, .applyRule: "r\(which % 3)"
    case .importList, .importStories: "from home \(which)"
    case .save: "page \(page)"
    case .deletePage: "\(which)"
    case .sync, .faultySync: "\(which)"
    case .delete, .putBack: ModelFiles.name(what)
    default: ""
    }
  }
}

struct ModelSetting: Hashable, Sendable, CustomStringConvertible {
  enum Place: String, CaseIterable, Sendable {
    case folder, machine, server
  }

  let homes: Int
  let places: [Place]
  /// True if the first home has a feed that a command prints, which hangs now and then.
  let hasCommand: Bool
  /// True if the server is a further home, with `news serve`.
  var servesHome = false
  /// How far the clock of a home that serves is ahead of the others'.
  var secondsAhead = 0.0
  /// The seconds by which the homes' clocks are wrong; nobody can tell then whose word was the last.
  var clocks: [Double] = []

  /// Returns the setting of a history in which a home serves one or two others.
  static func serving(_ chance: inout Chance) -> ModelSetting {
    let homes = 1 + min(chance.below(4), 1)
    let places: [Place] = chance.below(4) == 0 ? [.folder, .server] : [.server]
    // As in `random`.
    _ = chance.below(4)
    return ModelSetting(homes: homes, places: places, hasCommand: false, servesHome: true)
  }

  static func random(_ chance: inout Chance) -> ModelSetting {
    let homes = 1 + chance.below(3)
    let all: [[Place]] = [
      [.folder], [.server], [.machine], [.folder, .server], [.folder], [.server],
    ]
    var places = all[chance.below(all.count)]
    if homes == 1 { places.removeAll { $0 == .machine } }
    // A seed stands for the history that it has always stood for.
    _ = chance.below(4)
    return ModelSetting(
      homes: homes,
      places: places,
      hasCommand: chance.below(8) == 0,
    )
  }

  var hasServer: Bool { places.contains(.server) }

  func has(_ act: ModelStep.Act) -> Bool {
    switch act {
    case .importList, .importStories: homes > 1
    case .sync, .settle: !places.isEmpty
    case .faultySync, .accept, .acceptAgain: hasServer
    case .hang, .followCommand: hasCommand
    case .serverUndo, .serverClear: servesHome
    default: !act.isOnServer || hasServer
    }
  }

  var description: String {
    "\(homes) homes; \(places.map(\.rawValue).joined(separator: ", "))"
      + (hasCommand ? "; with a command" : "")
      + (servesHome ? "; the server is a home, \(secondsAhead) s ahead" : "")
      + (clocks.isEmpty ? "" : "; with wrong clocks")
  }
}

struct ModelHistory: Hashable, Sendable, CustomStringConvertible {
  let setting: ModelSetting
  var steps: [ModelStep]

  init(seed: Int, length: Int, servesHome: Bool = false) {
    var chance = Chance(seed: UInt64(seed))
    var setting = servesHome ? ModelSetting.serving(&chance) : .random(&chance)
    if servesHome { setting.secondsAhead = [0, 1_500, -1_500][seed % 3] }
    if seed % 8 == 5, !setting.hasServer { setting.clocks = [0, 5_000_000, -900_000_000] }
    steps = (0..<ModelWeb.feeds).map { ModelStep(act: .subscribe, what: $0) }
    if setting.hasCommand { steps.append(ModelStep(act: .followCommand)) }
    steps.append(ModelStep(act: .refresh))
    if chance.below(4) > 0 {
      steps.append(ModelStep(act: .settle))
      steps += (1..<max(setting.homes, 2)).filter { $0 < setting.homes }.map {
        ModelStep(act: .refresh, home: $0)
      }
      if setting.hasServer { steps.append(ModelStep(act: .serverFetch)) }
    }
    steps += (0..<length).map { _ in ModelStep.random(setting, &chance) }
    steps += (0..<setting.homes).map { ModelStep(act: .refresh, home: $0) }
    steps.append(ModelStep(act: .settle))
    self.setting = setting
  }

  var description: String {
    ([setting.description] + steps.map { "  \($0)" }).joined(separator: "\n")
  }
}
