import CommandLine
import CommandSupport
import FeedLibrary
import FeedModel
import FeedStorage
import Searching

struct ListChangePrinter {
  private let context: CommandContext
  private let template: StoryTemplate?
  private let dateChoice: DateChoice?
  private(set) var numbers: ListNumbers

  /// More changes of one kind are told to a person as their number, unless they are insertions.
  private static let maximumLines = 10

  private struct Told {
    let change: ListChange.Kind
    let before: String?
    let story: NamedStory
  }

  private static let fields: [JSONField<Told>] =
    [
      JSONField("change", "insert, update, move or delete") { .string($0.change.rawValue) },
      JSONField("before", "the id of the story before which it stands now") { .text($0.before) },
    ] + StoryJSON.listed.map { $0.of(\.story) }

  init(_ context: CommandContext) throws {
    self.context = context
    template = try StoryTemplate.read(context)
    dateChoice = try DateChoice.read(context)
    numbers = ListNumbers(context)
  }

  private var isForPerson: Bool { context.isOnTerminal && !context.isJSON && template == nil }

  mutating func print(
    _ steps: [ListChange],
    of list: FollowedList,
    since old: FollowedList,
    _ query: StoryQuery,
  ) throws {
    let counts = Dictionary(grouping: steps, by: \.kind).mapValues(\.count)
    let many = counts.filter { $0.key != .insert && $0.value > Self.maximumLines && isForPerson }
    // A damaged file must fail before anything is told.
    for step in steps where step.kind != .delete && many[step.kind] == nil {
      _ = try list.story(step.index)
    }
    let dates = StoryDates(dateChoice, clock: context.clock)
    let listings = [old, list].map { StoryListing($0.library, query, dates, template, context) }
    var rows: [(sign: String, ListedStory)] = []
    for step in steps where many[step.kind] == nil && !context.output.hasFailed {
      let told = try self.told(step, of: list, since: old)
      let listing = listings[step.kind == .delete ? 0 : 1]
      if context.isJSON {
        let shown = Told(
          change: told.change,
          before: told.before,
          story: listing.shown(told.story),
        )
        context.output.printLine(PrintedJSON.object(Self.fields, shown).description)
      } else if isForPerson {
        rows.append((step.kind.sign, listing.story(told.story)))
      } else {
        listing.print(told.story, behind: step.kind.rawValue)
      }
    }
    printRows(rows, listings[1])
    for (kind, count) in many {
      context.output.printLine("\(kind.sign) \(Count.stories(count))")
    }
  }

  private func printRows(_ rows: [(sign: String, story: ListedStory)], _ listing: StoryListing) {
    let lines = listing.table(rows.map(\.story), .steady)
    for (row, line) in zip(rows, lines) {
      context.output.print(context.style.dim(row.sign) + " " + line)
    }
  }

  private mutating func told(
    _ step: ListChange,
    of list: FollowedList,
    since old: FollowedList,
  ) throws -> Told {
    let items = list.library.items
    guard step.kind != .delete else {
      // Of a file that was written over, only the entry is left.
      let entry = old.entries[step.index]
      var story = entry.bareStory
      if items.hasReplaced(old.library.items), let read = try? old.story(step.index),
        entry.isOf(read.id)
      {
        story = read
      }
      let named = NamedStory(number: numbers.known(StoryID(story.id)), story: story)
      return Told(change: step.kind, before: nil, story: named)
    }
    let position = list.positions[step.index]
    var before: String?
    if let next = step.before { before = try items.id(at: list.positions[next]) }
    let story = try items.item(at: position)
    let number = numbers.number(of: StoryID(story.id), at: position, mayComeAgain: true)
    let named = NamedStory(number: number, story: story)
    return Told(change: step.kind, before: before, story: named)
  }
}

extension ListChange.Kind {
  fileprivate var sign: String {
    switch self {
    case .insert: "+"
    case .update: "~"
    case .delete: "-"
    case .move: ">"
    }
  }
}
