import CommandLine
import FeedFetching
import FeedModel
import FeedStorage
import FeedSync
import FeedUpdating

struct SyncCommand: Command {
  static let name = "sync"
  static let summary = "keep read marks, feeds and rules in sync"
  static let synopsis =
    "[add|remove|status|PLACE|HOST|DIR] [PLACE…] [--stories] [--user USER] …"
  static let examples = [
    HelpExample(
      "news sync ~/Sync/news",
      "by way of a folder that Syncthing keeps alike, this once",
    ),
    HelpExample("news sync ssh:desk", "with the news of another machine"),
    HelpExample("news sync ssh:me@desk:~/.news", "whose home is another than usual"),
    HelpExample("news sync add stick /media/stick/news", "by fetch from now on, and by news sync"),
    HelpExample(
      "news sync add all ~/Sync/news --stories",
      "and stories that left their feeds too",
    ),
    HelpExample(
      "news sync add rss https://rss.example.com --user me --password-command 'pass show rss'",
      "a server: FreshRSS, Miniflux, Inoreader, The Old Reader, BazQux …",
    ),
    HelpExample("news sync", "with everything that was added"),
    HelpExample("news sync status", "when it worked last, and what waits"),
    HelpExample("news sync remove stick", "no more"),
  ]
  static let options =
    [
      CommandOption("stories", help: "have stories too on every machine, not only their marks"),
      CommandOption("user", value: "USER", help: "add: who you are to the server"),
      CommandOption(
        "password-command",
        value: "COMMAND",
        help: "add: the server's password is what COMMAND prints (else see ~/.netrc)",
      ),
      CommandOption(
        "server-fetches",
        help: "add: take stories from the server, not from their feeds",
      ),
    ] + interfaceOption + [
      CommandOption(
        "accept",
        help: "do what a place would take away or bring, though it is much at once",
      ),
      CommandOption("restore", help: "have the place as it is here instead"),
      CommandOption("serve", help: "be the other one, over standard input and output"),
    ]
  static let notes = [
    "DIR is a folder that is there, and that Syncthing, Dropbox, NFS, git, rsync or a USB stick brings "
      + "to the other machines. Each writes one file into it, and reads those of the others. What is merged: "
      + "what is read and starred, subscriptions with their titles, tags, settings and moves, and rules; for "
      + "each by itself the last change counts. Stories come from their feeds, by the next refresh; with "
      + "--stories on each of them, machines also leave those there that others lack, 32 MiB at a time.",
    "A change is told with the time at which it was made. What nobody did is not told: a story that is cleared, "
      + "dropped or back from a backup has on the other machines the marks that it had, and takes them again. "
      + "A home that is new to the others keeps what it has: what is read, starred or followed on either side "
      + "stays so. Wrong clocks do no harm: what was changed after another machine's change was seen counts as later. A mark of a story that is not "
      + "stored here is kept for 400 days, and the next sync after the story has come sets it.",
    "Users and passwords in URLs and password commands stay on their machine, as do feeds that are files, "
      + "and whether a feed may be in a private network. A feed that is unsubscribed from elsewhere goes "
      + "here with its stories, but for starred ones. `news undo` takes back what a sync did here, for the next "
      + "one to tell the others (of what fetch and refresh take, feeds and rules).",
    "What would end a fifth of the feeds (and more than two) or take back a fifth of the stars or of the last 30 "
      + "days' read marks (and more than twenty) at once, follow more than 500 new feeds or change more than 5,000 "
      + "settings is not done before you agree: it is told in a line, `news sync NAME --accept` does it, and "
      + "`news sync NAME --restore` tells the others what is here instead. Everything else is merged.",
    "A sync by hand ends after a minute; what there was no time for follows with the next one.",
    "A file that is damaged, of a newer news or no plain file (a symbolic link) is told of and left out: "
      + "nothing in the folder is followed. A machine that is used no more is "
      + "forgotten when its file is deleted.",
    "HOST is ssh:HOST, or ssh:HOST:HOME where the home there is another than usual, and PLACE what "
      + "was added. ssh runs `news sync --serve` there, as your ~/.ssh/config has it; where nobody can be asked, it asks "
      + "nothing.",
    "A server has feeds (its folders are tags here), and what is read and starred, both ways. The password "
      + "is in no file of news, nor is it printed. What cannot be sent is sent the next time.",
    "fetch synchronizes at its end with everything that was added, inside its deadline.",
    "Piped, status is a line for each place with tabs between its fields: name, place, when it was tried "
      + "last, when it worked last, changes that wait (of machines, those since the last sync with any "
      + "of them), why it failed.",
  ]
  static let json: JSONForm? = .array("each place that it was done with, or of status", fields)

  let context: CommandContext

  var permissions: Permissions? {
    var permissions = context.permissionsToAsk(.makes)
    for word in context.arguments.operands {
      if let place = try? place(word, name: "-") { permissions.add(place, context) }
    }
    return permissions
  }

  enum Verb: String {
    case add, remove, status
  }

