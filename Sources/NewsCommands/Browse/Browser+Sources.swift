import FeedModel
import FeedStorage

// MARK: What the feeds' pane shows

extension Browser {
  /// Takes the sources of another version of the store; the chosen one stays, if it is still there.
  mutating func update(sources: [BrowserSource]) {
    allSources = (own.map { [$0] } ?? []) + sources
    allUnread = []
    arrangeSources()
  }

  mutating func take(counts: [Int]) {
    guard counts.count == allSources.count else { return }
    allUnread = counts
    arrangeSources()
  }

  /// Shows the sources that are wanted, feeds in their order; the chosen one stays, if it is there.
  mutating func arrangeSources() {
    let chosen = sources.isEmpty ? nil : source.words
    let count = { [allUnread] (number: Int) in allUnread.isEmpty ? 1 : allUnread[number] }
    let shown = allSources.indices.filter { number in
      let isFeed = [.feed, .tag].contains(allSources[number].kind)
      return !hidesRead || !isFeed || count(number) > 0 || allSources[number].words == chosen
    }
    let feeds = shown.filter { allSources[$0].kind == .feed }
    let names = allSources.map { TextFolding.fold($0.name) }
    let sorted =
      switch feedOrder {
      case .file: feeds
      case .title: feeds.sorted { names[$0].lexicographicallyPrecedes(names[$1]) }
      case .unread: feeds.sorted { (-count($0), $0) < (-count($1), $1) }
      }
    let numbers = shown.filter { allSources[$0].kind != .feed } + sorted
    sources = numbers.map { allSources[$0] }
    unread = allUnread.isEmpty ? [] : numbers.map { allUnread[$0] }
    let index = chosen.flatMap { words in sources.firstIndex { $0.words == words } } ?? 0
    sourceCursor.follow(to: index, of: sources.count, rows: layout.paneRows)
  }

  /// Chooses the source that was listed when one left, if it is still there, in its order.
  mutating func goBack(toSourceOf place: BrowsePlace) {
    isReversed = isReversed || place.isReversed
    guard let index = sources.firstIndex(where: { $0.words == place.source }) else { return }
    sourceCursor.select(index, of: sources.count, rows: layout.paneRows)
  }

  mutating func sortFeeds() -> [BrowserAction] {
    feedOrder = feedOrder.next
    arrangeSources()
    return say("feeds \(feedOrder.rawValue)")
  }

  /// Goes to the first source whose name has these words.
  mutating func jump(to words: String) -> [BrowserAction] {
    let folded = TextFolding.fold(words)
    guard let index = sources.firstIndex(where: { TextFolding.contains($0.name, folded) }) else {
      return say("no feed has this name")
    }
    return words.isEmpty ? [] : chooseSource(index)
  }

  mutating func chooseSource(_ index: Int) -> [BrowserAction] {
    let before = sourceCursor.selected
    sourceCursor.select(index, of: sources.count, rows: layout.paneRows)
    guard sourceCursor.selected != before else { return [] }
    readHere = []
    return [.list]
  }

  mutating func goToFeeds() -> [BrowserAction] {
    focus = .feeds
    return []
  }

  mutating func goToTags() -> [BrowserAction] {
    let tags = sources.indices.filter { sources[$0].kind == .tag }
    guard let first = tags.first else {
      return say("no feed has a tag: news feeds set FEED --tag TAG gives it one")
    }
    let isOnFeeds = focus == .feeds
    focus = .feeds
    return chooseSource(isOnFeeds ? tags.first { $0 > sourceCursor.selected } ?? first : first)
  }
}

/// How the feeds' pane sorts the feeds.
enum FeedOrder: String {
  case file = "in the order of the file"
  case title = "by title"
  case unread = "by unread stories"

  var next: FeedOrder {
    switch self {
    case .file: .title
    case .title: .unread
    case .unread: .file
    }
  }
}
