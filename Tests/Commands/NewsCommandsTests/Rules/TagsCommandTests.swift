import FeedModel
import FeedStorage
import TestSupport
import Testing

@Suite("news tags")
struct TagsCommandTests {
  private let news: CommandRun

  /// A feed with two tags, stories with two others, and rules about them.
  init() throws {
    news = try CommandRun()
    try news.storeSample()
    news("feeds", "set", "example", "--tag", "work", "--tag", "work/mail")
    news("tag", "later", Sample.id(1))
    news("tag", "work,later", Sample.id(5))
    news("rules", "add", "give", "--grep", "x", "--then", "tag:Work")
    news("rules", "add", "both", "--feed", "tag:work", "--then", "tag:work", "--then", "star")
    news("rules", "add", "find", "--grep", "tag:work -\"of work\" feed:\"tag:work\" sort:title")
  }

  private func tags() -> [String] {
    news("tags").output.split(separator: "\n").map(String.init)
  }

  @Test("lists tags of feeds and of stories with numbers")
  func list() throws {
    #expect(tags() == ["later\t0\t2\t2", "work\t1\t4\t3", "work/mail\t1\t4\t3"], "\(tags())")
    #expect(
      news("tags", "--json").output.contains("{\"tag\":\"later\",\"feeds\":0,\"stories\":2,")
    )
  }

  @Test("renames a tag to one below it, and keeps both of a story that has both")
  func below() throws {
    news("tag", "work/mail", Sample.id(5))
    #expect(news("tags", "rename", "work", "work/mail").status == 0)
    let story = try news.store.read().items.item(at: 4)
    #expect(story.tags == ["work/mail", "later", "work/mail/mail"], "\(story.tags)")
  }

  @Test("renames a tag and those below it, for feeds, stories and rules, in one step")
  func rename() throws {
    let before = tags()
    let rules = try news.store.rules()
    #expect(
      news("tags", "rename", "work", "job").errors
        == "tag work is now job: 1 feed, 1 story, 3 rules\n"
    )
    #expect(tags().map { $0.split(separator: "\t")[0] } == ["job", "job/mail", "later"])
    let new = try news.store.rules()
    #expect(new[0].actions == [.tag("job")])
    #expect(new[1].feeds == ["tag:job"] && new[1].actions == [.tag("job"), .star])
    #expect(new[2].grep == ["tag:job -\"of work\" feed:tag:job sort:title"])
    news("undo")
    #expect(tags() == before)
    #expect(try news.store.rules() == rules)
  }

  @Test("a tag that gets the name of another one is one with it")
  func join() throws {
    news("tags", "rename", "later", "work")
    #expect(tags().map { $0.split(separator: "\t")[0] } == ["work", "work/mail"])
  }

  @Test("removes a tag from what has it, and rules that did nothing else")
  func remove() throws {
    let said = news("tags", "remove", "work").errors
    #expect(said == "tag work removed: 1 feed, 1 story, 2 rules\n")
    #expect(tags().map { $0.split(separator: "\t")[0] } == ["later", "work/mail"])
    let rules = try news.store.rules()
    #expect(rules.map(\.name) == ["both", "find"])
    #expect(rules[0].actions == [.star] && rules[0].feeds == ["tag:work"])
    news("tags", "remove", "work/mail")
    #expect(tags().map { $0.split(separator: "\t")[0] } == ["later"])
  }

  @Test(
    "wrong words change nothing",
    arguments: [
      (["rename", "work"], 64), (["rename", "work", "a,b"], 64), (["rename", "nobody", "x"], 1),
      (["remove"], 64), (["remove", "nobody"], 1), (["work"], 64),
      (["rename", "work", String(repeating: "x", count: 300)], 64),
    ] as [([String], Int32)],
  )
  func wrong(_ words: [String], _ status: Int32) throws {
    let before = tags()
    #expect(news.run(["tags"] + words).status == status)
    #expect(tags() == before)
  }
}
