import FeedModel
import Testing

@testable import FeedReading

@Suite("Transcripts of episodes")
struct TranscriptTests {
  private func read(_ text: String, isHTML: Bool = false) throws -> StoryText {
    try Array(text.utf8).withUnsafeBytes {
      try TranscriptReader.text($0, url: "https://a.example/t", charset: nil, isHTML: isHTML)
    }
  }

  private func paragraphs(_ text: String) throws -> [String] {
    try read(text).string.split(separator: "\n\n").map(String.init)
  }

  @Test("WebVTT: who speaks begins a paragraph; notes, styles and tags go")
  func webVTT() throws {
    let text = """
      WEBVTT - Harbour

      NOTE a note
      STYLE
      ::cue { color: red }

      1
      00:01.000 --> 00:03.000 align:start
      <v.loud Ada>Good <i>morning</i>,
      all &amp; sundry.

      00:04.000 --> 00:05.000
      <v Ada>And it&#39;s&nbsp;a caf&eacute;&lrm;.</v>

      01:00:06.500 --> 01:00:07.000
      <v Bo>1 &lt; 2 < 3</v>
      """
    #expect(
      try paragraphs(text) == [
        "[00:01] Ada: Good morning, all & sundry. And it's a café.",
        "[1:00:06] Bo: 1 < 2 < 3",
      ]
    )
  }

  @Test("SubRip: a new paragraph where a sentence ends after half a minute; nothing twice")
  func subRip() throws {
    let cues = (0..<5).map { number in
      "\(number)\r\n00:00:\(number)5,000 --> 00:00:\(number)9,000\r\nSentence \(number).\r\n\r\n"
    }
    #expect(
      try paragraphs((cues + [cues[4]]).joined()) == [
        "[00:05] Sentence 0. Sentence 1. Sentence 2.", "[00:35] Sentence 3. Sentence 4.",
      ]
    )
  }

  @Test("JSON: segments, of words or of sentences")
  func json() throws {
    let text = """
      {"version": "1.0.0", "segments": [
        {"speaker": "Ada", "startTime": 0.5, "endTime": 1, "body": "Good"},
        {"speaker": "Ada", "startTime": 1, "endTime": 2, "body": "morning."},
        {"startTime": 2, "body": "\\u001b[31mYes"}, {"speaker": "Bo", "startTime": "nan", "body": "No"}
      ]}
      """
    let found = try paragraphs(text)
    try #require(found.count == 2)
    #expect(found[0].hasPrefix("[00:00] Ada: Good morning. "))
    #expect(!found[0].contains("\u{1b}") && found[1].hasSuffix(" Bo: No"))
  }

  @Test("HTML and plain text stay as they are; what is broken is plain text")
  func others() throws {
    let html = "<cite>Ada:</cite><p>Hello</p>"
    #expect(try read(html) == read(html, isHTML: true) && read(html).isHTML)
    for text in ["Ada: Hello\n\nBo: Yes\n", "WEBVTT", "1\n--> 2\nx", "a:b --> c\nx", ""] {
      #expect(try read(text) == StoryText(isHTML: false, bytes: Array(text.utf8)), "\(text)")
    }
  }
}
