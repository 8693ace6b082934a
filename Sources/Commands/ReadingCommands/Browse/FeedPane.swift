import Searching

/// The sources in an order, one of them chosen.
///
/// The chosen one stays so in any order, under any fold, and where others are left out.
struct FeedPane {
  /// Sources in the order of the file.
  private(set) var all: [BrowserSource] = []
  private(set) var shown: [BrowserSource] = []
  private(set) var cursor = ListCursor()
  var unread: [BrowserSource.ID: Int] = [:]
  var failing: Set<BrowserSource.ID> = []
  var order = FeedOrder.file
  var folded: Set<BrowserSource.ID> = []
  var hidesRead = false

  /// Takes at least one source.
  init(_ sources: [BrowserSource], rows: Int) {
    all = sources
    arrange(rows: rows)
  }

  var chosen: BrowserSource { shown[cursor.selected] }

  func index(of id: BrowserSource.ID?) -> Int? { shown.firstIndex { $0.id == id } }

  func isFolded(_ source: BrowserSource) -> Bool { folded.contains(source.id) }

  /// Returns true for a feed, and for a tag whose feeds are folded.
  func isOfFeeds(_ source: BrowserSource) -> Bool {
    source.kind == .feed || source.kind == .tag && isFolded(source)
  }

  // MARK: Choosing

  mutating func choose(row: Int, rows: Int) {
    cursor.select(row, of: shown.count, rows: rows)
  }

  /// Chooses a source, also by a former address, and unfolds its tag; false if it is gone.
  @discardableResult
  mutating func choose(_ id: BrowserSource.ID, rows: Int) -> Bool {
    guard let source = all.source(id) else { return false }
    if let tag = source.tag { folded.remove(tag) }
    arrange(choosing: source, rows: rows)
    return true
  }

  // MARK: Showing

  mutating func update(to sources: [BrowserSource], rows: Int) -> Bool {
    let source = sources.source(chosen.id)
    all = sources
    arrange(choosing: source, rows: rows)
    return source != nil
  }

  /// Changes what the order and the choice of sources depend on.
  mutating func arrange(rows: Int, _ change: (inout FeedPane) -> Void = { _ in }) {
    change(&self)
    arrange(choosing: shown.isEmpty ? nil : chosen, rows: rows)
  }

  /// Shows the sources that are wanted, each feed after its tag.
  ///
  /// A choice that is folded away moves to its tag, one that is gone to the first source.
  private mutating func arrange(choosing source: BrowserSource?, rows: Int) {
    let wanted = all.filter { isWanted($0, beside: source) }
    let feeds = Dictionary(grouping: sorted(wanted.filter { $0.kind == .feed }), by: \.tag)
    shown =
      wanted.filter { $0.kind != .feed }.flatMap { source in
        [source] + (isFolded(source) ? [] : feeds[source.id] ?? [])
      } + (feeds[nil] ?? [])
    let row = index(of: source?.id) ?? index(of: source?.tag) ?? 0
    cursor.follow(to: row, of: shown.count, rows: rows)
  }

  private func isWanted(_ source: BrowserSource, beside chosen: BrowserSource?) -> Bool {
    guard hidesRead, source.kind == .feed || source.kind == .tag else { return true }
    return unread[source.id] != 0 || source.id == chosen?.id || source.id == chosen?.tag
  }

  private func sorted(_ feeds: [BrowserSource]) -> [BrowserSource] {
    switch order {
    case .file: return feeds
    case .title:
      let names = feeds.map { TextFolding.fold($0.name) }
      return feeds.indices.sorted { names[$0].lexicographicallyPrecedes(names[$1]) }
        .map { feeds[$0] }
    case .unread:
      let counts = feeds.map { unread[$0.id] ?? 0 }
      return feeds.indices.sorted { (-counts[$0], $0) < (-counts[$1], $1) }.map { feeds[$0] }
    }
  }
}

extension [BrowserSource] {
  /// Returns the source, or the feed that had this id before it moved.
  fileprivate func source(_ id: BrowserSource.ID) -> BrowserSource? {
    first { $0.id == id } ?? first { $0.formerIDs.contains(id) }
  }
}

enum FeedOrder: String, CaseIterable {
  case file
  case title
  case unread

  var words: String {
    switch self {
    case .file: "in the order of the file"
    case .title: "by title"
    case .unread: "by unread stories"
    }
  }

  var next: FeedOrder {
    switch self {
    case .file: .title
    case .title: .unread
    case .unread: .file
    }
  }
}
