extension HostileFile {
  static let noLists: [HostileFile] = [
    HostileFile("nothing", .refused, text: ""),
    HostileFile("the first eight bytes", .refused, text: "bplist00"),
    HostileFile("a page of zeros", .refused, [UInt8](repeating: 0, count: 4_096)),
    HostileFile("HTML", .refused, text: "<!DOCTYPE html><html><body></body></html>"),
    HostileFile("JSON", .refused, text: "[{\"title\":\"T\"}]"),
    HostileFile("an old-style list", .refused, text: "( { title = T; } )"),
    HostileFile(
      "XML in UTF-16",
      .refused,
      [0xff, 0xfe] + "<plist/>".utf16.flatMap { [UInt8($0), 0] },
    ),
    HostileFile(
      "another version",
      .refused,
      text: "bplist15" + String(repeating: "x", count: 64),
    ),
  ]

  static let cycles: [HostileFile] = [
    HostileFile("an array in itself", .refused, HostileList([HostileList.array([0])])),
    HostileFile(
      "arrays in each other",
      .refused,
      HostileList([HostileList.array([1]), HostileList.array([0])]),
    ),
    HostileFile(
      "a story that is its own title",
      .lines(1),
      HostileList([
        HostileList.array([1]), HostileList.dictionary([(2, 1)]), HostileList.text("title"),
      ]),
    ),
    HostileFile(
      "feeds in themselves",
      .lines(1),
      HostileList.story("feeds", [HostileList.array([3])]),
    ),
    HostileFile(
      "enclosures in themselves",
      .linesUnlessJSON(1),
      HostileList.story("enclosures", [HostileList.array([3])]),
    ),
    HostileFile(
      "an unknown value in itself",
      .lines(1),
      HostileList.story("other", [HostileList.array([3])]),
    ),
  ]

  static let bombs: [HostileFile] = [
    HostileFile(
      "enclosures that double sixty times",
      .linesUnlessJSON(1),
      HostileList.story("enclosures", HostileList.bomb(first: 3, levels: 60, fanOut: 2)),
    ),
    HostileFile(
      "an unknown value that doubles sixty times",
      .lines(1),
      HostileList.story("other", HostileList.bomb(first: 3, levels: 60, fanOut: 2)),
    ),
    HostileFile(
      "feeds that grow by 200 eight times",
      .lines(1),
      HostileList.story("feeds", HostileList.bomb(first: 3, levels: 8, fanOut: 200)),
    ),
    HostileFile(
      "a story that is there a million times",
      .refused,
      HostileList([
        HostileList.array(Array(repeating: 1, count: 1_000_000)),
        HostileList.dictionary([(2, 2)]), HostileList.text("title"),
      ]),
    ),
    HostileFile(
      "a feed of a megabyte that is there a thousand times in one story",
      .refused,
      HostileList.story(
        "feeds",
        [
          HostileList.array(Array(repeating: 4, count: 1_000)),
          HostileList.text(String(repeating: "x", count: 1_000_000)),
        ],
      ),
    ),
    HostileFile(
      "an id of 200,000 bytes that a thousand stories share",
      .lines(1_000),
      HostileList(
        [
          HostileList.array((3..<1_003).map(\.self), width: 2), HostileList.text("id"),
          HostileList.text(String(repeating: "x", count: 200_000)),
        ]
          + (0..<1_000).map { _ in HostileList.dictionary([(1, 2)], width: 2) },
        referenceWidth: 2,
      ),
    ),
    HostileFile(
      "an enclosure that is there a hundred thousand times",
      .linesUnlessJSON(1),
      HostileList.story(
        "enclosures",
        [
          HostileList.array(Array(repeating: 4, count: 100_000)),
          HostileList.dictionary([(5, 6)]), HostileList.text("url"),
          HostileList.text(String(repeating: "u", count: 1_000)),
        ],
      ),
    ),
  ]

  static let counts: [HostileFile] = {
    let kinds: [(String, UInt8)] = [
      ("data", 0x40), ("a text", 0x50), ("a wide text", 0x60), ("an array", 0xa0),
      ("a dictionary", 0xd0),
    ]
    let powers: [UInt64] = [16, 31, 32, 61, 62, 63, 64]
    var files: [HostileFile] = []
    for (kind, marker) in kinds {
      for power in powers {
        // 1 << 64 is 0: the greatest number is one less.
        let object = HostileList.head(marker, count: (1 << power) &- (power == 64 ? 1 : 0))
        let story = HostileList([HostileList.array([1]), object])
        let name = "\(kind) of 2^\(power) elements"
        files.append(HostileFile("\(name) as the list", .refused, HostileList([object])))
        files.append(HostileFile("\(name) as a story", .refused, story))
      }
    }
    return files
  }()

  static let trailers: [HostileFile] = {
    let good: HostileList = .story("title", [HostileList.text("T")])
    let absurd: [UInt64] = [5, 1_000, 1 << 31, 1 << 32, 1 << 62, 1 << 63, .max]
    var lists: [(String, HostileList)] = [
      ("no objects", good.with { $0.claimedCount = 0 }),
      ("a top-level object that is not there", good.with { $0.root = 4 }),
      ("a table at the beginning", good.with { $0.claimedTable = 0 }),
      ("offsets of no bytes", good.with { $0.claimedOffsetWidth = 0 }),
      ("offsets of nine bytes", good.with { $0.claimedOffsetWidth = 9 }),
      ("offsets of 255 bytes", good.with { $0.claimedOffsetWidth = 255 }),
      ("references of no bytes", good.with { $0.claimedReferenceWidth = 0 }),
      ("references of nine bytes", good.with { $0.claimedReferenceWidth = 9 }),
      ("references of eight bytes", good.with { $0.claimedReferenceWidth = 8 }),
      ("offsets into the header", good.with { $0.claimedOffset = 0 }),
    ]
    for number in absurd {
      lists.append(("\(number) objects", good.with { $0.claimedCount = number }))
      lists.append(
        ("the table at \(number) and beyond", good.with { $0.claimedTable = number << 8 })
      )
      lists.append(("the top-level object \(number)", good.with { $0.root = number }))
    }
    for number: UInt64 in [1 << 31 - 1, 1 << 32 - 1, 61] {
      lists.append(("all objects at \(number)", good.with { $0.claimedOffset = number }))
    }
    return lists.map { HostileFile($0.0, .refused, $0.1) }
  }()
}
