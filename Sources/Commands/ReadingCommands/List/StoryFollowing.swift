import CommandLine
import CommandSupport
import FeedModel
import FeedStorage
import Searching

/// `news list --follow`: prints changes of a list as they are saved.
///
/// Each report turns the list last told into the present one: nothing is lost or told twice,
/// however many changes come at once.
struct StoryFollowing {
  private let context: CommandContext
  private let store: LibraryStore
  private let watch: StoreWatch
  private var query: StoryQuery
  private var list: FollowedList
  private var printer: ListChangePrinter

  static let option = CommandOption(
    "follow",
    help: "keep running, and print changes as they are stored",
  )
  static let notes = [
    "--follow first prints up to -n stories (10 on a terminal, none when piped), the newest "
      + "last, and then every change as it is stored: + a new story, ~ a changed one, > one that "
      + "moved in the list, - one that is gone. When piped, each line starts with insert, "
      + "update, move or delete; in a template that word is {change}. With --json, each change "
      + "is an object on its own line: \"change\" is the word, and \"before\" is the id of the "
      + "story that a new or moved one now precedes, or null at the end. Changes that other "
      + "machines make in a shared folder may be missed."
  ]

  init(_ context: CommandContext) throws {
    self.context = context
    let store = try context.store()
    self.store = store
    // Before the library is read, so that no change in between is missed.
    watch = try StoreWatch(store)
    let library = try store.read(.names)
    query = try StoryQuery(context, library)
    guard query.sort == nil else {
      throw context.usage("--follow has an order of its own, and takes no sort:")
    }
    list = try FollowedList(library, query, context)
    printer = try ListChangePrinter(context)
  }

  mutating func run() throws -> ExitStatus {
    let limit = try context.number("n", 0...Int.max) ?? (context.isOnTerminal ? 10 : 0)
    let first = ListChange.steps(from: [], to: list.entries).filter { $0.index < limit }
    if list.positions.isEmpty {
      let dates = StoryDates(nil, clock: context.clock)
      StoryListing(list.library, query, dates, nil, context).sayNothing()
    }
    try tell(first, of: list, since: list)
    var complaint = ""
    while !context.output.hasFailed {
      let output = context.environment.outputDescriptor
      guard try watch.wait(orClosed: output) else { break }
      do {
        try follow()
        complaint = ""
      } catch {
        // A file that another program writes in place is seen half-way; a damaged one may be
        // mended.
        let text = Failure(error).description
        if text != complaint { context.complain(text) }
        complaint = text
      }
    }
    return context.output.isSound ? .done : .failed
  }

  private mutating func follow() throws {
    let library = try store.read(.names)
    guard !list.library.isUnchanged(in: library) else { return }
    // Words that now mean no feed, or more than one, keep the feeds that they meant.
    var chosen = query
    if (try? chosen.choose(context, library)) != nil { query = chosen }
    let new = try FollowedList(library, query, context)
    try tell(ListChange.steps(from: list.entries, to: new.entries), of: new, since: list)
    list = new
  }

  private mutating func tell(
    _ steps: [ListChange],
    of list: FollowedList,
    since old: FollowedList,
  ) throws {
    let numbered = printer.numbers.ids.count
    try printer.print(steps, of: list, since: old, query)
    // A number may be used as soon as it is read.
    if printer.numbers.ids.count > numbered, !context.output.hasFailed {
      context.record(printer.numbers, in: store)
    }
    context.output.flush()
  }
}

struct FollowedList {
  let library: Library
  let positions: [Int]
  let entries: [ListEntry]

  init(_ library: Library, _ query: StoryQuery, _ context: CommandContext) throws {
    self.library = library
    let positions = try context.positions(of: query, in: library)
    self.positions = positions
    entries = try ListEntry.entries(of: library.items, at: positions)
  }

  func story(_ index: Int) throws -> StoredItem {
    try library.items.item(at: positions[index])
  }
}
