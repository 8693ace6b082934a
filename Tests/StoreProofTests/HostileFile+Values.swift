/// Files that are well formed, and hold values that no `news` writes.
extension HostileFile {
  static let values: [HostileFile] = dates + oddities

  private static let dates: [HostileFile] = {
    let dates: [Double] = [
      .nan, .infinity, -.infinity, .greatestFiniteMagnitude, -1e300, .leastNonzeroMagnitude,
    ]
    return dates.flatMap { seconds in
      ["date", "stored"].map { key in
        let list = HostileList.story(key, [HostileList.date(seconds)])
        return HostileFile("\(key) \(seconds)", .lines(1), list)
      }
    }
  }()

  private static let oddities: [HostileFile] = [
    HostileFile("a dictionary as the list", .refused, HostileList([HostileList.dictionary([])])),
    HostileFile("a text as the list", .refused, HostileList([HostileList.text("x")])),
    HostileFile(
      "a number, a text and a date as stories",
      .refused,
      HostileList([
        HostileList.array([1, 2, 3]), [0x10, 7], HostileList.text("x"), HostileList.date(.nan),
      ]),
    ),
    HostileFile("a number as a title", .lines(1), HostileList.story("title", [[0x10, 1]])),
    HostileFile("a number as feeds", .lines(1), HostileList.story("feeds", [[0x10, 1]])),
    HostileFile(
      "numbers in feeds",
      .lines(1),
      HostileList.story("feeds", [HostileList.array([4]), [0x10, 1]]),
    ),
    HostileFile(
      "a text as a date",
      .lines(1),
      HostileList.story("date", [HostileList.text("x")]),
    ),
    HostileFile(
      "an integer of 128 bits as read",
      .lines(1),
      HostileList.story("read", [[0x14] + [UInt8](repeating: 0xff, count: 16)]),
    ),
    HostileFile(
      "a number as a key",
      .lines(1),
      HostileList([HostileList.array([1]), HostileList.dictionary([(2, 2)]), [0x10, 1]]),
    ),
    HostileFile(
      "the same key ten thousand times",
      .lines(1),
      HostileList([
        HostileList.array([1]),
        HostileList.dictionary(Array(repeating: (2, 2), count: 10_000)),
        HostileList.text("title"),
      ]),
    ),
    HostileFile(
      "a title of bytes that are no text",
      .lines(1),
      HostileList.story("title", [HostileList.head(0x50, count: 4) + [0xff, 0xc0, 0x80, 0x1b]]),
    ),
    HostileFile(
      "a title of half characters",
      .lines(1),
      HostileList.story(
        "title",
        [HostileList.head(0x60, count: 3) + [0xd8, 0, 0xd8, 0, 0xdc, 0]],
      ),
    ),
    HostileFile(
      "a title of a character with half a million marks",
      .lines(1),
      HostileList.story(
        "title",
        [
          HostileList.head(0x60, count: 500_001) + [0, 0x61]
            + (0..<500_000).flatMap { _ in [UInt8(3), UInt8(1)] }
        ],
      ),
    ),
    HostileFile(
      "a title of a million control characters",
      .lines(1),
      HostileList.story(
        "title",
        [HostileList.head(0x50, count: 1_000_000) + [UInt8](repeating: 0x1b, count: 1_000_000)],
      ),
    ),
  ]

  static let nested: [HostileFile] =
    [65, 1_000, 100_000].flatMap { depth -> [HostileFile] in
      let width = 4
      // The story is an array in an array in an array …
      let chain = (1..<depth).map { HostileList.array([$0 + 1], width: width) }
      let list = HostileList(
        [HostileList.array([1], width: width)] + chain + [HostileList.array([])],
        referenceWidth: width,
      )
      let opened = String(repeating: "<array>", count: depth)
      let closed = String(repeating: "</array>", count: depth)
      let keys = String(repeating: "<dict><key>k</key>", count: depth)
      return [
        HostileFile("\(depth) arrays in each other", .refused, list),
        HostileFile(
          "\(depth) arrays in each other as feeds.plist",
          .refused,
          list,
          in: "feeds.plist",
        ),
        HostileFile(
          "\(depth) arrays in each other as XML",
          .refused,
          text: "<plist>\(opened)\(closed)</plist>",
        ),
        HostileFile("\(depth) arrays without an end", .refused, text: "<plist>\(opened)"),
        HostileFile("\(depth) dictionaries without an end", .refused, text: "<plist>\(keys)"),
      ]
    }

