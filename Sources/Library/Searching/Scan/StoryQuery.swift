package import FeedModel

package struct StoryQuery: Hashable, Sendable {
  /// The URLs of subscriptions; nil takes every story, also one without a subscription.
  package var feeds: Set<String>?
  /// The tags and saved searches whose stories are taken beside those of `feeds`; unused where that
  /// is nil.
  package var tags: [StoryTag] = []
  package var searches: [StoryQuery] = []
  package var isUnread = false
  package var isStarred = false
  /// Seconds since 1970, both included.
  package var since: Int?
  package var until: Int?
  package var search = StorySearch()
  /// True if a query that names no feeds takes the stories of hidden feeds, too.
  package var takesHidden = false

  package init() {}

  package var namesFeeds: Bool {
    !(feeds ?? []).isEmpty || !tags.isEmpty || searches.contains(where: \.namesFeeds)
      || search.condition.terms.contains {
        switch $0 {
        case .feed, .tag: true
        default: false
        }
      }
  }

  package var takesAll: Bool { self == StoryQuery() }

  /// True for `is:new` alone, without another condition or an order.
  package var showsAllThatIsNew: Bool {
    var new = StoryQuery()
    new.search.condition = .term(.state(.new))
    return self == new
  }

  /// True where the search asks for enclosures: lists show these, too.
  package var asksForEnclosures: Bool { search.condition.needs(.part(.enclosure)) }

  /// True where only unread stories are asked for, by an option or by the search.
  package var asksForUnread: Bool {
    isUnread || search.condition.needs(.state(.unread)) || searches.contains(where: \.asksForUnread)
  }

  /// The query without its wish for unread stories alone.
  package var withRead: StoryQuery {
    var all = self
    all.isUnread = false
    all.search.condition = search.condition.without(.state(.unread))
    all.searches = searches.map(\.withRead)
    return all
  }

  /// The order of the search, or of the one saved search that the query is about.
  package var sort: SearchSort? {
    search.sort ?? (feeds == [] && tags.isEmpty && searches.count == 1 ? searches[0].sort : nil)
  }
}

extension StoryQuery {
  /// Returns the query in the order of the one feed that it is about, unless it has one of its own.
  package func inOrder(of subscriptions: [Subscription]) -> StoryQuery {
    guard sort == nil, let feeds, feeds.count == 1, tags.isEmpty, searches.isEmpty,
      subscriptions.contains(where: { feeds.contains($0.url) && $0.settings.isOldestFirst })
    else { return self }
    var query = self
    query.search.sort = SearchSort(.date, isReversed: true)
    return query
  }
}

extension StoryQuery {
  package func condition(
    _ resolve: (Condition<SearchTerm>) throws -> Condition<StoryCheck>
  ) rethrows -> Condition<StoryCheck> {
    var parts = options.map { Condition.term($0) }
    if let feeds {
      var sources = tags.map { Condition.term(StoryCheck.tag($0)) }
      if !feeds.isEmpty { sources.insert(.term(.feeds(feeds)), at: 0) }
      for search in searches { sources.append(try search.condition(resolve)) }
      parts.append(.either(sources))
    }
    return .joined(parts + [try resolve(search.condition)])
  }

  private var options: [StoryCheck] {
    let checks: [StoryCheck?] = [
      isUnread ? .state(.unread) : nil, isStarred ? .state(.starred) : nil,
      since.map { .since($0) }, until.map { .before($0 == .max ? .max : $0 + 1) },
    ]
    return checks.compactMap(\.self)
  }
}

extension StoryQuery {
  package init(_ rule: StoryRule, _ subscriptions: [Subscription]) throws {
    tags = rule.feeds.compactMap(StoryTag.init)
    feeds = rule.feedURLs(subscriptions)
    search = try rule.search()
    isUnread = rule.isUnread
    isStarred = rule.isStarred
    takesHidden = !rule.isSearch
  }
}

extension StoryRule {
  package func search() throws -> StorySearch {
    var search = StorySearch()
    for typed in grep { try search.add(StorySearch(typed)) }
    guard grep.isEmpty || !search.isEmpty else {
      throw SearchFault(offset: 0, reason: "there is no word to look for")
    }
    return search
  }

  /// Returns the URLs of the rule's feeds, and of those with its tags; nil for a rule about all
  /// stories.
  package func feedURLs(_ subscriptions: [Subscription]) -> Set<String>? {
    guard !feeds.isEmpty else { return nil }
    let tags = feeds.compactMap(StoryTag.init)
    let tagged = subscriptions.filter { feed in tags.contains { $0.isAmong(feed.tags) } }
    return Set(tagged.map(\.url) + feeds.filter { StoryTag($0) == nil })
  }
}
