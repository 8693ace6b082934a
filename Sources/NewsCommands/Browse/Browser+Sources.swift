import FeedModel
import FeedStorage
import Searching

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

  /// Shows the sources that are wanted, feeds in their order, each behind its tag; the chosen one
  /// stays, if it is there.
  mutating func arrangeSources() {
    let chosen = sources.isEmpty ? nil : source.words
    let tag = sources.isEmpty ? nil : source.tag
    let count = { [allUnread] (number: Int) in allUnread.isEmpty ? 1 : allUnread[number] }
    let shown = allSources.indices.filter { number in
      let source = allSources[number]
      let isChosen = source.words == chosen || source.kind == .tag && source.name == tag
      return !hidesRead || ![.feed, .tag].contains(source.kind) || count(number) > 0 || isChosen
    }
    let feeds = shown.filter { allSources[$0].kind == .feed }
    let names = allSources.map { TextFolding.fold($0.name) }
    let sorted =
      switch feedOrder {
      case .file: feeds
      case .title: feeds.sorted { names[$0].lexicographicallyPrecedes(names[$1]) }
      case .unread: feeds.sorted { (-count($0), $0) < (-count($1), $1) }
      }
    let feedsOfTag = Dictionary(grouping: sorted) { allSources[$0].tag }
    let numbers =
      shown.filter { allSources[$0].kind != .feed }.flatMap { number in
        let (kind, name) = (allSources[number].kind, allSources[number].name)
        let isOpen = kind == .tag && !folded.contains(name)
        return [number] + (isOpen ? feedsOfTag[name] ?? [] : [])
      } + (feedsOfTag[nil] ?? [])
    sources = numbers.map { allSources[$0] }
    unread = allUnread.isEmpty ? [] : numbers.map { allUnread[$0] }
    let index = chosen.flatMap { words in sources.firstIndex { $0.words == words } } ?? 0
    sourceCursor.follow(to: index, of: sources.count, rows: layout.paneRows)
  }

  /// Chooses the source that was listed when one left, if it is still there, in its order.
  mutating func goBack(toSourceOf place: BrowsePlace) {
    isReversed = isReversed || place.isReversed
    folded = Set(place.folded)
    arrangeSources()
    guard let index = sources.firstIndex(where: { $0.words == place.source }) else { return }
    sourceCursor.select(index, of: sources.count, rows: layout.paneRows)
  }

  mutating func sortFeeds() -> [BrowserAction] {
    feedOrder = feedOrder.next
    arrangeSources()
    return say("feeds \(feedOrder.rawValue)")
  }

  /// Goes to the first source whose name has these words; a tag that hides it is unfolded.
  mutating func jump(to words: String) -> [BrowserAction] {
    let sought = TextFolding.fold(words)
    let isSought = { (source: BrowserSource) in TextFolding.contains(source.name, sought) }
    if !sources.contains(where: isSought), let tag = allSources.first(where: isSought)?.tag,
      folded.remove(tag) != nil
    {
      arrangeSources()
    }
    guard let index = sources.firstIndex(where: isSought) else {
      return say("no feed has this name")
    }
    return words.isEmpty ? [] : chooseSource(index)
  }

  /// Folds the feeds of the tag away, or shows them again; on a feed, those of its tag.
  mutating func fold() -> [BrowserAction] {
    guard let tag = source.kind == .tag ? source.name : source.tag else {
      return say("- folds the feeds of a tag: t goes to the tags")
    }
    if folded.remove(tag) == nil { folded.insert(tag) }
    return rearrange(choosing: tag)
  }

  /// Folds the feeds of all tags, or of none where they are folded.
  mutating func foldAll() -> [BrowserAction] {
    let tags = Set(allSources.filter { $0.kind == .tag }.map(\.name))
    guard !tags.isEmpty else { return goToTags() }
    let tag = source.tag
    folded = folded.isSuperset(of: tags) ? [] : tags
    return tag.map { rearrange(choosing: $0) } ?? rearrange(choosing: nil)
  }

  /// Shows the sources anew; where the chosen one is folded away, its tag is chosen.
  private mutating func rearrange(choosing tag: String?) -> [BrowserAction] {
    let chosen = source
    let isHidden = chosen.tag.map(folded.contains) ?? false
    let index = sources.firstIndex { $0.kind == .tag && $0.name == tag }
    let changes = isHidden ? index.map { chooseSource($0) } ?? [] : []
    arrangeSources()
    return changes
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
      return say("no feed has a tag yet: news feeds set FEED --tag TAG")
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
