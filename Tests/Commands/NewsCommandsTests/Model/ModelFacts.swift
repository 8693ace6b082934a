import FeedModel
import FeedStorage
import Synchronization

/// A fact about a story, a feed or a rule in a home or on a server; its value is `yes`, `no`, or a
/// title.
enum Fact: Hashable, Sendable {
  case read(Int)
  case starred(Int)
  case later(Int)
  case noted(Int)
  case follows(Int)
  case title(Int)
  case tag(feed: Int, Int)
  case rule(Int)

  var beginning: String {
    if case .title = self { "" } else { "no" }
  }

  var story: Int? {
    switch self {
    case .read(let story), .starred(let story), .later(let story), .noted(let story): story
    default: nil
    }
  }

  /// The feed of a fact about a feed itself; nil for facts about stories.
  var feed: Int? {
    switch self {
    case .follows(let feed), .title(let feed), .tag(let feed, _): feed
    default: nil
    }
  }

  var isStar: Bool {
    if case .starred = self { true } else { false }
  }

  var isRead: Bool {
    if case .read = self { true } else { false }
  }

  var isLater: Bool {
    if case .later = self { true } else { false }
  }

  var isNoted: Bool {
    if case .noted = self { true } else { false }
  }

  var isFollowing: Bool {
    if case .follows = self { true } else { false }
  }
}

typealias Facts = [Fact: String]

struct ModelState {
  var facts: Facts = [:]
  /// The ids of a home's stories.
  var ids: [Int: String] = [:]
  /// A home's whole contents, by which undo is judged.
  var whole: [String] = []
  var saved: Set<Int> = []
  /// Stories that are stored without the text that they have.
  var textless: [Int] = []
  var doubled: [Int] = []

  private init() {
    for feed in 0..<2 * ModelWeb.feeds { facts[.follows(feed)] = "no" }
  }

  private mutating func follow(_ feed: Int, tags: [String]) {
    facts[.follows(feed)] = "yes"
    for tag in 0..<3 { facts[.tag(feed: feed, tag)] = tags.contains("t\(tag)") ? "yes" : "no" }
  }

  private mutating func add(_ story: Int, isRead: Bool, isStarred: Bool, isLater: Bool) {
    if facts[.read(story)] != nil { doubled.append(story) }
    facts[.read(story)] = isRead ? "yes" : "no"
    facts[.starred(story)] = isStarred ? "yes" : "no"
    facts[.later(story)] = isLater ? "yes" : "no"
  }

  init(of home: CommandRun) throws {
    self.init()
    let library = try home.store.read()
    for subscription in library.subscriptions {
      whole.append(
        "\(subscription.url) \(subscription.title ?? "-") \(subscription.tags) "
          + "\(subscription.settings)"
      )
      guard let feed = ModelWeb.feed(at: subscription.url) else { continue }
      follow(feed, tags: subscription.tags)
      facts[.title(feed)] = subscription.title ?? ""
    }
    let rules = try home.store.rules()
    for rule in 0..<3 {
      facts[.rule(rule)] = rules.contains { $0.name == "r\(rule)" } ? "yes" : "no"
    }
    whole += rules.map { "\($0)" }
    for place in 0..<library.items.count {
      let story = try library.items.item(at: place)
      let marks =
        "\(story.isRead) \(story.isStarred) \(story.tags) \(story.note ?? "-") \(story.feeds)"
      let text = try home.store.text(of: story)?.string ?? ""
      whole.append("\(story.id) \(story.item.title) \(marks) \(story.note ?? "-") \(text)")
      guard let number = ModelWeb.story(at: story.item.link) else { continue }
      if story.feeds.contains("saved:") { saved.insert(number) }
      let texts = (try home.store.feedText(of: story), try home.store.article(of: story))
      let lacksOwn = story.item.textNumber != 0 && texts.0 == nil
      if lacksOwn || story.article.isBeside && texts.1 == nil { textless.append(number) }
      let isLater = story.tags.contains("later")
      add(number, isRead: story.isRead, isStarred: story.isStarred, isLater: isLater)
      facts[.noted(number)] = story.note == nil ? "no" : "yes"
      ids[number] = story.id
    }
  }

  /// The state of a home as far as apps are told it.
  init(served home: CommandRun) throws {
    try self.init(of: home)
    facts = facts.filter { fact, _ in
      switch fact {
      case .noted, .title, .rule: false
      default: true
      }
    }
  }

  init(of server: ReaderServer) {
    self.init()
    let account = server.account.withLock { $0 }
    for feed in account.feeds {
      if let number = ModelWeb.feed(at: feed.url) { follow(number, tags: feed.labels) }
    }
    for story in account.stories {
      guard let number = ModelWeb.story(at: story.link) else { continue }
      let isLater = story.labels.contains("later")
      add(number, isRead: story.isRead, isStarred: story.isStarred, isLater: isLater)
    }
  }
}
