import FeedModel
import FeedStorage
import Testing

@testable import FeedServing
@testable import System

@Suite("A change that a server asks for")
struct ServedChangeTests {
  private static func edit(_ added: [String], _ removed: [String] = []) -> ServedEdit {
    var edit = ServedEdit()
    (edit.added, edit.removed) = (added, removed)
    return edit
  }

  private static let url = "https://a.example/feed"

  @Test("comes as it was sent")
  func whole() throws {
    var change = ServedChange(.mark, Self.edit(["a", "b c"], ["d"]), feeds: [Self.url])
    change.edit.marks = [.read: true, .starred: false]
    (change.edit.title, change.text) = ("Title", "<opml/>\n")
    change.stories = ItemIDs(["0000000000000001", "ffffffffffffffff", "other"])
    #expect(ServedChange(record: change.record) == change && change.isSound)
  }

  @Test(
    "is sound where it follows an address of the web, and names feeds and tags",
    arguments: [
      ServedChange(.subscribe, edit(["a"]), feeds: [url]), ServedChange(.unsubscribe),
      ServedChange(.renameTag, edit([], ["a"])), ServedChange(.renameTag, edit(["b"], ["a"])),
      ServedChange(.editFeed, feeds: ["exec:id"]), ServedChange(.mark),
    ],
  )
  func sound(_ change: ServedChange) {
    #expect(change.isSound)
  }

  @Test(
    "is refused else, whoever has taken the server over",
    arguments: [
      ServedChange(.subscribe, feeds: ["exec:id"]),
      ServedChange(.subscribe, feeds: ["/etc/passwd"]),
      ServedChange(.subscribe, feeds: ["file:///etc/passwd"]), ServedChange(.subscribe),
      ServedChange(.subscribe, feeds: ["filter:id:\(url)"]),
      ServedChange(.subscribe, feeds: [url, url]), ServedChange(.subscribe, feeds: ["--command"]),
      ServedChange(.subscribe, edit(["\u{1b}[31m"]), feeds: [url]), ServedChange(.editFeed),
      ServedChange(.subscribe, edit([String(repeating: "x", count: 5_000)]), feeds: [url]),
      ServedChange(.mark, edit([""])), ServedChange(.mark, edit([], ["a\nb"])),
      ServedChange(.renameTag), ServedChange(.renameTag, edit(["a", "b"], ["c"])),
      ServedChange(.renameTag, edit(["a"])),
    ],
  )
  func refused(_ change: ServedChange) {
    #expect(!change.isSound)
  }

  @Test("is none where its record is cut off or goes on")
  func cut() {
    let record = ServedChange(.subscribe, Self.edit(["a"]), feeds: [Self.url]).record
    for count in 0..<record.count { #expect(ServedChange(record: Array(record[..<count])) == nil) }
    #expect(ServedChange(record: record + [0]) == nil)
  }
}
