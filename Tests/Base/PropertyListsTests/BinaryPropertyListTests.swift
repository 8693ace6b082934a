import PropertyLists
import Synchronization
import TestSupport
import Testing

private func decoded(_ bytes: [UInt8]) throws -> PropertyListValue {
  try PropertyList.value(PropertyListBytes(bytes))
}

extension BinaryPropertyListWriter {
  fileprivate mutating func copy(_ index: Int) throws -> Object {
    let object = try enqueue(index)
    #expect(try copyQueued())
    return object
  }
}

@Suite("A binary property list")
struct BinaryPropertyListTests {
  private static let edges: [PropertyListValue] =
    [0, 1, 127, 128, 255, 256, 32_767, 32_768, 65_535, 65_536, 1 << 31, 1 << 32, .max].map {
      .integer($0)
    }
    + [-1, -128, -129, -32_769, .min].map { .integer($0) }
    + [0, 14, 15, 16, 255, 256, 70_000].flatMap { count -> [PropertyListValue] in
      [
        .string(String(repeating: "x", count: count)),
        .string(String(repeating: "é", count: count)),
        .data([UInt8](repeating: 7, count: count)),
        .array((0..<count).map { .integer(Int64($0)) }),
      ]
    }
    + [
      .unsigned(.max), .real(-1.5), .real(.infinity), .boolean(true), .boolean(false),
      .date(-0.25), .date(1e9 + 0.125), .string("🗞 \u{0} \u{FEFF}"), .uid(1), .uid(70_000),
      .dictionary([:]), .dictionary(["": .array([])]),
    ]

  @Test("gives back every edge of the format")
  func edges() throws {
    for value in Self.edges + [.array(Self.edges)] {
      #expect(try decoded(PropertyList.encode(value)) == value)
    }
  }

  @Test("gives back whatever was put in", arguments: 0..<200)
  func roundTrip(seed: Int) throws {
    var values = GeneratedValues(seed: UInt64(seed))
    let value = values.value()
    #expect(try decoded(PropertyList.encode(value)) == value)
  }

  @Test("means the same to plistlib, plistutil and plutil, there and back")
  func otherPrograms() throws {
    var generator = GeneratedValues(seed: 42)
    let value = PropertyListValue.array((0..<300).map { _ in generator.value() })
    let folder = try TemporaryFolder()
    let path = try folder.write(PropertyList.encode(value), to: "in")
    let programs = [
      ["plutil", "-lint", path],
      ["python3", "-c", Self.resave, path, folder.path("python-binary"), "FMT_BINARY"],
      ["python3", "-c", Self.resave, path, folder.path("python-xml"), "FMT_XML"],
      ["plistutil", "-i", path, "-f", "bin", "-o", folder.path("plistutil-binary")],
      ["plistutil", "-i", path, "-f", "xml", "-o", folder.path("plistutil-xml")],
      ["plutil", "-convert", "binary1", path, "-o", folder.path("plutil-binary")],
      ["plutil", "-convert", "xml1", path, "-o", folder.path("plutil-xml")],
    ]
    for program in programs {
      let result = try Subprocess.run(program)
      #expect(result.status == 0, "\(program[0]): \(result.errorText)")
    }
    for name in try namesInFolder(folder.path) where name != "in" {
      let back = try decoded(try readFile(folder.path(name)))
      #expect(Self.sorted(back) == Self.sorted(value), "\(name)")
    }
  }

  private static let resave = """
    import plistlib, sys
    value = plistlib.load(open(sys.argv[1], 'rb'))
    plistlib.dump(value, open(sys.argv[2], 'wb'), fmt=getattr(plistlib, sys.argv[3]))
    """

  private static func sorted(_ value: PropertyListValue) -> PropertyListValue {
    switch value {
    case .array(let values): return .array(values.map(sorted))
    case .dictionary(let dictionary):
      var result = PropertyListDictionary()
      for entry in dictionary.entries.sorted(by: { $0.key < $1.key }) {
        result.append(entry.key, sorted(entry.value))
      }
      return .dictionary(result)
    default: return value
    }
  }

  @Test("shares equal strings, and takes the smallest widths of places")
  func compactness() throws {
    let story = PropertyListValue.dictionary([
      "feeds": .array([.string("https://example.org/feed")])
    ])
    let one = sharing([story]).count
    let hundred = sharing(Array(repeating: story, count: 100)).count
    // A further story costs a dictionary and an array (a byte each), four references of four bytes,
    // and two offsets of two bytes; the first list has offsets of one.
    #expect(hundred - one <= 99 * (2 + 4 * 4 + 2 * 2) + 16)
  }

