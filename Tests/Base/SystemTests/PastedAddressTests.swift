import Testing

@testable import System

@Suite("Addresses are taken as people paste them")
struct PastedAddressTests {
  @Test(
    "what says which scheme it is asked by",
    arguments: [
      "https://a.example/x", "HTTPS://a.example/x", " https://a.example/x\r\n",
      "<https://a.example/x>",
      "<URL:https://a.example/x>", "< https://a.example/x >", "\u{A0}https://a.example/x\u{A0}",
      "\u{FEFF}\u{200B}https://a.example/x\u{200E}", "feed:https://a.example/x",
      "Feed:HTTPS://a.example/x", "feed://https://a.example/x", "pcast:https://a.example/x",
      "podcast:https://a.example/x", "feeds://a.example/x", "feeds:a.example/x",
      "<feed:https://a.example/x>",
    ],
  )
  func known(_ text: String) {
    let address = PastedAddress(text)
    #expect(address.url == "https://a.example/x")
    #expect(address.reference == address.url && address.alternative == nil)
  }

  @Test(
    "what leaves it open",
    arguments: [
      "feed://a.example/x", "FEED://a.example/x", "pcast://a.example/x", "itpc://a.example/x",
      "podcast://a.example/x", "feed:a.example/x", " <itpc://a.example/x> ",
    ],
  )
  func open(_ text: String) {
    let address = PastedAddress(text)
    #expect(address.url == "https://a.example/x")
    #expect(address.alternative == "http://a.example/x")
    #expect(address.reference == "//a.example/x")
    #expect(PastedAddress.isForFollowing(text))
  }

  @Test(
    "what is none of these stays as it is",
    arguments: [
      "a.example", "a.example:80/x", "/tmp/a:b", "feed.xml", "mailto:a@b.example", "exec:a b",
      "file:///tmp/x", "<a.example", "feed", "", "..", "x y",
    ],
  )
  func others(_ text: String) {
    #expect(PastedAddress(text).url == text)
    #expect(PastedAddress(text).alternative == nil && !PastedAddress.isForFollowing(text))
  }

  @Test("once more changes nothing")
  func twice() {
    for text in [
      "<feed:HTTP://a.example>", "itpc://a.example", " x ", "<>", "<<a>>", "feed:feed://a",
    ] {
      let once = PastedAddress(text).url
      #expect(PastedAddress(once).url == once || text == "<<a>>")
    }
  }
}
