import FeedModel
import PropertyLists
import TestSupport
import Testing

@testable import FeedStorage

@Suite("The file of rules")
struct RulesFileTests {
  @Test("has the action that earlier versions do not know beside those that they do")
  func notify() throws {
    var rule = StoryRule(name: "storm")
    (rule.grep, rule.actions) = (["storm"], [.star, .notify])
    let dictionary = StoryRule.table.dictionary(rule)
    #expect(dictionary["then"] == .array([.string("star")]))
    #expect(dictionary["notify"] == .boolean(true))
    #expect(PropertyListCoding.rule.decode(.dictionary(dictionary)) == rule)
    rule.actions = [.notify]
    let alone = StoryRule.table.dictionary(rule)
    // For an earlier version that is a saved search.
    #expect(alone["then"] == nil)
    #expect(PropertyListCoding.rule.decode(.dictionary(alone)) == rule)
  }

  @Test("keeps keys of a rule that this version does not know")
  func unknownKeys() throws {
    let folder = try TemporaryFolder()
    let file = RulesFile(path: folder.path("rules.plist"))
    let rule: PropertyListDictionary = [
      "name": .string("a"), "grep": .array([.string("x")]), "later": .boolean(true),
    ]
    let all = PropertyListCoding<[PropertyListValue]>.array(of: .value)
    try PropertyListFile(path: file.path, coding: all, damage: nil)
      .replaceUnsynced(by: [.dictionary(rule)])
    var rules = try file.read()
    rules[0].actions = [.read]
    try file.save(rules + [StoryRule(name: "b")]) {}
    let saved = try PropertyListFile(path: file.path, coding: all, damage: nil).read()
    #expect(saved?.first?.dictionary?["later"] == .boolean(true))
    #expect(saved?.first?.dictionary?["then"] == .array([.string("read")]))
  }
}