  private func sharing(_ values: [PropertyListValue]) -> [UInt8] {
    var writer = BinaryPropertyListWriter()
    let root = writer.add(.array(values))
    return writer.bytes(root: root)
  }

  @Test("copies objects as they are, with all that is in them")
  func copies() throws {
    var generator = GeneratedValues(seed: 9)
    let values = (0..<100).map { _ in generator.value() }
    let reader = try PropertyList.reader(PropertyListBytes(PropertyList.encode(.array(values))))
    var writer = BinaryPropertyListWriter(copyingFrom: reader)
    let elements = try #require(try reader.elements(reader.root))
    var objects = try elements.reversed().map { try writer.copy($0) }
    objects.append(writer.add(.string("new")))
    let root = writer.add(array: objects)
    #expect(try decoded(writer.bytes(root: root)) == .array(values.reversed() + [.string("new")]))
  }

  @Test("copies what stands last, whatever it is")
  func copiesTheLast() throws {
    for value in [PropertyListValue.boolean(true), .boolean(false), .integer(7), .string("")] {
      let list = PropertyListValue.array([value])
      let bytes: [UInt8] =
        Array("bplist00".utf8) + [0xa1, 1] + last(value) + [8, 10]
        + [0, 0, 0, 0, 0, 0, 1, 1] + word(2) + word(0) + word(10 + last(value).count)
      let reader = try PropertyList.reader(PropertyListBytes(bytes))
      var writer = BinaryPropertyListWriter(copyingFrom: reader)
      let root = try writer.copy(reader.root)
      #expect(try decoded(writer.bytes(root: root)) == list)
    }
  }

  private func last(_ value: PropertyListValue) -> [UInt8] {
    switch value {
    case .boolean(let flag): [flag ? 0x09 : 0x08]
    case .integer(let number): [0x10, UInt8(number)]
    default: [0x50]
    }
  }

  private func word(_ number: Int) -> [UInt8] {
    [0, 0, 0, 0, 0, 0, 0, UInt8(number)]
  }

