import FeedModel
import System
import Testing

@testable import FeedParsing

@Suite("Fields")
struct FieldTests {
  private func bytes<R>(_ text: String, _ body: (UnsafeBufferPointer<UInt8>) -> R) -> R {
    Array(text.utf8).withUnsafeBufferPointer(body)
  }

  @Test(
    "an author is a name, or an address where there is none",
    arguments: [
      ("Ann", "Ann"), ("a@x.example", "a@x.example"), ("a@x.example (Ann)", "Ann"),
      ("Ann (a@x.example)", "Ann"), ("Ann (mailto:a@x.example)", "Ann"),
      ("a@x.example ()", "a@x.example"),
      ("(a@x.example)", "a@x.example"), ("Ann <a@x.example>", "Ann"),
      ("\"Ash, Ann\" <a@x.example>", "Ash, Ann"), ("<a@x.example>", "a@x.example"),
      ("mailto:a@x.example", "a@x.example"), ("@ann", "@ann"), ("Ann (staff)", "Ann (staff)"),
    ],
  )
  func authors(_ text: String, _ name: String) {
    #expect(AuthorName.name(in: text) == name)
  }

  @Test(
    "a playing time is read or refused",
    arguments: [
      ("90", 90), ("1:30", 90), ("01:02:03", 3723), ("90.7", 90), ("", nil), ("1:", nil),
      ("1:2:3:4", 3723), ("-5", nil), ("5 min", nil), ("99999999999999999999", nil),
      ("999999999:999999999:999999999", 3_660_999_996_339),
    ] as [(String, Int?)],
  )
  func playingTimes(_ text: String, _ seconds: Int?) {
    #expect(bytes(text) { PlayingTime.seconds($0) } == seconds)
  }

  @Test(
    "a link's relation is a word, or that word in a registry",
    arguments: [
      ("", LinkRelation.alternate), ("alternate", .alternate), ("ALTERNATE", .alternate),
      ("http://www.iana.org/assignments/relation/alternate", .alternate),
      ("http://www.iana.org/assignments/link-relations/#enclosure", .enclosure),
      ("self", .itself), ("hub", .other), ("http://x.example/", .other),
    ],
  )
  func relations(_ text: String, _ relation: LinkRelation) {
    #expect(bytes(text) { LinkRelation($0) } == relation)
    #expect(LinkRelation(nil) == .alternate)
  }

  @Test(
    "a reference without a base stays only if it is one",
    arguments: [
      ("a/b.html", "a/b.html"), ("/a", "/a"), ("?a=b:c", "?a=b:c"), ("#x", "#x"),
      ("//x.example/a", nil), ("javascript:x", nil), ("mailto:a@x", nil), ("two words", nil),
      ("/two words", nil), ("", nil), ("http://X.example/a b", "http://x.example/a%20b"),
    ] as [(String, String?)],
  )
  func references(_ text: String, _ expected: String?) {
    #expect(LinkReference.url(text, against: nil) == expected)
    #expect(LinkReference.url("a", against: "file:///home/feed.xml") == "a")
    #expect(LinkReference.url("a", against: "http://x.example/b/") == "http://x.example/b/a")
  }

  @Test(
    "a language in the wrong case is mended, all else stays",
    arguments: [
      ("IT-it", "it-it"), ("en-US", "en-US"), ("DE", "de"), ("Klingon", "Klingon"), ("", ""),
    ],
  )
  func languages(_ tag: String, _ expected: String) {
    #expect(LanguageTag.repaired(tag) == expected)
  }

  @Test(
    "namespaces are known by what their URIs mean",
    arguments: [
      ("http://purl.org/dc/elements/1.1/", FeedNamespace.dublinCore),
      ("HTTP://PURL.ORG/dc/elements/1.0", .dublinCore),
      ("http://purl.org/dc/terms/", .dublinCore),
      ("https://www.w3.org/2005/Atom/", .atom), ("http://purl.org/atom/ns#", .atom03),
      ("http://purl.org/atom/ns#draft-ietf-atompub-format-05", .atom),
      ("http://search.yahoo.com/mrss", .media),
      ("http://www.itunes.com/DTDs/Podcast-1.0.dtd", .itunes), ("http://purl.org/rss/1.0/", .rss),
      ("http://backend.userland.com/RSS2", .rss),
      ("http://purl.org/rss/1.0/modules/content/", .content),
    ],
  )
  func namespaces(_ uri: String, _ namespace: FeedNamespace) {
    #expect(FeedNamespace.known(uri) == namespace)
  }

  @Test("namespaces of other things are not taken for those of feeds")
  func foreignNamespaces() {
    for uri in [
      "http://backend.userland.com/creativeCommonsRssModule", "http://x.example/",
      "http://cyber.law.harvard.edu/rss/creativeCommonsRssModule.html",
    ] {
      #expect(FeedNamespace.known(uri) == nil)
    }
  }

  @Test("an element's code tells which it is")
  func elementCodes() {
    for element in FeedElement.allCases {
      for isAtom in [false, true] {
        let code = FeedElementCode(element, isAtom: isAtom)
        #expect(FeedElementCode(rawValue: code.rawValue) == code)
      }
    }
  }

  @Test("a text seen before is not made again, and never another's")
  func shortTexts() {
    let texts = ShortTexts()
    let buffer = TextBuffer()
    var made = 0
    for _ in 0..<2 {
      for word in (0..<300).map({ "word \($0 % 3)" }) {
        let start = buffer.count
        bytes(word) { buffer.append($0) }
        let field = FieldDraft(span: TextSpan(start: start, end: buffer.count), mode: .plain)
        let text = texts.text(field, in: buffer) { field, buffer in
          made += 1
          return buffer.bytes(field.span).string
        }
        #expect(text == word)
      }
    }
    #expect(made <= 6)
  }

  @Test(
    "hours and days of rest are read or left out",
    arguments: [("0", 0), ("23", 23), ("24", 0), ("25", nil), ("-1", nil), ("x", nil)]
      as [(String, Int?)],
  )
  func hours(_ text: String, _ hour: Int?) {
    #expect(bytes(text) { UpdateHintText.hour($0) } == hour)
    #expect(bytes("wednesday") { UpdateHintText.day($0) } == 3)
    #expect(bytes("Wed") { UpdateHintText.day($0) } == nil)
  }
}
