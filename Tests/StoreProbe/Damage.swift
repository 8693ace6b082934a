import FeedModel
import FeedStorage
import TestSupport

/// The damage of one file of a store in every place: reading it gives an error or a value, and a
/// save replaces it by a good file or leaves it as it is.
struct Damage {
  private let store: LibraryStore
  private let path: String
  private let name: String
  private let good: [UInt8]
  private let contents: Contents
  private let home: HomeFiles
  private let trial: CommandTrial?
  private var counts = Counts()

  private struct Contents: Equatable {
    let items: [StoredItem]
    let subscriptions: [Subscription]
    let runs: [RunRecord]
    let listing: [String]?
    let outlines: OutlineDocument
    let rules: [StoryRule]
    let undo: [Undo]
  }

  private struct Undo: Equatable {
    let command: String
    let marked: [MarkedStories]
    let left: [FeedStories]
    let runs: [ClearedRun]
    let feeds: [ListFact<Subscription>]
    let cleared: [StoredItem]?
  }

  private struct Counts {
    var cuts = 0
    var flips = 0
    var others = 0
    var refused = 0
    var saves = 0
    var commands = 0
  }

  init(_ store: LibraryStore, file: String) throws {
    self.store = store
    name = file
    path = "\(store.home)/\(file)"
    good = try readFile(path)
    contents = try Self.readAll(store)
    home = try HomeFiles(store.home)
    trial = try CommandTrial(store, damaging: file)
  }

  mutating func run(rounds: Int) throws {
    for length in good.indices {
      let found = try examine(Array(good[..<length]), isSaved: true, isCut: true)
      // White space may follow the end of an XML list.
      guard found == nil || found == contents else { throw Failure.otherValue(length: length) }
      counts.cuts += 1
    }
    for index in good.indices {
      for bit in 0..<8 {
        var bytes = good
        bytes[index] ^= 1 << bit
        // A save takes ten times as long as reading: one a byte is made, and no more than 500.
        let isSaved = bit == index % 8 && index % (1 + good.count / 500) == 0
        _ = try examine(bytes, isSaved: isSaved)
        counts.flips += 1
      }
    }
    for round in 0..<rounds {
      _ = try examine(damagedByChance(UInt64(round)), isSaved: round % 8 == 0)
      counts.others += 1
    }
    print(
      "\(counts.cuts) cuts, \(counts.flips) flips, \(counts.others) others: "
        + "\(counts.refused) refused, \(counts.saves) saved over, \(counts.commands) commands"
    )
  }

  private func damagedByChance(_ seed: UInt64) -> [UInt8] {
    var chance = Chance(seed: seed)
    var bytes = good
    for _ in 0...chance.below(4) {
      let place = chance.below(bytes.count)
      let end = min(place + 1 + chance.below(16), bytes.count)
      switch chance.below(4) {
      case 0: bytes[place] = [0, 1, 0x0f, 0x7f, 0x80, 0xff][chance.below(6)]
      case 1: bytes[place] = UInt8(chance.below(256))
      case 2: bytes.insert(contentsOf: bytes[place..<end], at: place)
      default: bytes.removeSubrange(place..<end)
      }
      if bytes.isEmpty { return [] }
    }
    return bytes
  }

  /// Reads the file, and then saves if asked for.
  ///
  /// - Returns: the contents, or nil for an error.
  private mutating func examine(
    _ bytes: [UInt8],
    isSaved: Bool,
    isCut: Bool = false,
  ) throws -> Contents? {
    try put(bytes)
    let found = try? Self.readAll(store)
    if found == nil { counts.refused += 1 }
    try expectUntouched(bytes)
    guard isSaved else { return found }
    if name == "newsdata.plist", let found, !found.items.isEmpty {
      try mark(found, bytes)
      try put(bytes)
    }
    if let trial {
      try trial.run(isCut: isCut && found == nil)
      counts.commands += 1
      try home.restore()
      try put(bytes)
    }
    do {
      try save()
    } catch {
      try expectUntouched(bytes)
      return found
    }
    counts.saves += 1
    if found != nil { _ = try Self.readAll(store) }
    try home.restore()
    return found
  }

