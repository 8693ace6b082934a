internal import FeedModel
internal import PropertyLists
internal import System

/// How `undo.plist` says what was changed, cleared stories apart.
extension UndoRecord {
  /// The version that this program reads and, where it must, writes; a newer one is refused.
  ///
  /// Version 1 had in `left` only one feed, version 2 no changes of subscriptions, version 3 one mark
  /// at most, no tags and no rules, version 4 no stories that were added, version 5 no tags that were
  /// taken away, version 6 no articles.
  static let version = 7

  /// The first version that had all of it.
  private var leastVersion: Int {
    if marked.contains(where: { $0.article != nil }) { return 7 }
    if marked.contains(where: { $0.lostTag != nil }) { return 6 }
    if added != nil { return 5 }
    if rules != nil || marked.count > 1 || marked.contains(where: { $0.tag != nil }) { return 4 }
    return restoresSubscriptions ? 3 : left.count > 1 ? 2 : 1
  }

  static let table: PropertyListTable<UndoRecord> = .init(
    UndoRecord(command: "", date: .distantPast),
    [
      .version(\.leastVersion),
      .init("command", { $1(&$0.command) }, required: .string),
      .init("date", { $1(&$0.date) }, required: .date),
      .init("marked", { $1(&$0.marked) }, .oneOrMore(of: .marked)),
      .init("rules", { $1(&$0.rules) }, exactly: .array(of: .rule)),
      .init(
        "subscriptions",
        { $1(&$0.subscriptions) },
        .list(of: .dictionary(Subscription.table)),
      ),
      .init("left", { $1(&$0.left) }, .oneOrMore(of: .dictionary(LeftStories.table))),
      .init("runs", get: \.runCounts, set: { $0.runCounts = $1 }, .list(of: .count)),
      .init("after", get: \.runAnchors, set: { $0.runAnchors = $1 }, .strings),
      .init("dataFile", { $1(&$0.dataFile) }, .dictionary(SetAsideFile.table)),
      .init("restoresSubscriptions", { $1(&$0.restoresSubscriptions) }, .boolean),
      .init("outlines", { $1(&$0.outlines) }, .dictionary(OutlineDocument.table)),
      .init("move", { $1(&$0.move) }, .dictionary(MovedStories.table)),
      .init("added", { $1(&$0.added) }, .dictionary(ItemIDs.table)),
    ],
  )

  /// Read before those that are of each run.
  private var runCounts: [Int] {
    get { runs.map(\.count) }
    set { runs = newValue.map { ClearedRun(count: $0, after: nil) } }
  }

  /// Of each run in turn.
  private var runAnchors: [String] {
    get { runs.map { $0.after ?? "" } }
    set {
      runs = zip(runs, newValue).map { run, id in
        ClearedRun(count: run.count, after: id.isEmpty ? nil : id)
      }
    }
  }
}

extension MarkedStories {
  fileprivate static let table: PropertyListTable<MarkedStories> = .init(
    MarkedStories(ids: ItemIDs()),
    [
      .init("ids", get: \.ids.hashes, set: { $0.ids.hashes = $1 }, .hashes),
      .init("otherIDs", get: \.ids.otherIDs, set: { $0.ids.otherIDs = $1 }, .strings),
      .init("read", { $1(&$0.marks.isRead) }, .boolean),
      .init("starred", { $1(&$0.marks.isStarred) }, .boolean),
      .init("tag", { $1(&$0.tag) }, .string),
      .init("lostTag", { $1(&$0.lostTag) }, .string),
      .init("article", { $1(&$0.article) }, .dictionary(StoredArticle.table)),
    ],
  )
}

extension StoredArticle {
  fileprivate static let table: PropertyListTable<StoredArticle> = .init(
    StoredArticle(),
    [
      .init("number", { $1(&$0.number) }, .integer),
      .init("isShown", { $1(&$0.isShown) }, .boolean),
    ],
  )
}

extension LeftStories {
  fileprivate static let table: PropertyListTable<LeftStories> = .init(
    LeftStories(feed: ""),
    [
      .init("ids", get: \.ids.hashes, set: { $0.ids.hashes = $1 }, .hashes),
      .init("otherIDs", get: \.ids.otherIDs, set: { $0.ids.otherIDs = $1 }, .strings),
      .init("feed", { $1(&$0.feed) }, required: .string),
      .init("owned", { $1(&$0.owned) }, always: .dictionary(ItemIDs.table)),
    ],
  )
}

extension MovedStories {
  fileprivate static let table: PropertyListTable<MovedStories> = .init(
    MovedStories(from: "", to: ""),
    [
      .init("from", { $1(&$0.from) }, required: .string),
      .init("to", { $1(&$0.to) }, required: .string),
      .init("stories", { $1(&$0.ids) }, .dictionary(ItemIDs.table)),
    ],
  )
}

extension SetAsideFile {
  fileprivate static let table: PropertyListTable<SetAsideFile> = .init(
    SetAsideFile(size: 0, changed: 0),
    [
      .init("size", { $1(&$0.size) }, required: .integer),
      .init("changed", { $1(&$0.changed) }, required: .integer),
    ],
  )
}

extension ItemIDs {
  fileprivate static let table: PropertyListTable<ItemIDs> = .init(
    ItemIDs(),
    [
      .init("ids", get: \.hashes, set: { $0.hashes = $1 }, .hashes),
      .init("otherIDs", get: \.otherIDs, set: { $0.otherIDs = $1 }, .strings),
    ],
  )

  fileprivate var hashes: [UInt64] {
    get { numbers.sorted() }
    set { for number in newValue { insert(number) } }
  }

  fileprivate var otherIDs: [String] {
    get { others.sorted() }
    set { for id in newValue { insert(id) } }
  }
}

extension PropertyListCoding where Value == MarkedStories {
  fileprivate static var marked: Self {
    .dictionary(MarkedStories.table).accepting {
      $0.marks != ItemMarks() || $0.tag ?? $0.lostTag != nil || $0.article != nil
    }
  }
}

extension PropertyListCoding {
  /// An array, or where it would have one element that alone, as earlier versions had it.
  fileprivate static func oneOrMore<Element>(
    of element: PropertyListCoding<Element>
  ) -> Self where Value == [Element] {
    let list = Self.list(of: element)
    return Self(
      decode: { list.decode($0) ?? element.decode($0).map { [$0] } },
      encode: { $0.count == 1 ? element.encode($0[0]) : list.encode($0) },
    )
  }
}
