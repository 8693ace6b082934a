import FeedModel
import PropertyLists
import System
import TestSupport
import Testing

@testable import FeedStorage

@Suite("A data file whose old objects stay as they are")
struct KeptObjectsTests {
  /// The same stories in two files: one keeps its objects where it can, the other is written whole.
  private struct Files {
    var (kept, whole) = (ItemTable.empty, ItemTable.empty)
    var bytes: (kept: [UInt8], whole: [UInt8]) = ([], [])
    var saves = 0
    var next = 0

    mutating func save(_ changes: StoryChanges, inBoth other: StoryChanges? = nil) throws {
      let objects = kept.kept(under: changes)
      if objects != nil { saves += 1 }
      bytes.kept = try Self.bytes(kept, changes, objects)
      bytes.whole = try Self.bytes(whole, other ?? changes, nil)
      (kept, whole) = (try Self.table(bytes.kept), try Self.table(bytes.whole))
    }

    private static func bytes(
      _ table: ItemTable,
      _ changes: StoryChanges,
      _ kept: KeptStories?,
    ) throws -> [UInt8] {
      var bytes: [UInt8] = []
      var builder = DataFileBuilder(table, changes, keeping: kept)
      try builder.write { bytes += $0 }
      return bytes
    }

    private static func table(_ bytes: [UInt8]) throws -> ItemTable {
      try ItemTable(PropertyList.reader(PropertyListBytes(bytes)), path: "", status: nil)
    }

    var value: PropertyListValue? { try? PropertyList.value(PropertyListBytes(bytes.kept)) }
    var expected: PropertyListValue? { try? PropertyList.value(PropertyListBytes(bytes.whole)) }
  }

  private static func story(_ number: Int, _ chance: inout Chance) -> StoredItem {
    var item = fullItem(number).item
    item.author = chance.below(2) == 0 ? "A. Writer" : "B. Writer \(chance.below(9))"
    item.categories = (0..<chance.below(3)).map { "category \($0)" }
    let feeds = (0...chance.below(8) / 7).map { "https://example.org/feed/\($0 + chance.below(5))" }
    var story = StoredItem(
      id: String(repeating: "0", count: 10) + String(100_000 + number),
      item: item,
      feeds: feeds,
      stored: Date(timeIntervalSinceReferenceDate: Double(number)),
    )
    story.isRead = chance.below(4) == 0
    return story
  }

  private static func changes(_ files: inout Files, _ chance: inout Chance) -> StoryChanges {
    let count = files.whole.count
    let new = (0...chance.below(6)).map { story(files.next + $0, &chance) }
    files.next += new.count
    var changes = StoryChanges(adding: new)
    guard count > 0 else { return changes }
    if chance.below(50) == 0 {
      changes.removed = Set(0..<count)
      return changes
    }
    for _ in 0..<chance.below(4) { changes.removed.insert(chance.below(count)) }
    for _ in 0..<chance.below(4) {
      changes.replaced[chance.below(count)] = story(chance.below(1_000), &chance)
    }
    for _ in 0..<chance.below(6) {
      var adjustment = ItemAdjustment(marks: [.read: chance.below(2) == 0])
      if chance.below(3) == 0 { adjustment.tags = (0..<chance.below(3)).map { "tag \($0)" } }
      if chance.below(3) == 0 { adjustment.feeds = ["https://example.org/feed/2"] }
      if chance.below(5) == 0 { adjustment.texts[.note] = "note \(chance.below(9))" }
      changes.adjusted[chance.below(count)] = adjustment
    }
    let moved = chance.below(count)
    if changes.leave(moved) { changes.place(.stored(moved), before: count) }
    return changes
  }

  @Test("has the stories that one written whole has, after any saves", arguments: 1...12)
  func anySaves(seed: Int) throws {
    var (chance, files) = (Chance(seed: UInt64(seed)), Files())
    let first = (0..<400).map { Self.story($0, &chance) }
    files.next = first.count
    var known = 0
    try files.save(StoryChanges(adding: first))
    for _ in 0..<60 {
      try files.save(Self.changes(&files, &chance))
      #expect(files.value == files.expected)
      #expect(files.kept.count == files.whole.count)
      #expect(files.bytes.kept.count < files.bytes.whole.count * 5 / 4 + 1_024)
      let index = StoryIndex(files.kept)
      for position in 0..<files.whole.count {
        #expect(try files.kept.item(at: position) == files.whole.item(at: position))
        guard let keys = index?[position] else { continue }
        #expect(try keys == StoryKeys(files.kept.story(at: position)))
        known += 1
      }
    }
    #expect(files.saves > 0)
    #expect(known > 100)
  }