  /// Expects that a mark on the first story changes none of the others, wherever the damage is.
  private func mark(_ found: Contents, _ bytes: [UInt8]) throws {
    do {
      try store.update { (_) in
        var change = LibraryChange()
        change.stories.adjusted[0] = ItemAdjustment(marks: [.starred: true])
        return (change, ())
      }
    } catch {
      return try expectUntouched(bytes)
    }
    var (before, after) = (found.items, try Self.readAll(store).items)
    before[0].isStarred = false
    if !after.isEmpty { after[0].isStarred = false }
    guard before == after else { throw Failure.otherStories }
  }

  /// Puts bytes in the file's place with the old time of change, as no program would write them.
  private func put(_ bytes: [UInt8]) throws {
    try HomeFiles.write(bytes, to: path)
  }

  private func expectUntouched(_ bytes: [UInt8]) throws {
    guard try readFile(path) == bytes else { throw Failure.touched }
  }

  private enum Failure: Error {
    case touched
    case otherValue(length: Int)
    case otherStories
  }

  private static func readAll(_ store: LibraryStore) throws -> Contents {
    let library = try store.read()
    var items: [StoredItem] = []
    for index in 0..<library.items.count { items.append(try library.items.item(at: index)) }
    if var reader = ItemReader(library.items) {
      for index in items.indices {
        try reader.move(to: index)
        _ = try reader.instants()
        _ = try reader.has(.title) { _ in true }
        try reader.forEachFeed { _ in }
      }
    }
    return Contents(
      items: items,
      subscriptions: library.subscriptions,
      runs: try store.ledger(),
      listing: try numbered(store),
      outlines: try store.readOutlines(),
      rules: try store.rules(),
      undo: try undo(store),
    )
  }

  private static func undo(_ store: LibraryStore) throws -> [Undo] {
    try store.history().steps.map { step in try undo(step, store) }
  }

  private static func undo(_ step: HistoryStep, _ store: LibraryStore) throws -> Undo {
    let stories = try store.stories(clearedBy: step)
    var cleared: [StoredItem] = []
    for index in 0..<(stories?.count ?? 0) {
      if let story = try stories?.item(at: index) { cleared.append(story) }
    }
    return Undo(
      command: step.origin.command,
      marked: step.marked,
      left: step.left,
      runs: step.runs,
      feeds: step.feeds,
      cleared: stories == nil ? nil : cleared,
    )
  }

  private static func numbered(_ store: LibraryStore) throws -> [String]? {
    guard let listing = try store.listing() else { return nil }
    var ids: [String] = []
    // The numbers tried are twice as many as any of the files has.
    for number in 1...max(min(listing.count, 20_000), 1) where number <= listing.count {
      ids.append(try listing.story(number).id)
    }
    return ids
  }

  private func save() throws {
    switch name {
    case "ledger.plist", "runs.plist":
      try store.append(RunRecord(started: .distantPast, command: "fetch", outcome: .noData))
    case "listing.plist":
      try store.saveListing([StoryID("0123456789abcdef")], positions: [0])
    case "feeds.plist":
      try store.update { (library) in
        let new = Subscription(url: "https://example.org/new")
        return (LibraryChange(subscriptions: library.subscriptions + [new]), ())
      }
    case "outlines.plist":
      try store.update { (_) in
        var change = LibraryChange()
        change.outlines = OutlineDocument()
        return (change, ())
      }
    case "rules.plist":
      try store.update { (_) in
        var change = LibraryChange()
        change.rules = [StoryRule(name: "new")]
        return (change, ())
      }
    case "history.plist", "newsdata.plist.cleared-1":
      try store.update { (library) in
        var change = LibraryChange()
        change.stories.adjusted[0] = ItemAdjustment(marks: [.read: true])
        change.origin = ChangeOrigin(command: "read", date: .distantPast)
        return (change, ())
      }
    default:
      try store.update { (library) in
        let item = Item(title: "N", link: "https://example.org/new")
        let new = StoredItem(id: "0123456789abcdef", item: item, feeds: [], stored: nil)
        return (LibraryChange(StoryChanges(adding: [new])), ())
      }
    }
  }
}
