import FeedModel
import FeedStorage
import TestSupport
import Testing

@testable import NewsCommands
@testable import ReadingCommands

@Suite("A list as a mail")
struct MailTests {
  private let news: CommandRun

  init() throws {
    news = try CommandRun()
    try news.storeSample()
    news.variables["EMAIL"] = "me@example.org"
  }

  /// Returns what Python's reader of mail makes of a message.
  private func read(_ message: String) throws -> [String] {
    let script = """
      import sys, email, email.policy
      mail = email.message_from_bytes(sys.stdin.buffer.read(), policy=email.policy.default)
      print(mail["From"], mail["To"], mail["Date"], mail["Subject"], sep="\\n")
      print([part.get_content_type() for part in mail.walk()], mail.defects)
      for part in mail.iter_parts(): print(part.get_content())
      """
    return try Subprocess.run(["python3", "-c", script], input: message).text
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  @Test("it has both forms of the texts, and a subject of any letters")
  func message() throws {
    let mail = news("list", "--mail", "--until", "2026-11-01 10:00", "--feed", "example.org").output
    let lines = try read(mail)
    #expect(lines[0] == "news <me@example.org>" && lines[1] == "me@example.org")
    #expect(lines[2] == "Sun, 01 Nov 2026 12:00:00 +0000")
    #expect(lines[3] == "2 stories: 東京で新しい駅が開業 👩‍👩‍👧")
    #expect(lines[4] == "['multipart/alternative', 'text/plain', 'text/html'] []")
    #expect(lines.contains("Oldest"))
    #expect(lines.contains { $0.hasPrefix("<h2><a href=\"https://example.com/2\"") })
    for line in mail.split(separator: "\n") {
      #expect(line.utf8.count <= 78 && line.utf8.allSatisfy { (0x20...0x7E).contains($0) })
    }
  }

  @Test("its stories count as seen, and without any nothing is printed")
  func seen() throws {
    #expect(!news("list", "--grep", "is:new", "--mail").output.isEmpty)
    #expect(news("list", "--grep", "is:new", "--mail").output == "")
  }

  @Test("what came since the last mail is mailed, whatever was looked at, and a mail is no look")
  func ownRecord() throws {
    func new(_ words: String...) -> Bool {
      !news.run(["list", "--grep", "is:new"] + words).output.isEmpty
    }
    // The time of a save is that of the file.
    func save(at time: Double) throws {
      let path = news.store.home + "/newsdata.plist"
      _ = try Subprocess.run(["touch", "-d", "@\(Int(time))", path])
    }
    func add(_ number: Int) throws {
      var story = Sample.story(number, "Later \(number)", hours: 500)
      let time = news.now + 100 * Double(number)
      story.stored = Date(timeIntervalSince1970: time)
      let count = try news.store.read().items.count
      try news.store.update { _ in
        (LibraryChange(StoryChanges(adding: [story], before: count)), ())
      }
      try save(at: time + 50)
    }
    try save(at: news.now)
    news("list")
    // A mail of others has no part in it: until the first one of these, lists count.
    #expect(!news("list", "--unread", "--mail").output.isEmpty)
    try add(7)
    news("list")
    #expect(!new("--mail"))
    try add(8)
    #expect(new() && !new() && new("--mail") && !new("--mail"))
    try add(9)
    #expect(new("--mail") && new())
  }

  @Test("it goes to the address that is given, else to yours; one that is none is refused")
  func addresses() throws {
    #expect(news("list", "--mail=you@example.net").output.contains("\nTo: you@example.net\n"))
    news.variables["EMAIL"] = nil
    news.variables["LOGNAME"] = "ines"
    #expect(news("list", "--mail").output.contains("\nTo: ines@localhost\n"))
    for address in ["a", "a@b\nBcc: c@d", "a b@c", "<a@b>", "@b"] {
      #expect(news("list", "--mail=\(address)").status == 64, "\(address)")
    }
    #expect(news("list", "--mail", "--json").status == 64)
  }

  @Test(
    "lines are short and plain",
    arguments: [
      ("a = b", ["a =3D b"]), ("end ", ["end=20"]), ("é", ["=C3=A9"]), (".", ["=2E"]),
      ("From me", ["=46rom me"]), ("", [""]),
      (
        String(repeating: "x", count: 77),
        [String(repeating: "x", count: 75) + "=", "xx"],
      ),
    ],
  )
  func quotedPrintable(_ line: String, _ expected: [String]) {
    #expect(MailMessage.quotedPrintable(line[...]) == expected)
  }
}