  @Test("has the keys of stored stories after one that adds to them, and keeps them under marks")
  func index() throws {
    var (chance, files) = (Chance(seed: 11), Files())
    let isKnown = { (files: Files) in
      let index = StoryIndex(files.kept)
      return (0..<files.kept.count).map { index?[$0] != nil }
    }
    try files.save(StoryChanges(adding: (0..<60).map { Self.story($0, &chance) }))
    #expect(isKnown(files) == Array(repeating: false, count: 60))
    var mark = StoryChanges()
    mark.adjust(3, ItemAdjustment(marks: [.starred: true]))
    try files.save(mark)
    #expect(isKnown(files) == Array(repeating: false, count: 60))
    try files.save(StoryChanges(adding: [Self.story(60, &chance)]))
    #expect(isKnown(files) == [false] + Array(repeating: true, count: 60))
    try files.save(mark)
    #expect(files.saves == 3)
    #expect(isKnown(files) == [false] + Array(repeating: true, count: 60))
    var moved = StoryChanges(adding: [Self.story(61, &chance)])
    moved.adjusted[3] = ItemAdjustment(feeds: ["https://example.org/other"])
    try files.save(moved)
    #expect(isKnown(files) == (0..<62).map { $0 != 0 && $0 != 4 })
  }

  @Test("is written whole once large stories have left as much as a 24th of it")
  func largeStories() throws {
    var (chance, files) = (Chance(seed: 13), Files())
    var stories = (0..<400).map { Self.story($0, &chance) }
    stories[7].item.summary = String(repeating: "large ", count: 1_000)
    try files.save(StoryChanges(adding: stories))
    for number in 0..<40 {
      var changes = StoryChanges()
      stories[7].item.title = "edition \(number)"
      changes.replaced[7] = stories[7]
      try files.save(changes)
      #expect(files.bytes.kept.count < files.bytes.whole.count * 9 / 8)
    }
    #expect(files.saves > 0 && files.saves < 40)
  }

  @Test("a note that says that nearly everything is unused has the file written whole")
  func hostileNote() throws {
    var (chance, files) = (Chance(seed: 14), Files())
    try files.save(StoryChanges(adding: (0..<20).map { Self.story($0, &chance) }))
    var bytes = files.bytes.kept
    let reader = try PropertyList.reader(PropertyListBytes(bytes))
    let (note, root) = try #require(reader.note)
    let offset = try #require(note.baseAddress) - #require(reader.bytes.buffer.baseAddress)
    let unused = Array(repeating: UInt8(255), count: 8)
    var sum = StoryIndexChecksum()
    unused.withUnsafeBytes { sum.add($0) }
    sum.add(root)
    let check = withUnsafeBytes(of: sum.value) { Array($0) }
    bytes.replaceSubrange(offset..<offset + 16, with: unused + check)
    let table = try ItemTable(PropertyList.reader(PropertyListBytes(bytes)), path: "", status: nil)
    #expect(StoryIndex(table) != nil)
    var mark = StoryChanges()
    mark.adjust(3, ItemAdjustment(marks: [.starred: true]))
    #expect(table.kept(under: mark) == nil)
  }

  @Test("has no keys where its note is not what was written")
  func damagedNote() throws {
    var (chance, files) = (Chance(seed: 12), Files())
    try files.save(StoryChanges(adding: (0..<20).map { Self.story($0, &chance) }))
    try files.save(StoryChanges(adding: [Self.story(20, &chance)]))
    let good = files.bytes.kept
    let reader = try PropertyList.reader(PropertyListBytes(good))
    let (note, root) = try #require(reader.note)
    for place in [note, root] {
      let offset = try #require(place.baseAddress) - #require(reader.bytes.buffer.baseAddress)
      for byte in [0, place.count / 2, place.count - 1] {
        var bytes = good
        bytes[offset + byte] ^= 1
        let table = try ItemTable(
          PropertyList.reader(PropertyListBytes(bytes)),
          path: "",
          status: nil,
        )
        #expect(StoryIndex(table) == nil)
        #expect(table.kept(under: StoryChanges()) == nil)
      }
    }
  }

