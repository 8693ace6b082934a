import Testing

@testable import System

@Suite("Words of a text")
struct WordCountTests {
  @Test(
    "are counted between blanks, or by signs where a language puts none",
    arguments: [
      ("", 0), (" \n ", 0), ("— … / *", 0), ("one", 1), ("one  two\nthree\tfour", 4),
      ("It's a well-known fact — 42 times.", 6), ("naïve café, größer", 3), ("9.81 m/s²", 2),
      ("«Да», сказал он", 3), ("한국어 문장 하나", 3), ("नमस्ते दुनिया", 2), ("a\u{a0}b\u{2003}c", 3),
      // Two signs are a word, and what is left over is one, too.
      ("新闻", 1), ("新闻。", 1), ("今天的新闻", 3), ("ニュースを読む", 4), ("iPhone发布了", 3),
      ("สวัสดี", 1), ("ข่าววันนี้", 2),
    ],
  )
  func words(text: String, count: Int) {
    #expect(WordCount.words(text) == count)
  }

  @Test("make minutes of 220 each, rounded up")
  func minutes() {
    #expect([0, 1, 220, 221, 440, 2_201].map(WordCount.minutes) == [0, 1, 1, 2, 2, 11])
  }
}
