import CommandLine
import CommandSupport
import FeedLibrary
import FeedStorage
import Searching

struct ListCommand: Command {
  static let name = "list"
  static let summary = "list stories, newest first, numbered"
  static let synopsis =
    "[-n N] [--feed FEED] [--unread] [--starred] [--since WHEN] …"
  static let examples = [
    HelpExample("news list", "the newest stories"),
    HelpExample("news list --unread --since yesterday", "unread stories since yesterday"),
    HelpExample("news list --grep is:new", "stories that arrived since the last list"),
    HelpExample("news list --feed reuters -n 50", "up to fifty stories from one feed"),
    HelpExample("news list --feed tag:work", "stories from all feeds with this tag"),
    HelpExample("news list --grep café", "stories with this word in the title or text"),
    HelpExample(#"news list --grep '/\bchips?\b/'"#, "search with a regular expression"),
    HelpExample("news list --grep 'camera -privacy'", "with one word, without the other"),
    HelpExample(
      "news list --grep 'is:unread (chip or fab) sort:length'",
      "unread stories with one of two words, the longest first",
    ),
    HelpExample("news list --grep has:enclosure", "stories with enclosures, and their files"),
    HelpExample("news list --sort stored", "what arrived last comes first"),
    HelpExample("news list --group", "similar stories of several feeds in one row"),
    HelpExample("news list --dates iso", "with exact dates"),
    HelpExample(
      "news list --format '{date:%F} {title} <{link}>'",
      "print stories in your own format",
    ),
    HelpExample("news list --unread --count", "a number, for a status bar"),
    HelpExample("news list --follow", "keep running, and print changes as they happen"),
    HelpExample("news list --csv --unread > unread.csv", "a spreadsheet of some stories"),
    HelpExample("news list --grep is:new --mail | sendmail -t", "a mail of what is new"),
    HelpExample("news list --json | jq -r '.[].link'", "the links of all stories"),
  ]
  static let options =
    [
      CommandOption(
        "",
        "n",
        value: "N",
        help: "show at most N stories (20 on a terminal, all when piped)",
      )
    ] + StoryQuery.options + [
      sort,
      CommandOption("reverse", "r", help: "turn the order round: the newest last, mostly"),
      SimilarStories.option,
      CommandOption("count", help: "print the number of these stories alone"),
      CommandOption("explain", help: "say in words which stories that are, and show none"),
      StoryFollowing.option,
      DateChoice.option, StoryTemplate.option, StoryCSV.option, StoryMail.option, Pager.option,
    ]
  private static let sort = CommandOption(
    "sort",
    value: SearchSort.Key.allCases.map(\.rawValue).joined(separator: "|"),
    help: "another order, as with sort: in a search; stored is that of arrival",
  )
  static let notes =
    [
      "Use the numbers with `open`, `show`, `read` and the other commands in the same terminal "
        + "session. They stay valid until the next `list`, or a `refresh` that shows headlines. "
        + "Piping a list does not renumber what is on the screen: stories that have a number there "
        + "keep it, and others get higher ones.",
      "--reverse turns round whatever order the list has: that of --sort, of sort: in the search, "
        + "or of the feed. A feed that is set --oldest-first has its newest first then.",
      "--grep is:new shows stories stored since this session last ran `list` without filters, or "
        + "with that one alone. With --mail it is those stored since the last mail of all stories or "
        + "of what is new, whoever has looked at lists; before the first mail, since the last list.",
      "--grep finds stories that have all the words in title, author, categories or text, whatever "
        + "case and accents. \"two words\" is a phrase, /…/ a PCRE2 regular expression "
        + "(pcre2pattern(3)), -camera or not camera leaves out what camera finds, and there are "
        + "`or` and (…). --explain says what was understood.",
      "The fields are " + SearchField.help,
      "When piped, each story is a line of five tab-separated fields: number, title, date (ISO 8601 "
        + "in UTC; --dates published as its feed has it), feed, link.",
      "--grep has:enclosure also shows the type, size and length of each file, below its story. "
        + "When piped, each enclosure is a line: the five fields, then its URL, type, bytes and "
        + "seconds. With --json, --csv and --format it only filters.",
      "--csv prints a table (RFC 4180) without whole texts, with a line of names. All "
        + "fields are in quotation marks; one that a spreadsheet would take for a formula (it begins "
        + "with =, +, - or @) gets an apostrophe in front.",
      "--group makes one row of stories of several feeds that are surely about one thing: their "
        + "titles and texts are alike, and at most two days lie between them. The newest stands for "
        + "all; below it are the numbers and feeds of the others, which follow its own, so that "
        + "`read 3-5` marks the row. -n counts rows. When piped, a sixth field has the numbers of "
        + "the others, a seventh their feeds; in a template {similar} has the numbers, with --json "
        + "\"similar\" the ids. Only listed stories are compared, and nothing is stored.",
    ] + StoryMail.notes + StoryFollowing.notes + StoryTemplate.notes
  static let json: JSONForm? = .array("the stories, in the order of the list", StoryJSON.listed)

  static let isVisit = true
  static let exclusions = [
    ["json", "csv", "format", "explain", "count", "mail"],
    ["follow", "reverse", "count"], ["follow", "sort", "count"], ["follow", "explain"],
    ["follow", "csv", "group", "count", "mail"],
  ]

  let context: CommandContext

  var readerAccess: ReaderAccess? { isMail ? .texts : nil }

  func run() throws -> ExitStatus {
    guard context.arguments.operands.isEmpty else {
      let word = context.arguments.operands[0]
      let way =
        Int(word) == nil
        ? "for a feed: news list --feed \(ShellWord.proposed(word, or: "FEED"))"
        : "for \(word) stories: news list -n \(word)"
      throw usage("list takes options only; \(way)")
    }
    // The table view follows by itself.
    if context.arguments.has("follow"), !context.environment.isInTableView {
      var following = try StoryFollowing(context)
      return try following.run()
    }
    if context.arguments.has("explain") { return try explain() }
    if context.arguments.has("count") { return try count() }
    let template = try StoryTemplate.read(context)
    let dates = StoryDates(try DateChoice.read(context), clock: context.clock)
    let store = try context.store()
    let library = try store.read(.names)
    let query = try query(of: library)
    let limit = try limit(query)
    let (found, similar) = try rows(of: query, in: library, atMost: limit)
    let positions = context.arguments.has("reverse") ? found.reversed() : found
    let record = { (numbers: ListNumbers) in
      // Numbers count once somebody can have seen them.
      guard context.output.isSound else { return }
      // Nothing can be seen in an empty library: later stories are numbered by their positions.
      if library.items.count == 0 { return context.forgetListing(in: store) }
      // A list of new stories that was cut short has not shown all of them.
      let isWhole = query.takesAll || query.showsAllThatIsNew && positions.count < limit
      let seen = isWhole ? library.items.saved : nil
      // Other mails than those of new stories have no part in what is new.
      if isMail, seen == nil { return }
      context.record(numbers, seen: seen, in: store)
    }
    if isMail {
      try StoryMail(context, library, in: store).print(positions)
      context.output.flush()
      record(ListNumbers())
    } else {
      let listing = StoryListing(library, query, dates, template, context, similar: similar)
      try listing.print(positions, record: record)
    }
    guard context.output.isSound else { return .failed }
    if context.isOnTerminal, !context.isJSON, !isCSV, !isMail, limit > 0, positions.count == limit {
      try tellRest(positions.count, query, library)
    }
    return .done
  }

  private func query(of library: Library) throws -> StoryQuery {
    var query = try StoryQuery(context, library)
    if let key: SearchSort.Key = try context.choice(Self.sort) { query.search.sort = .init(key) }
    return query.inOrder(of: library.subscriptions)
  }

  private var isCSV: Bool { context.arguments.has(StoryCSV.option.name) }

  private var isMail: Bool { context.arguments.has(StoryMail.option.name) }

  private var isGrouped: Bool { context.arguments.has(SimilarStories.option.name) }

  /// Returns the positions of what is listed, and the similar stories if these are to be one row.
  private func rows(
    of query: StoryQuery,
    in library: Library,
    atMost limit: Int,
  ) throws -> ([Int], SimilarStories?) {
    guard isGrouped else {
      return (try context.listed(query, in: library, atMost: limit), nil)
    }
    let all = try context.positions(of: query, in: library)
    let rows = query.sort == nil ? limit : .max
    let similar = try SimilarStories(context, among: all, of: library.items, rows: rows)
    return (Array(similar.rows(of: all).prefix(limit)), similar)
  }

  private func explain() throws -> ExitStatus {
    let library = try context.store().read(.names)
    let query = try query(of: library)
    // An unknown name is a fault here, too.
    _ = try context.searchScope(library.subscriptions).condition(of: query)
    let isReversed = context.arguments.has("reverse")
    let text = QueryDescription(context, library).text(query, isReversed: isReversed)
    context.output.printLine(text)
    return .done
  }

  /// Prints how many stories there are, whatever `-n`; they count as seen no more than before.
  private func count() throws -> ExitStatus {
    let library = try context.store().read(.names)
    let positions = try context.positions(of: try StoryQuery(context, library), in: library)
    context.output.printLine("\(positions.count)")
    return .done
  }

  private func limit(_ query: StoryQuery) throws -> Int {
    let isShort = context.isOnTerminal && !query.showsAllThatIsNew
    return try context.number("n", 0...Int.max) ?? (isShort ? 20 : .max)
  }

  /// Tells the whole number of stories where a list has shown fewer: `20 of 844, 447 unread`, or
  /// `20 rows of 844 stories, 447 unread`.
  private func tellRest(_ shown: Int, _ query: StoryQuery, _ library: Library) throws {
    let all = try context.positions(of: query, in: library).count
    guard all > shown else { return }
    var unread = query
    unread.isUnread = true
    let rest =
      query.isUnread
      ? " unread" : ", \(try context.positions(of: unread, in: library).count) unread"
    context.say(
      isGrouped
        ? "\(Count.of(shown, "row")) of \(Count.stories(all))\(rest)" : "\(shown) of \(all)\(rest)"
    )
  }
}