  @Test("takes stories back from another file")
  func returning() throws {
    var (chance, files) = (Chance(seed: 99), Files())
    try files.save(StoryChanges(adding: (0..<100).map { Self.story($0, &chance) }))
    let (formerKept, formerWhole) = (files.kept, files.whole)
    try files.save(StoryChanges(adding: [], removing: [3, 4]))
    let changes = [formerKept, formerWhole].map { table in
      var changes = StoryChanges()
      changes.returning = ReturningStories(table)
      changes.place(.returned(3, ItemAdjustment()), before: 3)
      changes.place(.returned(4, ItemAdjustment(marks: [.starred: true])), before: 3)
      return changes
    }
    try files.save(changes[0], inBoth: changes[1])
    #expect(files.saves == 2)
    #expect(files.value == files.expected)
    #expect(try files.kept.item(at: 4).isStarred)
  }

  @Test("shares keys, feeds and authors with what is stored, and is no larger for ten stories each")
  func sharing() throws {
    var (chance, files) = (Chance(seed: 7), Files())
    for number in 0..<100 {
      let new = (0..<10).map { Self.story(10 * number + $0, &chance) }
      try files.save(StoryChanges(adding: new))
    }
    #expect(files.saves == 99)
    let keys = files.kept.count * StoryKeys.size
    #expect(files.bytes.kept.count < files.bytes.whole.count * 101 / 100 + keys)
  }

  @Test("is written whole where its form is another, or an object would be lost")
  func otherForms() throws {
    var (chance, files) = (Chance(seed: 3), Files())
    try files.save(StoryChanges(adding: (0..<100).map { Self.story($0, &chance) }))
    let good = files.bytes.kept
    let isKept = { (bytes: [UInt8]) in
      try ItemTable(PropertyList.reader(PropertyListBytes(bytes)), path: "", status: nil)
        .kept(under: StoryChanges()) != nil
    }
    #expect(try isKept(good))
    let plain = PropertyList.encode(try #require(files.expected))
    #expect(try !isKept(plain))
    #expect(try !isKept(Array(good.dropLast(32)) + [0] + good.suffix(32)))
    // The offset of a story leads behind all stories.
    var bytes = good
    let table = good.suffix(8).reduce(0) { $0 << 8 | Int($1) }
    let width = Int(good[good.count - 26])
    for place in 0..<width { bytes[table + 2 * width + place] = bytes[table + width + place] }
    #expect(try !isKept(bytes))
    let most = StoryChanges(adding: [], removing: 0..<11)
    #expect(files.kept.kept(under: most) == nil)
  }

  @Test("is read by plistlib and plistutil as what it is")
  func tools() throws {
    let folder = try TemporaryFolder()
    var (chance, files) = (Chance(seed: 5), Files())
    try files.save(StoryChanges(adding: (0..<400).map { Self.story($0, &chance) }))
    files.next = 400
    for _ in 0..<10 {
      try files.save(Self.changes(&files, &chance))
      let (kept, whole) = (folder.path("kept"), folder.path("whole"))
      try writeFile(kept, files.bytes.kept)
      try writeFile(whole, files.bytes.whole)
      let script = """
        import plistlib, sys
        kept, whole = (plistlib.load(open(path, 'rb')) for path in sys.argv[1:])
        assert kept == whole and len(kept) > 0
        """
      let python = try Subprocess.run(["python3", "-c", script, kept, whole])
      #expect(python.status == 0, "\(python.errorText)")
      for path in [kept, whole] {
        let words = ["plistutil", "-i", path, "-f", "xml", "-o", path + ".xml"]
        #expect(try Subprocess.run(words).status == 0)
      }
      #expect(try readFile(kept + ".xml") == readFile(whole + ".xml"))
    }
    #expect(files.saves > 0)
  }
}
