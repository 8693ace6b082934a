internal import FeedModel
internal import PropertyLists
internal import System

extension HistoryStep {
  static let table: PropertyListTable<HistoryStep> = .init(
    HistoryStep(origin: ChangeOrigin(command: "", date: .distantPast)),
    [
      .init("number", { $1(&$0.number) }, .count),
      .init("command", { $1(&$0.origin.command) }, required: .string),
      .init("date", { $1(&$0.origin.date) }, required: .date),
      .init("answered", { $1(&$0.origin.answered) }, .count),
      .init("isBack", { $1(&$0.origin.isBack) }, .boolean),
      .init(
        "author",
        get: \.origin.author.name,
        set: { $0.origin.author = ChangeAuthor(name: $1) },
        .string,
      ),
      .init("turns", { $1(&$0.turns) }, .list(of: .count)),
      .init("before", { $1(&$0.before.files) }, .list(of: .integer)),
      .init("isOfStories", { $1(&$0.isOfStories) }, .boolean),
      .init("keptAway", { $1(&$0.keptAway) }, .dictionary(of: .count)),
      .init("marked", { $1(&$0.marked) }, .list(of: .dictionary(MarkedStories.table))),
      .init("added", { $1(&$0.added) }, .dictionary(ItemIDs.table)),
      .init("feedsOfAdded", { $1(&$0.feedsOfAdded) }, .names),
      .init("returned", { $1(&$0.returned) }, .dictionary(ItemIDs.table)),
      .init("left", { $1(&$0.left) }, .list(of: .dictionary(FeedStories.table))),
      .init("joined", { $1(&$0.joined) }, .list(of: .dictionary(FeedStories.table))),
      .init("feeds", { $1(&$0.feeds) }, exactly: .facts(.subscription)),
      .init("ruleFacts", { $1(&$0.rules) }, exactly: .facts(.rule)),
      .init("lists", { $1(&$0.lists) }, exactly: .facts(.dictionary(FeedList.table))),
      .init("outlines", { $1(&$0.outlines) }, .dictionary(OutlineDocument.table)),
      .init("isForGood", { $1(&$0.origin.isForGood) }, .boolean),
      .init("runs", get: \.runCounts, set: { $0.runCounts = $1 }, .list(of: .count)),
      .init("after", get: \.runAnchors, set: { $0.runAnchors = $1 }, .strings),
      .init("orphaned", { $1(&$0.orphanedFeeds) }, .names),
      .init("dataFile", { $1(&$0.dataFile) }, .dictionary(SetAsideFile.table)),
    ],
  )

  private var runCounts: [Int] {
    get { runs.map(\.count) }
    set { runs = newValue.map { ClearedRun(count: $0, after: nil) } }
  }

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
    MarkedStories(fact: .tagged(""), ids: ItemIDs()),
    [
      .init("ids", get: \.ids.hashes, set: { $0.ids.hashes = $1 }, .hashes),
      .init("otherIDs", get: \.ids.otherIDs, set: { $0.ids.otherIDs = $1 }, .strings),
      key("tag", .string, { .tagged($0) }) {
        if case .tagged(let name) = $0 { name } else { nil }
      },
      key("lostTag", .string, { .untagged($0) }) {
        if case .untagged(let name) = $0 { name } else { nil }
      },
      key("article", .dictionary(StoredArticle.table), { .article($0) }) {
        if case .article(let article) = $0 { article } else { nil }
      },
    ] + StoryFlag.allCases.map(flag) + SyncKey.StoryMark.texts.map(text),
  )

  private static func flag(_ flag: StoryFlag) -> PropertyListKey<MarkedStories> {
    let value: @Sendable (StoryFact) -> Bool? = {
      if case .flag(flag, let isSet) = $0 { isSet } else { nil }
    }
    return key(flag.field.name, .boolean, { .flag(flag, $0) }, value)
  }

  private static func text(_ mark: SyncKey.StoryMark) -> PropertyListKey<MarkedStories> {
    let value: @Sendable (StoryFact) -> [String]? = {
      if case .text(mark, let old, let new) = $0 { [old, new] } else { nil }
    }
    let fact: @Sendable ([String]) -> StoryFact = { texts in
      .text(mark, old: texts.first ?? "", new: texts.dropFirst().first ?? "")
    }
    return key(mark.textField?.name ?? "", .strings, fact, value)
  }

  private static func key<Value>(
    _ name: String,
    _ coding: PropertyListCoding<Value>,
    _ fact: @escaping @Sendable (Value) -> StoryFact,
    _ value: @escaping @Sendable (StoryFact) -> Value?,
  ) -> PropertyListKey<MarkedStories> {
    PropertyListKey(
      name,
      read: { stored, marked in
        if let value = coding.decode(stored) { marked.fact = fact(value) }
      },
      write: { value($0.fact).map(coding.encode) },
    )
  }
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

extension FeedStories {
  fileprivate static let table: PropertyListTable<FeedStories> = .init(
    FeedStories(feed: ""),
    [
      .init("ids", get: \.ids.hashes, set: { $0.ids.hashes = $1 }, .hashes),
      .init("otherIDs", get: \.ids.otherIDs, set: { $0.ids.otherIDs = $1 }, .strings),
      .init("feed", { $1(&$0.feed) }, required: .string),
      .init("owned", { $1(&$0.owned) }, .dictionary(ItemIDs.table)),
    ],
  )
}

extension SetAsideFile {
  static let table: PropertyListTable<SetAsideFile> = .init(
    SetAsideFile(.none, size: 0),
    [
      .init("size", { $1(&$0.size) }, required: .integer),
      .init("version", { $1(&$0.version) }, .count),
      .init("number", { $1(&$0.number) }, required: .count),
    ],
  )
}

extension ItemIDs {
  static let table: PropertyListTable<ItemIDs> = .init(
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

extension PropertyListCoding where Value == Subscription {
  /// A dictionary, or the URL alone of a subscription without other facts.
  fileprivate static var subscription: Self {
    let whole = Self.dictionary(Subscription.table)
    return Self(
      decode: { value in value.string.map { Subscription(url: $0) } ?? whole.decode(value) },
      encode: { $0 == Subscription(url: $0.url) ? .string($0.url) : whole.encode($0) },
    )
  }
}

extension PropertyListCoding {
  fileprivate static func facts<Element>(
    _ element: PropertyListCoding<Element>
  ) -> Self where Value == [ListFact<Element>] {
    let table: PropertyListTable<ListFact<Element>> = .init(
      ListFact(),
      [
        .init("old", { $1(&$0.old) }, exactly: element),
        .init("new", { $1(&$0.new) }, exactly: element),
        .init("previous", { $1(&$0.previous) }, .string),
      ],
    )
    return .array(of: .dictionary(table))
  }
}
