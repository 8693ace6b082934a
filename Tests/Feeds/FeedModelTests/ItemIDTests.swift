import System
import TestSupport
import Testing

@testable import FeedModel

@Suite("What a story is known by")
struct ItemIDTests {
  private let feed = "https://example.com/feed.xml"

  @Test("ids are the same for ever: changing one would duplicate every user's stories")
  func pinnedIDs() {
    #expect(ItemID.id(feed: feed, key: .guid("urn:1")) == "0a6893e7c6f4777c")
    #expect(ItemID.id(feed: feed, key: .link("https://example.com/1")) == "7cc4cfbf5b02c60c")
    #expect(
      ItemID.id(feed: feed, key: .titleAndDate(title: "A title", pubDate: "7 Mar 2023"))
        == "c0e474ba87aa33bc"
    )
    #expect(ItemID.id(feed: "https://example.org/", key: .guid("urn:1")) == "0cc9b255b08bff04")
  }

  @Test("the digest is SHA-256")
  func digest() {
    #expect(SHA256.prefix(joining: ["abc"]) == 0xBA78_16BF_8F01_CFEA)
    #expect(SHA256.prefix(joining: [""]) == 0xE3B0_C442_98FC_1C14)
    let long = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"
    #expect(SHA256.prefix(joining: [long]) == 0x248D_6A61_D206_38B8)
  }

  @Test(
    "wherever the padding falls",
    arguments: [
      (55, 0x9F43_90F8_D30C_2DD9),
      (56, 0xB354_39A4_AC6F_0948),
      (63, 0x7D3E_74A0_5D7D_B15B),
      (64, 0xFFE0_54FE_7AE0_CB6D),
      (119, 0x31EB_A51C_313A_5C08),
      (120, 0x2F3D_3354_32C7_0B58),
      (1_000, 0x41ED_ECE4_2D63_E8D9),
      (5_000, 0xC526_C622_2044_DAB5),
    ] as [(Int, UInt64)],
  )
  func padding(count: Int, digest: UInt64) {
    #expect(SHA256.prefix(joining: [String(repeating: "a", count: count)]) == digest)
  }

  @Test("the processor's instructions and plain ones have one result, over one block and many")
  func instructions() {
    var chance = Chance(state: 256)
    for count in [1, 2, 3, 17] {
      let message = (0..<count * 64).map { _ in UInt8(truncatingIfNeeded: chance.next()) }
      let start = SIMD8<UInt32>.random(in: 0...UInt32.max, using: &chance)
      var (plain, quick) = (start, start)
      message.withUnsafeBytes { message in
        SHA256.take(message, into: &plain)
        let isTaken = SHA256.takeByInstructions(message, into: &quick)
        #expect(quick == (isTaken ? plain : start))
      }
      #expect(plain != start)
    }
  }

  @Test("a zero byte stands between texts, also empty ones")
  func separators() {
    #expect(SHA256.prefix(joining: ["é", "", "x"]) == 0xCE81_8202_1F8D_E978)
  }

  @Test("an id is sixteen digits, and the number of no other text")
  func digits() {
    #expect(UInt64(0).hexadecimal == "0000000000000000")
    #expect(UInt64(0x0123_4567_89AB_CDEF).hexadecimal == "0123456789abcdef")
    for number in [0, 1, 0xFEDC_BA98_7654_3210, UInt64.max] {
      #expect(ItemID.number(of: number.hexadecimal.utf8) == number)
    }
    for other in ["", "0", "0123456789ABCDEF", "0123456789abcdefa", "0123456789abcdeg"] {
      #expect(ItemID.number(of: other.utf8) == nil)
    }
  }

  @Test("a guid comes before the link, the link before title and date")
  func order() {
    var item = Item(title: "T", link: "https://example.com/1", pubDate: "D", guid: "urn:1")
    #expect(ItemID.key(of: item) == .guid("urn:1"))
    item.guid = nil
    #expect(ItemID.key(of: item) == .link("https://example.com/1"))
    item.link = ""
    #expect(ItemID.key(of: item) == .titleAndDate(title: "T", pubDate: "D"))
  }

  @Test("an item without anything is known by its summary, and has some key in any case")
  func nothing() {
    var item = Item(pubDate: "D")
    item.summary = "What happened"
    #expect(ItemID.key(of: item) == .titleAndDate(title: "What happened", pubDate: "D"))
    #expect(ItemID.key(of: Item()) == .titleAndDate(title: "", pubDate: ""))
  }

  @Test("white space in guids does not count, nor does https in those that are URLs")
  func guids() {
    #expect(ItemID.key(of: Item(guid: " urn:1\n  2 ")) == .guid("urn:1 2"))
    #expect(ItemID.key(of: Item(title: "T", guid: " ")) == .titleAndDate(title: "T", pubDate: ""))
    #expect(
      ItemID.key(of: Item(guid: "http://example.com/?p=1"))
        == ItemID.key(of: Item(guid: "https://example.com/?p=1"))
    )
    #expect(ItemID.key(of: Item(guid: "http://Example.com/A")) == .guid("https://Example.com/A"))
  }

  @Test("neither tracking nor http tell links apart, but a fragment does within a feed")
  func links() {
    #expect(
      ItemID.key(of: Item(link: "http://example.com/1?utm_source=rss"))
        == .link("https://example.com/1")
    )
    #expect(
      ItemID.key(of: Item(link: "https://example.com/changes#v2"))
        == .link("https://example.com/changes#v2")
    )
  }

  @Test("a guid of several stories is replaced by their links, or their titles")
  func reusedGUID() {
    let items = [
      Item(title: "A", link: "https://example.com/a", guid: "same"),
      Item(title: "B", link: "https://example.com/b", guid: "same"),
      Item(title: "C", pubDate: "D", guid: "same"),
      Item(title: "D", link: "https://example.com/d", guid: "own"),
    ]
    #expect(
      ItemID.distinctKeys(of: items).keys == [
        .link("https://example.com/a"), .link("https://example.com/b"),
        .titleAndDate(title: "C", pubDate: "D"), .guid("own"),
      ]
    )
  }

  @Test("a story that a document has twice has one key")
  func duplicates() {
    let same = Item(title: "A", link: "https://example.com/a", guid: "1")
    var corrected = same
    corrected.title = "A, corrected"
    let keys = ItemID.distinctKeys(of: [same, same, corrected]).keys
    #expect(keys == [.guid("1"), .guid("1"), .guid("1")])
    let linked = Item(title: "A", link: "https://example.com/a", pubDate: "D")
    #expect(
      ItemID.distinctKeys(of: [linked, linked]).keys
        == [.link("https://example.com/a"), .link("https://example.com/a")]
    )
  }

  @Test("three titles under one guid and link are three stories")
  func oneGUIDAndLinkForAll() {
    let items = ["A", "B", "C"].map {
      Item(title: $0, link: "https://example.com/status", guid: "status")
    }
    #expect(
      ItemID.distinctKeys(of: items).keys
        == ["A", "B", "C"].map { .titleAndDate(title: $0, pubDate: "") }
    )
  }

  @Test("stories that share a link are known by their titles, with dates only where they must")
  func sharedLink() {
    let front = "https://example.com/"
    let items = [
      Item(title: "A", link: front, pubDate: "1"), Item(title: "B", link: front, pubDate: "2"),
      Item(title: "Weather", link: front, pubDate: "3"),
      Item(title: "Weather", link: front, pubDate: "4"),
      Item(title: "C", link: "https://example.com/c", pubDate: "5"),
    ]
    #expect(
      ItemID.distinctKeys(of: items).keys == [
        .titleAndDate(title: "A", pubDate: ""), .titleAndDate(title: "B", pubDate: ""),
        .titleAndDate(title: "Weather", pubDate: "3"),
        .titleAndDate(title: "Weather", pubDate: "4"), .link("https://example.com/c"),
      ]
    )
  }

  @Test("a guid that comes with another link, title and date is another story's, and else is not")
  func otherUnderOneGUID() {
    let old = Item(title: "A", link: "https://example.com/a", pubDate: "1", guid: "latest")
    func other(_ change: (inout Item) -> Void) -> Item {
      var item = Item(title: "B", link: "https://example.com/b", pubDate: "2", guid: "latest")
      change(&item)
      return item
    }
    #expect(ItemID.isOther(other { _ in }, underGUIDOf: old))
    for change: (inout Item) -> Void in [
      { $0.title = "A" }, { $0.link = old.link }, { $0.pubDate = "1" }, { $0.title = "" },
      { $0.link = "http://example.com/a?utm_source=rss" }, { $0.link = "" }, { $0.pubDate = "" },
    ] {
      #expect(!ItemID.isOther(other(change), underGUIDOf: old))
      #expect(!ItemID.isOther(old, underGUIDOf: other(change)))
    }
  }

  @Test("an instant that is spelled in another way is no other date")
  func otherSpelling() {
    let date = Date(timeIntervalSince1970: 1_793_000_000)
    let old = Item(title: "A", link: "https://a.example/1", pubDate: "1", date: date, guid: "g")
    let new = Item(title: "B", link: "https://a.example/2", pubDate: "2", date: date, guid: "g")
    #expect(!ItemID.isOther(new, underGUIDOf: old))
  }

  @Test(
    "a number of up to three digits after # counts the edits of a guid",
    arguments: [
      ("https://example.com/abc#0", "https://example.com/abc"), ("tag:a#b#12", "tag:a#b"),
      ("abc#2026", nil), ("abc#", nil), ("abc#v2", nil), ("abc", nil), ("#1", nil), (nil, nil),
    ] as [(String?, String?)],
  )
  func counted(guid: String?, story: String?) {
    #expect(ItemID.countedGUID(guid).map(String.init) == story)
  }

  @Test("the same story in two feeds has one story key: its permalink guid or its link")
  func canonicalURL() {
    var rss = Item(
      link: "http://feeds.example.com/~r/1",
      guid: "http://example.com/a?utm_source=rss#c",
    )
    rss.guidIsPermaLink = true
    let atom = Item(link: "https://example.com/a", guid: "tag:example.com,2023:1")
    #expect(ItemID.canonicalURL(of: rss) == "https://example.com/a")
    #expect(ItemID.canonicalURL(of: atom) == "https://example.com/a")
    #expect(ItemID.canonicalURL(of: Item(title: "T", guid: "urn:1")) == nil)
    #expect(ItemID.canonicalURL(of: Item(link: "https://example.com")) == nil)
  }

  @Test("stories that all link to one page are not taken for one in other feeds")
  func sharedStoryKeys() {
    let items = [
      Item(title: "A", link: "https://example.com/changes#1", guid: "1"),
      Item(title: "B", link: "https://example.com/changes#2", guid: "2"),
      Item(title: "C", link: "https://example.com/c", guid: "3"),
      Item(title: "C", link: "https://example.com/c", guid: "3"),
    ]
    #expect(
      ItemID.canonicalURLs(of: items, keys: ItemID.distinctKeys(of: items).keys)
        == [nil, nil, "https://example.com/c", "https://example.com/c"]
    )
  }
}