  static let xml: [HostileFile] = documents.map { name, answer, text in
    HostileFile("XML: \(name)", answer, text: text)
  }

  private static let documents: [(String, Answer, String)] = [
    ("a billion laughs", .refused, laughs),
    (
      "an external entity", .refused,
      "<!DOCTYPE plist [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><plist><array>&x;</array></plist>",
    ),
    ("an unknown reference", .refused, story("<string>&x;</string>")),
    ("a reference beyond all characters", .refused, story("<string>&#x110000;</string>")),
    ("a reference to half a character", .refused, story("<string>&#xD800;</string>")),
    ("a reference that does not end", .refused, story("<string>&#1" + zeros + "</string>")),
    ("a reference to NUL", .lines(1), story("<string>&#0;</string>")),
    ("a number of a hundred thousand digits", .refused, story("<integer>1\(zeros)</integer>")),
    ("a real of a hundred thousand digits", .lines(1), story("<real>1\(zeros)</real>")),
    ("a real that is no number", .lines(1), story("<real>nan</real>")),
    ("a date in the year 999999999", .refused, story("<date>999999999-01-01T00:00:00Z</date>")),
    ("a date in month 99", .refused, story("<date>2001-99-99T99:99:99Z</date>")),
    ("data that is none", .refused, story("<data>====!</data>")),
    ("a comment that does not end", .refused, story("<!-- <string/>")),
    ("CDATA that does not ends", .refused, story("<string><![CDATA[ x")),
    ("a tag that does not end", .refused, story("<string" + zeros)),
    ("a tag of a hundred thousand letters", .refused, story("<\(zeros)/>")),
    ("an instruction that does not end", .refused, "<?xml " + zeros),
    ("a hundred thousand openings of nothing", .refused, "<plist>" + openings),
    ("no list", .refused, "<plist></plist>"),
    ("text", .refused, "<plist>text</plist>"),
    ("a hundred thousand stories without anything", .lines(100_000), stories("<dict/>")),
    ("a hundred thousand truths as stories", .refused, stories("<true/>")),
  ]

  private static let zeros = String(repeating: "0", count: 100_000)
  private static let openings = String(repeating: "<", count: 100_000)
  private static func stories(_ story: String) -> String {
    "<plist><array>" + String(repeating: story, count: 100_000) + "</array></plist>"
  }
  private static let laughs: String = {
    let entities = (1..<10).map { number in
      let references = String(repeating: "&a\(number - 1);", count: 10)
      return "<!ENTITY a\(number) \"\(references)\">"
    }
    return "<!DOCTYPE plist [<!ENTITY a0 \"ha\">\(entities.joined())]>"
      + "<plist><array><string>&a9;</string></array></plist>"
  }()

  private static func story(_ value: String) -> String {
    "<plist><array><dict><key>other</key>\(value)</dict></array></plist>"
  }

  /// Hostile values in the other files of the store.
  static let records: [HostileFile] = ["feeds.plist", "ledger.plist", "listing.plist"].flatMap {
    place in
    let bomb = HostileList.bomb(first: 1, levels: 60, fanOut: 2)
    return [
      HostileFile("nothing as \(place)", .refused, text: "", in: place),
      HostileFile("zeros as \(place)", .refused, [UInt8](repeating: 0, count: 4_096), in: place),
      HostileFile(
        "\(place) in itself",
        .refused,
        HostileList([HostileList.array([0])]),
        in: place,
      ),
      HostileFile(
        "\(place) that doubles sixty times",
        .refused,
        HostileList([HostileList.array([1])] + bomb),
        in: place,
      ),
      HostileFile(
        "\(place) that is there a hundred thousand times",
        .refused,
        HostileList([
          HostileList.array(Array(repeating: 1, count: 100_000)),
          HostileList.array(Array(repeating: 2, count: 100_000)), HostileList.text("x"),
        ]),
        in: place,
      ),
      HostileFile(
        "\(place) without a usable trailer",
        .refused,
        HostileList([HostileList.array([])]).with { $0.claimedCount = .max },
        in: place,
      ),
    ]
  }
}
