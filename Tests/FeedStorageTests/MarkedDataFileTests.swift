import FeedModel
import FeedStorage
import PropertyLists
import TestSupport
import Testing

@Suite("A mark on a few of many stories")
struct MarkedDataFileTests {
  private let folder: TemporaryFolder
  private let store: LibraryStore

  init() throws {
    folder = try TemporaryFolder()
    store = LibraryStore(home: folder.path("home"))
  }

  private func fill(_ count: Int) throws -> [StoredItem] {
    let items = (0..<count).map { fullItem($0) }
    try save(items.map { .insert($0) })
    return items
  }

  private func save(_ edits: [ItemEdit]) throws {
    try store.update { (_) throws(StorageError) in (LibraryChange(items: edits), ()) }
  }

  private func mark(_ places: [Int], _ marks: ItemMarks) throws {
    let count = try store.read().items.count
    var (edits, next): ([ItemEdit], Int) = ([], 0)
    for place in places {
      if place > next { edits.append(.keep(next..<place)) }
      edits.append(.mark(place..<place + 1, marks))
      next = place + 1
    }
    if next < count { edits.append(.keep(next..<count)) }
    try save(edits)
  }

  @Test("leaves all that the file has where it is, and adds what is new behind it")
  func untouched() throws {
    var expected = try fill(200)
    let old = try readFile(store.dataPath)
    try mark([0, 7, 199], ItemMarks(isRead: true, isStarred: false))
    for place in [0, 7, 199] {
      expected[place].isRead = true
      expected[place].isStarred = false
    }
    #expect(try store.items() == expected)
    let new = try readFile(store.dataPath)
    #expect(new.count > old.count && new.count < old.count + 3 * 100)
    // The array of 200 references, two bytes each, is the last object.
    let same = zip(old, new).prefix { $0 == $1 }.count
    #expect(same > old.count * 3 / 4)
    #expect(try Subprocess.run(["plutil", "-lint", store.dataPath]).status == 0)
    try mark([7], ItemMarks(isRead: false))
    expected[7].isRead = false
    #expect(try store.items() == expected)
  }

  @Test("is kept by the next save of everything, and what it added is gone")
  func writtenAnew() throws {
    var expected = try fill(200)
    try mark([3], ItemMarks(isRead: false))
    let patched = try readFile(store.dataPath).count
    expected[3].isRead = false
    try save([.keep(1..<200)])
    #expect(try store.items() == Array(expected[1...]))
    let size = try readFile(store.dataPath).count
    try save([.keep(0..<199)] + [.insert(expected[0])])
    #expect(size < patched)
    #expect(try store.items() == Array(expected[1...]) + [expected[0]])
  }

  @Test("lets the file grow by no more than a fifth, however often it is made")
  func bounded() throws {
    var expected = try fill(60)
    let size = try readFile(store.dataPath).count
    var sizes: [Int] = []
    for round in 0..<150 {
      let place = round * 7 % 60
      expected[place].isStarred.toggle()
      try mark([place], ItemMarks(isStarred: expected[place].isStarred))
      sizes.append(try readFile(store.dataPath).count)
    }
    #expect(try store.items() == expected)
    #expect(sizes.allSatisfy { $0 <= size * 6 / 5 })
    // Most saves added, and some wrote all anew.
    #expect(zip(sizes, sizes.dropFirst()).contains { $1 < $0 })
    #expect(zip(sizes, sizes.dropFirst()).count { $1 > $0 } > 75)
  }

  @Test("is not on another story that is the same object in the file")
  func sharedDictionary() throws {
    try store.prepareHome()
    var writer = BinaryPropertyListWriter(adding: 1_000)
    var elements = (0..<100).map { writer.add(.dictionary(["title": .string("Story \($0)")])) }
    elements[50] = elements[49]
    let root = writer.add(array: elements)
    try folder.write(writer.bytes(root: root), to: "home/newsdata.plist")
    try mark([50], ItemMarks(isRead: true))
    let items = try store.items()
    #expect(items.map(\.isRead) == (0..<100).map { $0 == 50 })
    #expect(items[49].item.title == "Story 49" && items[50].item.title == "Story 49")
  }

  @Test("changes nothing else where the list of stories shares its bytes with another object")
  func sharedBytes() throws {
    // The reference to object 9 in the array is the boolean `true` of the first story, too.
    let filler = [UInt8](repeating: 0x78, count: 600)
    let objects: [[UInt8]] = [
      [0xa2, 1, 9], [0xd2, 2, 4, 3, 5], [0x55] + "title".utf8, [0x51] + "A".utf8,
      [0x54] + "read".utf8, [], [0x51] + "B".utf8, [0x08], [0x5f, 0x11, 0x02, 0x58] + filler,
      [0xd1, 2, 6],
    ]
    var bytes = Array("bplist00".utf8)
    var table: [UInt8] = []
    for object in objects {
      let place = object.isEmpty ? 10 : bytes.count
      table += [UInt8(place >> 8), UInt8(place & 0xff)]
      bytes += object
    }
    let start = bytes.count
    bytes += table + [0, 0, 0, 0, 0, 0, 2, 1]
    for number in [objects.count, 0, start] {
      bytes += (0..<8).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
    try store.prepareHome()
    try folder.write(bytes, to: "home/newsdata.plist")
    #expect(try store.items().map(\.isRead) == [true, false])
    try mark([1], ItemMarks(isStarred: true))
    #expect(try store.items().map(\.isRead) == [true, false])
    #expect(try store.items().map(\.isStarred) == [false, true])
    #expect(try store.items().map(\.item.title) == ["A", "B"])
  }

  @Test("is no reason to write what all stories of a million share a million times")
  func hugeDictionary() throws {
    try store.prepareHome()
    var writer = BinaryPropertyListWriter(adding: 70_000)
    let keys = (0..<30_000).map { writer.add(.string("key \($0)")) }
    let dictionary = writer.add(keys: keys, values: keys)
    let elements = Array(repeating: dictionary, count: 1_000)
    let root = writer.add(array: elements)
    let bytes = writer.bytes(root: root)
    try folder.write(bytes, to: "home/newsdata.plist")
    // Each would be a dictionary of its own.
    #expect(throws: StorageError.self) { try mark(Array(0..<1_000), ItemMarks(isRead: true)) }
    #expect(try readFile(store.dataPath) == bytes)
  }
}