  @Test("takes over a dictionary's entries but for some, also of one that is used often")
  func entries() throws {
    let story: PropertyListValue = .dictionary([
      "a": .array([.string("x"), .real(0.5)]), "read": .boolean(true),
      "b": .dictionary(["c": .date(1)]),
    ])
    let bytes = PropertyList.encode(.array(Array(repeating: story, count: 3) + [.integer(1)]))
    let reader = try PropertyList.reader(PropertyListBytes(bytes))
    let elements = try #require(try reader.elements(reader.root))
    var writer = BinaryPropertyListWriter(copyingFrom: reader)
    var objects = [try writer.copy(elements[0])]
    for element in elements[1...2] {
      let entries = try writer.enqueue(entriesOf: element) { key in
        try reader.isString(key, "read")
      }
      _ = try writer.copyQueued()
      let (keys, values) = try #require(entries)
      objects.append(writer.add(keys: keys, values: values))
    }
    let none = try writer.enqueue(entriesOf: elements[3]) { _ in false }
    #expect(none == nil)
    let rest: PropertyListValue = .dictionary([
      "a": .array([.string("x"), .real(0.5)]), "b": .dictionary(["c": .date(1)]),
    ])
    let root = writer.add(array: objects)
    #expect(try decoded(writer.bytes(root: root)) == .array([story, rest, rest]))
    // One element that stands for any number would take room for all of them.
    #expect(throws: PropertyListError.tooLarge) {
      for _ in 0..<100_000 { _ = try writer.enqueue(entriesOf: elements[1]) { _ in false } }
    }
  }

  @Test("goes out in pieces while it is made, within one copied object too")
  func pieces() throws {
    let values = (0..<40_000).map { PropertyListValue.dictionary(["n": .integer(Int64($0))]) }
    let list = PropertyListValue.array([.array(values), .string("last")])
    let reader = try PropertyList.reader(PropertyListBytes(PropertyList.encode(list)))
    var writer = BinaryPropertyListWriter(copyingFrom: reader)
    var pieces: [[UInt8]] = []
    var objects: [BinaryPropertyListWriter.Object] = []
    for element in try #require(try reader.elements(reader.root)) {
      objects.append(try writer.enqueue(element))
      while try !writer.copyQueued() {
        pieces.append(Array(writer.piece))
        writer.discardPiece()
      }
    }
    let isWhole = writer.finish(root: writer.add(array: objects)) { pieces.append(Array($0)) }
    #expect(isWhole)
    #expect(pieces.count > 2)
    #expect(pieces.allSatisfy { $0.count < 300_000 })
    #expect(try decoded(pieces.flatMap(\.self)) == list)
  }

  @Test("lets the memory of its bytes go every few mebibytes, not for one place looked at often")
  func rest() {
    let rests = Mutex(0)
    let size = 64 << 20
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 8)
    let bytes = PropertyListBytes(UnsafeRawBufferPointer(memory)) { _ in
      rests.withLock { $0 += 1 }
    } release: {
      $0.deallocate()
    }
    for _ in 0..<10_000 { bytes.willRead(at: 5 << 20) }
    #expect(rests.withLock(\.self) == 0)
    for offset in stride(from: 0, to: size, by: 1_000) { bytes.willRead(at: offset) }
    #expect((8...32).contains(rests.withLock(\.self)))
  }

  @Test("is an error or a value, never a trap, wherever it is cut off")
  func truncation() {
    let bytes = sample()
    for length in 0..<bytes.count {
      #expect(throws: PropertyListError.self) { try decoded(Array(bytes[..<length])) }
    }
  }

  @Test("is an error or a value, never a trap, whichever bit is flipped")
  func flippedBits() {
    var bytes = sample()
    var refused = 0
    for index in bytes.indices {
      for bit in 0..<8 {
        bytes[index] ^= 1 << bit
        if (try? decoded(bytes)) == nil { refused += 1 }
        bytes[index] ^= 1 << bit
      }
    }
    // A flip in a text or a number gives another value; one in the structure is refused.
    #expect(refused > bytes.count / 2)
    #expect(refused < bytes.count * 7)
  }

  private func sample() -> [UInt8] {
    PropertyList.encode(
      .array([
        .dictionary(["title": .string("A – B"), "read": .boolean(true), "feeds": .array([])]),
        .dictionary(["title": .string("plain"), "date": .date(1.5), "size": .integer(70_000)]),
        .data([1, 2, 3]), .real(0.5), .uid(3),
      ])
    )
  }

  /// Returns a file of these objects, with offsets and references of one byte.
  private func file(_ objects: [[UInt8]], trailer: [UInt8]? = nil) -> [UInt8] {
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for object in objects {
      offsets.append(UInt8(bytes.count))
      bytes += object
    }
    let table = UInt8(bytes.count)
    bytes += offsets
    return bytes
      + (trailer ?? [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, UInt8(objects.count)]
        + [0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, table])
  }

  @Test("that is hostile is refused")
  func hostile() {
    let bomb = file((0..<40).map { [0xa2, UInt8($0 + 1), UInt8($0 + 1)] } + [[0x50]])
    let cases: [(String, [UInt8])] = [
      ("an array that contains itself", file([[0xa1, 0]])),
      ("a dictionary that contains itself", file([[0xd1, 1, 0], [0x51, 0x61]])),
      ("arrays that double forty times", bomb),
      ("a reference to nothing", file([[0xa1, 9]])),
      ("a key that is no string", file([[0xd1, 1, 1], [0x10, 1]])),
      (
        "a count beyond the file",
        file([[0xaf, 0x13, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]]),
      ),
      ("a count that is no integer", file([[0x5f, 0x51, 0x61]])),
      ("an unknown kind", file([[0x70]])),
      ("a date that is no number", file([[0x33, 0x7f, 0xf8, 0, 0, 0, 0, 0, 0]])),
      ("an integer of 128 bits", file([[0x14] + [UInt8](repeating: 1, count: 16)])),
      ("no objects", file([[0x08]], trailer: [UInt8](repeating: 0, count: 32))),
      (
        "absurd numbers in the trailer",
        file([[0x08]], trailer: [0, 0, 0, 0, 0, 0, 8, 8] + [UInt8](repeating: 0xff, count: 24)),
      ),
    ]
    for (name, bytes) in cases {
      #expect(throws: PropertyListError.self, "\(name)") { try decoded(bytes) }
    }
  }

  @Test("that is nested a thousand deep is refused, binary or XML")
  func deep() {
    var value = PropertyListValue.array([])
    for _ in 0..<1_000 { value = .array([value]) }
    #expect(throws: PropertyListError.tooDeep(limit: 64)) {
      try decoded(PropertyList.encode(value))
    }
    let xml = "<plist>" + String(repeating: "<array>", count: 100_000)
    #expect(throws: PropertyListError.tooDeep(limit: 64)) { try decoded(Array(xml.utf8)) }
  }
}
