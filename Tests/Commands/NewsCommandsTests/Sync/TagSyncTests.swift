import FeedModel
import FeedStorage
import TestSupport
import Testing

@testable import NewsCommands
@testable import System

@Suite("Tags of stories are kept alike by way of a folder")
struct TagSyncTests {
  private static let url = "https://example.com/feed0"

  /// Returns two homes that have the same six stories, and know that of each other.
  private static func homes() throws -> SyncedHomes {
    let homes = try SyncedHomes.following(url, stories: 6)
    homes.settle()
    return homes
  }

  @Test("what is tagged on two machines has both tags, and untagged on one has it on none")
  func both() throws {
    let homes = try Self.homes()
    homes.run(0, "tag", "later", "1", "2")
    homes.run(1, "tag", "Work", "1")
    homes.settle()
    for number in 0..<2 {
      let tags = try homes.tags(number).mapValues { $0.sorted() }
      #expect(tags == ["s0": ["Work", "later"], "s1": ["later"]])
    }
    homes.run(1, "untag", "LATER", "1")
    homes.sync(1)
    #expect(homes.sync(0).errors == "1 mark\n")
    #expect(try homes.tags(0) == ["s0": ["Work"], "s1": ["later"]])
    #expect(try homes.tags(1) == homes.tags(0))
    let why = homes.run(0, "why", "1").output
    #expect(why.contains("tagged Work on machine 1"), "\(why)")
    let feed = homes.run(0, "why", Self.url).output
    #expect(feed.contains("followed on machine") && !feed.contains("1970"), "\(feed)")
  }

  @Test("undo is told, and takes back what a sync by hand has brought")
  func undo() throws {
    let homes = try Self.homes()
    homes.run(0, "tag", "later", "1-3")
    homes.settle()
    homes.run(0, "undo")
    homes.settle()
    #expect(try homes.tags(0) == [:] && homes.tags(1) == [:])
    homes.run(0, "tag", "later", "1")
    homes.sync(0)
    homes.sync(1)
    #expect(try homes.homes[1].undoLatest().errors.contains("1 story is no longer tagged later"))
    homes.settle()
    #expect(try homes.tags(0) == [:] && homes.tags(1) == [:])
  }

  @Test("a tag waits for the story, and one that a rule gives is told")
  func waiting() throws {
    let homes = try Self.homes()
    homes.run(0, "rules", "add", "new", "--grep", "s9", "--then", "tag:Nine")
    homes.homes[0].fetcher.serve(Self.url, .init(body: Sample.rss("Feed", ["s9", "s0"])))
    homes.run(0, "refresh", "--force")
    homes.settle()
    homes.run(1, "rules", "remove", "new")
    #expect(try homes.tags(0)["s9"] == ["Nine"] && homes.tags(1)["s9"] == nil)
    homes.homes[1].fetcher.serve(Self.url, .init(body: Sample.rss("Feed", ["s9", "s0"])))
    homes.run(1, "refresh", "--force")
    homes.settle()
    #expect(try homes.tags(1)["s9"] == ["Nine"])
  }
}
