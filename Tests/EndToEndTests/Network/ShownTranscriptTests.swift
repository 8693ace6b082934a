import TestSupport
import Testing

@Suite("news show --transcript")
struct ShownTranscriptTests {
  private let news: News
  private let server: FaultyServer

  init() throws {
    news = try News()
    let files = [
      "<podcast:transcript url=\"/a.pdf\" type=\"application/pdf\"/>"
        + "<podcast:transcript url=\"/a.vtt\" type=\"text/vtt\"/>",
      "<podcast:transcript url=\"/sound\" type=\"text/plain\"/>",
      "<podcast:transcript url=\"/gone\" type=\"text/plain\"/>", "",
    ]
    let items = files.enumerated().map { number, file in
      "<item><title>Talk \(number + 1)</title><description>Notes.</description>"
        + "<pubDate>2\(8 - number) Oct 2026 10:00:00 GMT</pubDate>\(file)</item>"
    }
    let feed =
      "<rss version=\"2.0\" xmlns:podcast=\"https://podcastindex.org/namespace/1.0\"><channel>"
      + "<title>Talks</title>\(items.joined())</channel></rss>"
    let said = "WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ada>Good morning.\u{1b}[2J\n"
    server = try FaultyServer([
      "/feed": .response(body: feed), "/a.vtt": .response(body: said),
      "/sound": FaultyAnswer([
        .send(Array("HTTP/1.1 200 OK\r\nContent-Type: audio/x\r\n\r\nx".utf8))
      ]),
    ])
    _ = try news.run("subscribe", server.url("/feed"))
    _ = try news.run("list")
  }

  @Test("prints what is said in place of the text, and marks the story read")
  func printed() throws {
    let result = try news.run("show", "1", "--transcript")
    #expect(result.status == 0 && result.errorText == "")
    #expect(result.text.hasPrefix("Talk 1\n\n[00:01] Ada: Good morning."))
    #expect(!result.text.contains("Notes.") && !result.text.contains("\u{1b}"))
    #expect(server.requests.map(\.path) == ["/feed", "/a.vtt"])
    let json = try news.run("show", "1", "--transcript", "--json").text
    #expect(json.contains("\"transcript\":\"[00:01] Ada: Good morning."))
    #expect(try news.run("show", "1", "--json").text.contains("\"transcript\":null"))
    #expect(
      try news.run("list", "--unread", "--format", "{title}").text == "Talk 2\nTalk 3\nTalk 4\n"
    )
  }

  @Test("says why there is none, and leaves the story unread")
  func missing() throws {
    let result = try news.run("show", "1-4", "--transcript", "--keep-unread")
    #expect(result.status == 1 && result.text.hasPrefix("Talk 1\n"))
    #expect(!result.text.contains("Talk 2"))
    let lines = result.errorText.split(separator: "\n")
    #expect(lines[0] == "news: story 2, Talk 2: its transcript cannot be read: it is no text")
    #expect(lines[1].hasPrefix("news: story 3, Talk 3: server answered 404"))
    #expect(lines[2] == "news: story 4, Talk 4: its feed has no transcript of it")
    #expect(try news.run("show", "4", "--transcript").status == 1)
    #expect(
      try news.run("list", "--unread", "--format", "{title}").text.hasPrefix("Talk 1\nTalk 2\n")
    )
    #expect(try news.run("show", "1", "--transcript", "--raw").status == 64)
  }
}
