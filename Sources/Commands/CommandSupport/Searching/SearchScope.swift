import CommandLine
import FeedLibrary
package import FeedModel
package import FeedStorage
package import Searching
import System

package struct SearchScope {
  let selector: FeedSelector
  let clock: WallClock
  /// Returns the time at which all stories were last listed, in seconds since 2001.
  var seen: () throws -> Double? = { nil }

  package func condition(of query: StoryQuery) throws -> Condition<StoryCheck> {
    let condition = try query.condition { search in
      try Condition(search, clock, seen: seen) { name in
        switch name {
        case .feed(let word): Set(try selector.subscriptions(word).map(\.url))
        case .tag(let tag): Set(selector.tagged(tag).map(\.url))
        case .language(let tag): try feeds(in: tag)
        }
      }
    }
    guard !query.takesHidden, !query.namesFeeds, let shown else { return condition }
    return .all([condition, shown])
  }

  /// Takes stories of a feed that is not hidden, or of none; nil where no feed is hidden.
  private var shown: Condition<StoryCheck>? {
    let hidden = selector.subscriptions.filter(\.settings.isHidden).map(\.url)
    guard !hidden.isEmpty else { return nil }
    let others = Set(selector.subscriptions.map(\.url)).subtracting(hidden)
    return .any([.term(.feeds(others)), .not(.term(.feeds(Set(hidden))))])
  }

  /// Returns the feeds in a language, whatever the country: `pt` is `pt-BR`, too.
  private func feeds(in language: String) throws -> Set<String> {
    Set(selector.subscriptions.lazy.filter { $0.isIn(language) }.map(\.url))
  }
}

extension Subscription {
  fileprivate func isIn(_ language: String) -> Bool {
    guard let own = state.language?.lowercased() else { return false }
    return own == language || own.hasPrefix(language + "-")
  }
}

extension CommandContext {
  /// The session whose lists say what is new.
  ///
  /// A look at a list takes no story from a mail, nor a mail from a list.
  var session: TerminalSession { arguments.has("mail") ? .mail : .current() }

  package func searchScope(_ subscriptions: [Subscription]) -> SearchScope {
    SearchScope(selector: selector(subscriptions), clock: clock) {
      let store = try store()
      return try store.listing(of: session)?.seen?.timeIntervalSinceReferenceDate
    }
  }

  /// Returns the positions of a query's stories in the order of the dates that a list shows.
  ///
  /// The file has a story that was dated ahead among those of the time at which it was stored, until
  /// the next merge after its date has come. The first rows are looked through for such ones.
  package func listed(
    _ query: StoryQuery,
    in library: Library,
    atMost limit: Int = .max,
    settling rows: Int = ItemTable.unsettledRows,
  ) throws -> [Int] {
    // Searches in texts take long for each row more.
    let isQuick = query.search.condition == .always
    let most = isQuick ? max(limit, rows) : limit
    let found = try positions(of: query, in: library, atMost: limit == 0 ? 0 : most)
    guard query.sort == nil else { return Array(found.prefix(limit)) }
    return Array(try library.items.settled(found, rows, now: clock.date).prefix(limit))
  }

  /// Returns the positions of a query's stories, newest first unless it has another order.
  package func positions(
    of query: StoryQuery,
    in library: Library,
    atMost limit: Int = .max,
  ) throws -> [Int] {
    let condition = try searchScope(library.subscriptions).condition(of: query)
    let store = try store()
    let sort = query.sort
    let needsTexts = condition.isAboutTexts || sort?.key == .length
    let texts = needsTexts ? store.textIndex() : nil
    if let failure = texts?.failure { complain("\(failure); its texts were not searched") }
    let found = try StoryScan(
      library.items,
      condition,
      texts: texts,
      now: clock.now(),
      limit: sort == nil ? limit : .max,
    ).run()
    guard let sort else { return found }
    let names = FeedName(library)
    let sorted = try sort.sorted(found, of: library.items, texts: texts) { names.name(of: $0) }
    return Array(sorted.prefix(limit))
  }
}
