internal import FeedModel
internal import PropertyLists
internal import System

/// How `undo.plist` says what was changed, cleared stories apart.
extension UndoRecord {
  /// The version that this program reads and, where it must, writes; a newer one is refused.
  ///
  /// Version 1 had in `left` only one feed, version 2 no changes of subscriptions, version 3 one mark
  /// at most, no tags and no rules, version 4 no stories that were added.
  static let version = 5

  /// The first version that had all of it.
  private var leastVersion: Int {
    if added != nil { return 5 }
    if rules != nil || marked.count > 1 || marked.contains(where: { $0.tag != nil }) { return 4 }
    return restoresSubscriptions ? 3 : left.count > 1 ? 2 : 1
  }

  static let table = PropertyListTable(
    UndoRecord(command: "", date: .distantPast),
    [
      .version(\.leastVersion),
      .init("command", \.command, required: .string),
      .init("date", \.date, required: .date),
      .init("marked", \.marked, .oneOrMore(of: .marked)),
      .init("rules", \.rules, exactly: .array(of: .rule)),
      .init("subscriptions", \.subscriptions, .list(of: .dictionary(Subscription.table))),
      .init("left", \.left, .oneOrMore(of: .dictionary(LeftStories.table))),
      .init("runs", \.runCounts, .list(of: .count)),
      .init("after", \.runAnchors, .strings),
      .init("dataFile", \.dataFile, .dictionary(SetAsideFile.table)),
      .init("restoresSubscriptions", \.restoresSubscriptions, .boolean),
      .init("outlines", \.outlines, .dictionary(OutlineDocument.table)),
      .init("move", \.move, .dictionary(MovedStories.table)),
      .init("added", \.added, .dictionary(ItemIDs.table)),
    ],
  )

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
  fileprivate static let table = PropertyListTable(
    MarkedStories(ids: ItemIDs()),
    [
      .init("ids", \.ids.hashes, .hashes),
      .init("otherIDs", \.ids.otherIDs, .strings),
      .init("read", \.marks.isRead, .boolean), .init("starred", \.marks.isStarred, .boolean),
      .init("tag", \.tag, .string),
    ],
  )
}

extension LeftStories {
  fileprivate static let table = PropertyListTable(
    LeftStories(feed: ""),
    [
      .init("ids", \.ids.hashes, .hashes),
      .init("otherIDs", \.ids.otherIDs, .strings),
      .init("feed", \.feed, required: .string),
      .init("owned", \.owned, always: .dictionary(ItemIDs.table)),
    ],
  )
}

extension MovedStories {
  fileprivate static let table = PropertyListTable(
    MovedStories(from: "", to: ""),
    [
      .init("from", \.from, required: .string), .init("to", \.to, required: .string),
      .init("stories", \.ids, .dictionary(ItemIDs.table)),
    ],
  )
}

extension SetAsideFile {
  fileprivate static let table = PropertyListTable(
    SetAsideFile(size: 0, changed: 0),
    [
      .init("size", \.size, required: .integer), .init("changed", \.changed, required: .integer),
    ],
  )
}

extension ItemIDs {
  fileprivate static let table = PropertyListTable(
    ItemIDs(),
    [
      .init("ids", \.hashes, .hashes),
      .init("otherIDs", \.otherIDs, .strings),
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
    .dictionary(MarkedStories.table).accepting { $0.marks != ItemMarks() || $0.tag != nil }
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
