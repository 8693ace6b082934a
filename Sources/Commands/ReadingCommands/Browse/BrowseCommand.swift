import CommandLine
import CommandSupport
import FeedModel
import FeedStorage
import Searching

struct BrowseCommand: Command {
  static let name = "browse"
  static let summary = "read in a full-screen view of feeds, stories and text"
  static let synopsis = "[--feed FEED] [--unread] [--starred] [--grep TEXT] …"
  static let examples = [
    HelpExample("news browse", "go on where you left; ? shows the keys"),
    HelpExample("news browse --all", "all stories, newest first"),
    HelpExample("news browse --unread", "begin with what is not read"),
    HelpExample("news browse --width 72 --center", "narrow texts, in the middle of the window"),
    HelpExample("news browse --keys", "the keys, and what they stand for"),
    HelpExample("news browse --feed tag:work", "begin with the feeds of a tag"),
  ]
  static let options =
    StoryQuery.options + [
      CommandOption("all", help: "begin with all stories from the top, not where you left"),
      CommandOption("reverse", "r", help: "turn the order round: the oldest first, mostly"),
      SimilarStories.option,
      CommandOption("width", value: "COLUMNS", help: "texts of at most so many columns (80)"),
      CommandOption("center", help: "texts in the middle of the window"),
      CommandOption("keys", help: "print the keys, as lines for a file of yours"),
    ] + PictureProgram.options
  static let notes =
    [
      "The list follows what a background fetch stores, and what is being read stays where it is. A window of "
        + "113 columns has feeds and stories side by side, one of 156 the text, too; beside them --center "
        + "moves no text. "
        + "♪ stands before the title of a story that carries sound or video. Without a filter it opens "
        + "where you left; if that story is read, at the first unread one.",
      "A key is a name for a line, which can be typed behind : just as well: one of the words below, or "
        + "a command of news, such as `download` or `feeds set --full`. Tab completes it. Without "
        + "numbers it means the row, or the rows picked with v. What it prints is shown.",
      "Reports of several feeds about one thing are one row with --group, or after c: +2 before its "
        + "title says that it stands for two more. = opens the row. What marks a closed row (u, s, x, "
        + ":tag) marks all its stories, in one step for z, and so does reading it.",
      "Lines `key command…` in ~/.config/news/keys change the keys; a line with a key "
        + "alone frees the key; # begins a comment; after a colon before the command you type the rest. "
        + "Semicolons separate several operations: `a :star ; :tag later ; n`. Several keys before a "
        + "command are a sequence, which Escape ends: `g g first`. `!` "
        + "begins a program of yours, which has the terminal, `|` one that reads the text: "
        + "`m !mail-story {link} -- {title}` gives it fields of --format, each as one word, without a "
        + "shell; a field that begins with a minus has a blank before it unless it is behind --. A "
        + "wrong line is left out, and so is a file that others can write to.",
    ] + PictureProgram.notes
    + BrowserKeys.all.map {
      let keys = $0.keys.isEmpty ? "no key" : $0.keys.joined(separator: " ")
      return "\(keys) (\($0.line)): \($0.meaning)"
    }

  static let isVisit = true

  static let noTerminal = Failure(
    "browse needs a terminal; `news list` prints the stories"
  )

  static let exclusions = StoryQuery.options.map { ["all", $0.key] }

  let context: CommandContext

  var readerAccess: ReaderAccess? { .network }

  func run() throws -> ExitStatus {
    guard context.arguments.operands.isEmpty else {
      throw usage("browse takes options only; for a feed: news browse --feed FEED")
    }
    if context.arguments.has("images"), let obstacle = PictureProgram.obstacle(context) {
      throw Failure("--images: \(obstacle)")
    }
    let keys = KeyMap(context.environment)
    if context.arguments.has("keys") {
      print(keys)
      keys.faults.forEach(context.complain)
      return keys.faults.isEmpty ? .done : .failed
    }
    let terminal = context.environment.terminal
    guard terminal.isInputTerminal, terminal.isOutputTerminal,
      context.environment.variable("TERM") != "dumb"
    else { throw Self.noTerminal }
    let session = try BrowserSession(
      context,
      { library in
        try StoryQuery(context, library).inOrder(of: library.subscriptions)
      },
      words,
      keys,
    )
    session.browser.message = keys.complaint ?? ""
    let startsAnew = !words.isEmpty || context.arguments.has("all")
    let place = context.keepsNoHistory ? nil : try? session.store.browsePlace()
    return session.run(from: place, goesBack: !startsAnew).map(ExitStatus.interrupted) ?? .done
  }

  private func print(_ keys: KeyMap) {
    for row in keys.topics.flatMap(\.rows) {
      for key in row.keys {
        let line = (key.count < 10 ? TerminalText.fit(key, to: 10) : key + "  ") + row.line
        let isPlain = row.meaning.isEmpty || !context.isOnTerminal
        context.output.printLine(
          isPlain ? line : TerminalText.fit(line, to: 28) + context.style.dim(row.meaning)
        )
      }
    }
  }

  /// The given options that select stories, as words of a command line.
  private var words: [String] {
    StoryQuery.options.flatMap { option in
      let name = "--\(option.name)"
      let values = context.arguments.values(option.name)
      return option.value == nil
        ? (context.arguments.has(option.name) ? [name] : []) : values.flatMap { [name, $0] }
    }
  }
}