  func run() throws(CommandError) -> ExitStatus {
    let words = context.arguments.operands
    if context.arguments.has("serve") { return try serve(words) }
    let verb = words.first.flatMap(Verb.init)
    if verb != .add {
      for name in ["user", "password-command", "server-fetches", "api"]
      where context.arguments.has(name) {
        throw usage("--\(name) goes with add: news sync add NAME URL --\(name) …")
      }
    }
    let names = Array(words.dropFirst())
    switch verb {
    case .add: return try add(names)
    case .remove: try remove(names)
    case .status:
      guard names.isEmpty else { throw usage("status takes no names") }
      return try SyncStatus(context).print()
    case nil: return try synchronize(words)
    }
    return .done
  }

  // MARK: Synchronizing

  private func synchronize(_ words: [String]) throws(CommandError) -> ExitStatus {
    let store = try preparedStore()
    let added = try commandErrors { try store.syncPlaces() }
    var places: [(place: SyncPlace, isAdded: Bool)] = []
    for word in words {
      if let known = added.first(where: { $0.name == word }) {
        places.append((known, true))
      } else {
        places.append((try place(word, name: ""), false))
      }
    }
    if words.isEmpty { places = added.map { ($0, true) } }
    guard !places.isEmpty else {
      throw usage("say with what: news sync DIR, or news sync add NAME DIR once for all")
    }
    if context.arguments.has("stories") {
      for number in places.indices { places[number].place.sharesStories = true }
    }
    let run = try run(store)
    var reports: [SyncReport] = []
    for (place, isAdded) in places {
      guard !run.isCancelled else { break }
      let report = run.run(place, isAdded: isAdded)
      tell(report)
      run.note(report)
      reports.append(report)
    }
    printJSON(reports)
    let areDone = reports.allSatisfy { $0.failure == nil && $0.outcome?.faults.isEmpty ?? true }
    return areDone ? .done : .failed
  }

  func tell(_ report: SyncReport) {
    for fault in report.outcome?.faults ?? [] { context.complain("left out: \(fault)") }
    if let failure = report.failure {
      context.complain(report.line(failure))
    } else if !context.isJSON {
      context.say(report.words)
    }
    if let line = report.removalLine { context.complain(line) }
    if let line = report.pendingLine { context.complain(line) }
  }

  func preparedStore() throws(CommandError) -> LibraryStore {
    let store = try context.store()
    try commandErrors { try store.prepareHome() }
    return store
  }

  private func serve(_ words: [String]) throws(CommandError) -> ExitStatus {
    guard words.isEmpty else { throw usage("--serve takes no names") }
    guard !context.environment.terminal.isInputTerminal else {
      throw usage("--serve is for another news to talk with: news sync ssh:HOST there")
    }
    let sharesStories = context.arguments.has("stories")
    let talk = MachineTalk(
      pipe: context.environment.caller,
      patience: ProgramPipe.Patience(until: .now + .seconds(600)),
      name: "the machine that called",
    )
    let home = HomeSync(
      context.sync,
      try preparedStore(),
      sharesStories: sharesStories,
      consent: try consent,
    )
    let place = SyncPlace(name: "", way: .machine(host: "the machine that called", home: nil))
    var report = SyncReport(place: place, isAdded: false)
    var caller = CallingMachine(home, talk)
    report.outcome = try commandErrors { try caller.synchronize() }
    for line in [report.removalLine, report.calledPendingLine].compactMap(\.self) {
      context.complain("\(home.name): \(line)")
    }
    return .done
  }

  /// A sync that somebody waits for ends, too: what there was no time for follows with the next one.
  private static let longest = Duration.seconds(60)

  func run(_ store: LibraryStore) throws(CommandError) -> SyncRun {
    SyncRun(
      context.sync,
      store,
      consent: try consent,
      isByHand: true,
      until: .now + Self.longest,
      context.cancellation(),
    )
  }

  var consent: SyncConsent {
    get throws(CommandError) {
      guard let consent = SyncConsent(context.arguments) else {
        throw usage("--accept and --restore are one or the other")
      }
      return consent
    }
  }
}

extension SyncConsent {
  /// What the words of a command say; nil where they say two things.
  init?(_ arguments: Arguments) {
    switch (arguments.has("accept"), arguments.has("restore")) {
    case (true, true): return nil
    case (true, false): self = .accepted
    case (false, true): self = .restored
    case (false, false): self = .asked
    }
  }
}

extension CommandContext {
  /// What a sync has of the world outside.
  var sync: SyncContext {
    let context = self
    return SyncContext(
      now: { context.clock.date },
      machine: environment.machine,
      undoRecord: undoRecord,
      keepsTexts: keepsTexts,
      mayAsk: canAsk,
      makeFetcher: { context.makeFetcher() },
      fetchOptions: { context.fetchOptions(library: $0) },
      startProgram: environment.startProgram,
      evaluator: { IncomingRules($0)?.judge },
      complain: { context.complain($0) },
    )
  }
}
