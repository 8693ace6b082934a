import TestSupport
import Testing

@testable import System

@Suite("The kinds of text in a record")
struct RecordTextTests {
  private func isTaken(_ text: String, _ kind: RecordText) -> Bool {
    var text = text
    return text.withUTF8(kind.accepts)
  }

  @Test(
    "an address of the web is one with a host, a port that there is, and no account",
    arguments: [
      ("http://a.example", true), ("https://a.example/b?c=d#e", true),
      ("http://127.0.0.1:8080/f", true), ("http://a.example:65535", true),
      ("http://[::1]:80/f", true), ("http://A.example/", true), ("http://a.example:080/", true),
      ("http://a.example:65536/", false), ("http://a.example:100000/", false),
      ("http://a.example:8a/", false), ("http://me:80@a.example/", false),
      ("http://me@a.example/", false), ("http://", false), ("http:///f", false),
      ("http://a.example:80b", false), ("ftp://a.example/", false), ("exec:80", false),
    ],
  )
  func addresses(_ text: String, _ isTaken: Bool) {
    #expect(self.isTaken(text, .webURL) == isTaken)
    #expect(self.isTaken(text, .link) == isTaken)
  }

  @Test("a sign that no text has is found at any place, and line feeds, tabs and letters are none")
  func places() {
    for count in 0..<40 {
      let (before, behind) = (String(repeating: "a ", count: count / 2), "\té\n b")
      for start in [before, before + "c", behind + before] {
        #expect(isTaken(start + behind + before, .text))
        for sign in ["\u{1b}", "\r", "\u{7f}", "\u{80}", "\u{202e}"] {
          #expect(!isTaken(start + sign + before, .text))
        }
        #expect(isTaken(start + "\n", .text) && !isTaken(start + "\n", .line))
      }
    }
  }

  @Test("a text that a writer makes fit is taken", arguments: RecordText.allCases)
  func fitting(_ kind: RecordText) {
    for bytes in FieldProbe.texts(for: kind) {
      let text = String(decoding: bytes, as: UTF8.self)
      #expect(isTaken(kind.fitting(text), kind), "\(text)")
    }
  }
}
