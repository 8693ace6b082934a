package import FeedModel

package protocol ListElement: Hashable, Sendable {
  /// The element's name, which no other in a list has.
  var listName: String { get }
}

extension StoryRule: ListElement {
  package var listName: String { name.lowercased() }
}

extension Subscription: ListElement {
  package var listName: String { url }
}

extension FeedList: ListElement {
  package var listName: String { name }
}

extension ListFact where Element: ListElement {
  /// Finds what was added, removed and changed between two lists; elements that `isSame` accepts
  /// are unchanged.
  ///
  /// `names` gives the new names of renamed elements by their old ones.
  static func facts(
    from old: [Element],
    to new: [Element],
    named names: [String: String] = [:],
    _ isSame: (Element, Element) -> Bool,
  ) -> [ListFact] {
    var rest = Dictionary(new.map { ($0.listName, $0) }) { first, _ in first }
    var facts: [ListFact] = []
    for (index, element) in old.enumerated() {
      let name = rest[element.listName] == nil ? names[element.listName] : element.listName
      let now = name.flatMap { rest.removeValue(forKey: $0) }
      if let now, isSame(element, now) { continue }
      let previous = index == 0 ? nil : old[index - 1].listName
      facts.append(ListFact(old: element, new: now, previous: previous))
    }
    for element in new where rest.removeValue(forKey: element.listName) != nil {
      facts.append(ListFact(new: element))
    }
    return facts
  }
}

extension Array {
  mutating func join<Member: ListElement>(_ later: [ListFact<Member>])
  where Element == ListFact<Member> {
    for fact in later {
      let index = firstIndex { $0.new != nil && $0.new?.listName == fact.old?.listName }
      if let index { self[index].new = fact.new } else { append(fact) }
    }
    removeAll { $0.old == nil && $0.new == nil }
  }
}

extension Array where Element: ListElement {
  /// Returns the list before some facts, with what has changed since.
  ///
  /// `restore` gets an element with its values before and after the fact.
  package func takingBack(
    _ facts: [ListFact<Element>],
    _ restore: (inout Element, _ old: Element, _ new: Element) -> Void,
  ) -> [Element] {
    var list = self
    for fact in facts {
      let index = fact.new.flatMap { new in list.firstIndex { $0.listName == new.listName } }
      switch (fact.old, fact.new, index) {
      case (nil, _, let index?): list.remove(at: index)
      case (let old?, let new?, let index?): restore(&list[index], old, new)
      case (let old?, nil, _):
        let isThere = list.contains { $0.listName == old.listName }
        if !isThere { list.insert(old, after: fact.previous) }
      default: break
      }
    }
    return list
  }

  /// Inserts an element behind the one with a name: first for nil, last if that one is gone.
  package mutating func insert(_ element: Element, after name: String?) {
    let index = name.flatMap { name in firstIndex { $0.listName == name } }
    insert(element, at: index.map { $0 + 1 } ?? (name == nil ? 0 : count))
  }
}

extension Subscription {
  /// Finds the user's changes of subscriptions, without states unless these would be lost.
  static func facts(
    from old: [Subscription],
    to new: [Subscription],
    moves: [(from: String, to: String)],
  ) -> [ListFact<Subscription>] {
    let known = Set(old.map(\.url))
    let names = moves.filter { !known.contains($0.to) }.map { ($0.from, $0.to) }
    let moved = Dictionary(names) { first, _ in first }
    let facts = ListFact.facts(from: old, to: new, named: moved) { old, new in
      SubscriptionPart.different(old, new).isEmpty && !old.isForgotten(in: new)
        && !new.isForgotten(in: old)
    }
    return facts.map { fact in
      // PERF: of a new one nothing else is needed, and a list may bring thousands.
      guard let old = fact.old else {
        return ListFact(new: fact.new.map { Subscription(url: $0.url) })
      }
      guard let new = fact.new else { return fact }
      var brief = fact
      if old.url == new.url, !old.isForgotten(in: new) { brief.old = old.withoutState }
      if !new.isForgotten(in: old) { brief.new = new.withoutState }
      return brief
    }
  }

  /// The subscription without its state, except the leave to be in a private network.
  package var withoutState: Subscription {
    var copy = self
    copy.state = FeedState()
    copy.state.isOnInternet = state.isOnInternet
    return copy
  }

  /// Returns true if the other state has forgotten the feed's document, and this one has not.
  package func isForgotten(in other: Subscription) -> Bool {
    !state.isOfNoDocument && other.state.isOfNoDocument
  }
}

package struct SubscriptionPart: Sendable {
  let name: String
  private let isSame: @Sendable (Subscription, Subscription) -> Bool
  private let take: @Sendable (inout Subscription, Subscription) -> Void

  private init<Value: Equatable & Sendable>(
    _ name: String,
    _ get: @escaping @Sendable (Subscription) -> Value,
    _ set: @escaping @Sendable (inout Subscription, Value) -> Void,
  ) {
    self.name = name
    isSame = { get($0) == get($1) }
    take = { set(&$0, get($1)) }
  }

  private static let all: [SubscriptionPart] =
    [
      .init("title", \.title) { $0.title = $1 }, .init("tags", \.tags) { $0.tags = $1 },
      .init("password", \.passwordCommand) { $0.passwordCommand = $1 },
      .init("headers", \.headers) { $0.headers = $1 },
      .init("route", \.route) { $0.route = $1 },
      .init("filter", \.filter) { $0.filter = $1 },
      .init("listedURL", \.listedURL) { $0.listedURL = $1 },
      .init("list", \.list) { $0.list = $1 },
      .init(
        "leave",
        { $0.state.isOnInternet == false },
        { feed, isGiven in
          if isGiven != (feed.state.isOnInternet == false) {
            feed.state.isOnInternet = isGiven ? false : nil
          }
        },
      ),
    ]
    + FeedSetting.allCases.map { setting in
      .init(setting.rawValue, { $0.settings[setting] }, { $0.settings[setting] = $1 })
    }

  package static func different(
    _ one: Subscription,
    _ other: Subscription,
  ) -> [SubscriptionPart] {
    all.filter { !$0.isSame(one, other) }
  }

  package func take(_ feed: inout Subscription, from other: Subscription) { take(&feed, other) }
}

extension ListFact<Subscription> {
  /// The names of the changed parts; an empty name stands for all of the feed.
  var parts: Set<String> {
    guard let old, let new, old.url == new.url else { return [""] }
    return Set(SubscriptionPart.different(old, new).map(\.name))
  }
}
