import CommandLine
package import FeedModel
import FeedStorage
package import Searching

extension CommandContext {
  package func typedSearch() throws -> StorySearch {
    var search = StorySearch()
    for typed in arguments.values("grep") {
      do {
        try search.add(StorySearch(typed))
      } catch {
        throw usage("--grep: \(error)")
      }
    }
    return search
  }

  package func savedSearch(_ name: String, _ subscriptions: [Subscription]) throws -> StoryQuery {
    let store = try store()
    let rules = try store.rules()
    return try savedSearch(try rules.rule(name), subscriptions)
  }

  package func savedSearch(
    _ rule: StoryRule,
    _ subscriptions: [Subscription],
  ) throws -> StoryQuery {
    do {
      return try StoryQuery(rule, subscriptions)
    } catch {
      throw Failure("rule \(rule.name): \(error)")
    }
  }
}

extension [StoryRule] {
  package func rule(_ name: String) throws -> StoryRule {
    let folded = TextFolding.fold(name)
    if let rule = first(where: { TextFolding.fold($0.name) == folded }) { return rule }
    let hint = Spelling.hint(name, among: map { $0.name.lowercased() })
    throw Failure("no rule named \(Spelling.quoted(name))\(hint) (`news rules` lists them)")
  }
}
