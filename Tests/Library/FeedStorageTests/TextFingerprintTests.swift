import FeedModel
import Testing

@testable import FeedStorage
@testable import System

@Suite("TextFingerprint")
struct TextFingerprintTests {
  @Test(
    "links that are one page have one print",
    arguments: [
      ("http://a.example/x?utm_source=rss", "https://a.example/x"),
      ("https://A.example:443/x#top", "https://a.example/x"),
      ("https://a.example/%7Ejoe/x", "https://a.example/~joe/x"),
      ("https://a.example/caf%c3%a9", "https://a.example/café"),
      ("https://a.example/a b", "https://a.example/a%20b"),
      ("https://a.example/%41", "https://a.example/A"),
      ("https://a.example/x?", "https://a.example/x"),
      ("https://a.example/watch?v=%41b&utm_source=x#t", "https://a.example/watch?v=Ab"),
      ("http://a.example/?utm_medium=rss&p=1&&id=2", "https://a.example/?p=1&id=2"),
    ],
  )
  func links(one: String, other: String) {
    #expect(WebURL.canonical(one) == WebURL.canonical(other))
    #expect(TextFingerprint.path(one) == TextFingerprint.path(other))
    #expect(TextFingerprint.path(one) == TextFingerprint.path(WebURL.canonical(one)))
  }

  @Test("a path with dot segments may be several")
  func dotSegments() {
    let anyPath = TextFingerprint.anyPath
    #expect(TextFingerprint.path("https://a.example/b/../x") == anyPath)
    #expect(TextFingerprint.path("https://a.example/./x") == anyPath)
    #expect(TextFingerprint.path("https://a.example/x.html") != anyPath)
  }

  @Test("other pages have other prints")
  func others() {
    let urls = (0..<1000).map { "https://a.example/2024/\($0)/story.html?x=\($0 % 3)" }
    #expect(Set(urls.map { TextFingerprint.path($0) }).count == 1000)
    let videos = (0..<1000).map { "https://a.example/watch?v=\($0)&list=9" }
    #expect(Set(videos.map { TextFingerprint.path($0) }).count == 1000)
    #expect(
      TextFingerprint.path("https://a.example/x") != TextFingerprint.path("https://a.example/X")
    )
  }

  @Test(
    "guids that are one have one print",
    arguments: [
      ("http://a.example/?p=1", "https://a.example/?p=1"),
      ("tag:a.example,2024: 1", "tag:a.example,2024:  1"),
    ],
  )
  func guids(one: String, other: String) {
    #expect(ItemID.key(of: Item(guid: one)) == ItemID.key(of: Item(guid: other)))
    #expect(TextFingerprint.guid(one) == TextFingerprint.guid(other))
  }

  @Test("titles have a print of all their characters, and the same one however they are stored")
  func exact() {
    let texts = ["", "a", "b", "ab", "ba", "a ", "ä", "中文", "文中", "😀"]
    #expect(Set(texts.map { TextFingerprint.exact($0) }).count == texts.count)
    for text in texts {
      let units = text.utf16.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
      let wide = units.withUnsafeBytes { TextFingerprint.exact(.utf16BigEndian($0)) }
      #expect(wide == TextFingerprint.exact(text))
      guard text.utf8.allSatisfy({ $0 < 0x80 }) else { continue }
      let narrow = Array(text.utf8).withUnsafeBytes { TextFingerprint.exact(.ascii($0)) }
      #expect(narrow == wide)
    }
  }
}

extension TextFingerprint {
  fileprivate static func guid(_ text: String) -> UInt32 {
    Array(text.utf8).withUnsafeBytes(guid)
  }
}
