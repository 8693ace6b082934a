import CommandLine
import CommandSupport
import FeedLibrary
import FeedModel
import FeedStorage
import FeedUpdating
import Searching

struct RuleTrial {
  private typealias Trial = (effect: StoryEffect, story: NamedStory)

  static let json = JSONForm.array("the stories that match", fields)

  private static let fields: [JSONField<Trial>] =
    StoryJSON.named.map { $0.of { (trial: Trial) in trial.story } } + [
      JSONField("then", "what would have happened to it") { .strings($0.effect.words) },
      JSONField("by", "the names of the rules that match") { .strings($0.effect.rules) },
    ]

  let context: CommandContext

  func show(_ rules: [StoryRule]) throws {
    let store = try context.store()
    let library = try store.read(.names)
    var effects: [Int: StoryEffect] = [:]
    for rule in rules {
      let query = try context.savedSearch(rule, library.subscriptions)
      context.say("\(SafeText.line(rule.name)): \(QueryDescription(context, library).text(query))")
      for position in try context.positions(of: query, in: library) {
        effects[position, default: StoryEffect()].add(rule.actions, of: rule.name)
      }
    }
    let found = effects.sorted { $0.key < $1.key }
    var numbers = ListNumbers(context)
    try print(found, library, &numbers)
    context.output.flush()
    guard context.output.isSound else { return }
    if !found.isEmpty { context.record(numbers, in: store) }
    guard context.isOnTerminal, !context.isJSON else { return }
    context.say(
      found.isEmpty
        ? "no stored story matches" : Count.of(found.count, "story matches", "stories match")
    )
  }

  private func print(
    _ found: [(key: Int, value: StoryEffect)],
    _ library: Library,
    _ numbers: inout ListNumbers,
  ) throws {
    let dates = StoryDates(nil, clock: context.clock)
    let listing = StoryListing(library, StoryQuery(), dates, nil, context)
    var stories: [NamedStory] = []
    for (position, _) in found {
      let story = try library.items.item(at: position)
      let number = numbers.number(of: StoryID(story.id), at: position)
      stories.append(NamedStory(number: number, story: story))
    }
    let all = zip(found.map(\.value), stories)
    if context.isJSON {
      context.output.printJSON(all.map { (effect: $0, story: listing.shown($1)) }, Self.fields)
    } else if context.isOnTerminal {
      let words = found.map { SafeText.line($0.value.words.joined(separator: ", ")) }
      let width = min(words.map { TerminalText.width($0) }.max() ?? 0, context.columns / 3)
      // The actions stand last: the other columns count from the terminal's first.
      let table = listing.table(stories.map(listing.story), columns: context.columns - width - 2)
      let lines = zip(words, table).map { word, line in
        line.dropLast() + "  " + context.style.dim(TerminalText.cut(word, to: width)) + "\n"
      }
      Pager(context).print(lines)
    } else {
      for (effect, story) in all {
        let words = effect.words.joined(separator: ",")
        listing.print(story, behind: words)
      }
    }
  }
}

extension StoryEffect {
  fileprivate var words: [String] {
    if isFiltered { return ["drop"] }
    let marks = (comesRead ? ["read"] : []) + (flags[.starred] ? ["star"] : [])
    return marks + tags.map { "tag:\($0)" } + (notifies ? ["notify"] : [])
  }
}
