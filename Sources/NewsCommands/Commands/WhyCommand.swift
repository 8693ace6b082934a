import FeedModel
import FeedStorage

/// `news why`: where a story comes from.
enum WhyCommand: Command {
  static let name = "why"
  static let summary = "tell where a story comes from: key, request, feeds and changes"
  static let synopsis = "N…"
  static let examples = [
    HelpExample("news why 3", "where story 3 of the last list comes from"),
    HelpExample("news why 3 --json | jq '.[].key'", "the key that it is recognised by"),
  ]
  static let options = [Pager.option]
  static let notes = [
    "The key is what a story is recognised by when its feed delivers it again. Of a story that was "
      + "stored before requests were recorded, why says what it does not know."
  ]
  static let json: JSONForm? = .array("where the stories come from", ProvenanceJSON.keys)

  static func run(_ context: CommandContext) throws(CommandError) -> ExitStatus {
    guard !context.arguments.operands.isEmpty else { throw usage("say which story: news why 3") }
    let store = try context.store()
    let library = try store.library(.names)
    let stories = try provenance(of: context.arguments.operands, in: library, store)
    if context.isJSON {
      var array = JSONArrayPrinter(context.output)
      for story in stories { array.print(ProvenanceJSON.value(story)) }
      array.finish()
      return .done
    }
    let card = ProvenanceCard(
      names: FeedName(library.subscriptions),
      dates: RelativeDate(clock: context.environment.clock),
      style: context.style,
      columns: context.isOnTerminal ? context.columns : 80,
    )
    let lines = stories.enumerated().flatMap { ($0 > 0 ? [""] : []) + card.lines($1) }
    Pager(context).print(lines.map { $0 + "\n" })
    return .done
  }

  private static func provenance(
    of words: [String],
    in library: Library,
    _ store: LibraryStore,
  ) throws(CommandError) -> [StoryProvenance] {
    let numbers = NumberedStories(library: library, listing: try ListingRecord.numbers(store))
    let found = try numbers.find(words, command: name)
    do throws(StorageError) {
      let runs = try store.ledger()
      var stories: [StoryProvenance] = []
      for place in found {
        stories.append(try StoryProvenance(place, in: library.items, runs: runs))
      }
      return stories
    } catch {
      throw .failed("\(error)")
    }
  }
}
