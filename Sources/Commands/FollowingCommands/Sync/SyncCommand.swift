import CommandLine
import CommandSupport
import FeedModel
import FeedStorage
package import FeedSync

struct SyncCommand: Command {
  static let name = "sync"
  static let summary = "keep read marks, feeds and rules in sync"
  static let synopsis =
    "[add|remove|status|REMOTE|HOST|DIR] [REMOTE…] [--user USER] …"
  static let examples = [
    HelpExample(
      "news sync ~/Sync/news",
      "sync once through a folder that Syncthing shares",
    ),
    HelpExample("news sync ssh:desk", "sync with another machine"),
    HelpExample(
      "news sync ssh:me@desk:~/.news",
      "sync with another machine whose home is elsewhere",
    ),
    HelpExample(
      "news sync add stick /media/stick/news",
      "let every fetch, and news sync, use this folder",
    ),
    HelpExample(
      "news sync add rss https://rss.example.com --user me --password-command 'pass show rss'",
      "sync with a server: FreshRSS, Miniflux, Nextcloud News, Inoreader, The Old Reader …",
    ),
    HelpExample("news sync", "sync with everything that was added, or say that nothing was"),
    HelpExample("news sync status", "show when it last worked, and what waits"),
    HelpExample("news sync remove stick", "stop syncing with it"),
  ]
  private static let ofAdding =
    [
      CommandOption("user", value: "USER", help: "add: your user name on the server"),
      CommandOption(
        "password-command",
        value: CommandOption.command,
        help: "add: use what COMMAND prints as the password (else ~/.netrc)",
      ),
      CommandOption(
        "server-fetches",
        help: "add: get stories from the server instead of the feeds",
      ),
      CommandOption(
        "allow-private",
        help: "add: allow the feeds that come by it to be in a private network",
      ),
      interfaceOption,
    ]
  static let options =
    ofAdding.map { $0.only(with: "add") } + [
      CommandOption("deadline", value: "SECONDS", help: "stop after this many seconds (60)"),
      CommandOption(
        "accept",
        help: "agree to an unusually large change",
      ),
      CommandOption("serve", help: "act as the other side, over standard input and output"),
    ]
  static let notes = [
    "DIR is an existing folder that Syncthing, Dropbox, NFS, git, rsync or a USB stick "
      + "shares with your other machines. Each machine writes one file into it and reads those "
      + "of the others. Read and starred marks, subscriptions (with titles, tags, settings and "
      + "moves) and rules are merged; for each of them, the last change counts. Stories come "
      + "from their feeds with the next refresh.",
    "Each change is sent with the time at which it was made. Only what you did is sent: a "
      + "story that was cleared, dropped or restored from a backup keeps its marks on the other "
      + "machines, and gets them back here. When a home joins, nothing is lost: what is read, "
      + "starred or followed on either side stays so. Wrong clocks do no harm: a change made "
      + "after another machine's change was seen counts as later. Marks of stories that are not "
      + "stored here are kept for 400 days, and set when the story arrives.",
    "User names and passwords in URLs, password commands, feeds that are local files, and "
      + "permission to use private networks stay on their machine: `add --allow-private` gives it to "
      + "the feeds that will come by that remote. When a feed is unsubscribed "
      + "elsewhere, its stories go here too, except starred ones. `news undo` reverts what a "
      + "sync did here, and the next sync tells the others (of what fetch and refresh take: only "
      + "feeds and rules).",
    "Unusually large changes wait for you: those that would remove a fifth of the feeds (and "
      + "more than two), or revert a fifth of the stars or of the last 30 days' read marks (and "
      + "more than twenty), follow more than 500 new feeds, or change more than 5,000 settings. "
      + "A server may have lost what it no longer has: two feeds that are a fifth, and five marks "
      + "that are half, wait, too. "
      + "A line tells you; `news sync NAME --accept` agrees, and `news undo` on the other side "
      + "takes the change back. Everything else is merged.",
    "A sync by hand stops after a minute, or --deadline SECONDS: what it has taken by then stays, "
      + "and the rest follows with the next one. What others send has limits in size, number and "
      + "time; a line tells you what was left out.",
    "Damaged files, files of a newer version and symbolic links in the folder are reported "
      + "and skipped. To forget a machine that is no longer used, delete its file.",
    "HOST is ssh:HOST, or ssh:HOST:HOME if the home there is not the usual one. REMOTE is a "
      + "name that you added. ssh runs `news sync --serve` there, as configured in "
      + "~/.ssh/config; without a terminal it asks nothing.",
    "With a server, feeds (folders become tags), read marks and stars are synced both ways. add "
      + "finds out by which API. "
      + "The password is never stored or printed. What could not be sent is sent the next time. "
      + "What the server refuses is told once and sent again after a day, then after 2, 4, 8 and 16 "
      + "days; status lists it, and everything else is synced.",
    "fetch syncs with everything that was added at its end, within its deadline.",
    "When piped, status prints a tab-separated line for each remote: name, address, last tried, "
      + "last succeeded, waiting changes (for machines: since the last sync with any of them), "
      + "error, how many changes a server has refused.",
  ]
  static let json: JSONForm? = .array("each remote that it was done with, or of status", fields)

  static let actions = ["add", "remove", "status"]

  static func takesDefaults(_ typed: Arguments) -> Bool { !typed.has("serve") }

  let context: CommandContext

  var readerAccess: ReaderAccess? { .network }

  enum Verb: String {
    case add, remove, status
  }

  func run() throws -> ExitStatus {
    let words = context.arguments.operands
    if context.arguments.has("serve") { return try serve(words) }
    let verb = words.first.flatMap(Verb.init)
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

  private func synchronize(_ words: [String]) throws -> ExitStatus {
    let store = try preparedStore()
    let run = try run(store)
    let added = try store.syncRemotes()
    var remotes: [(remote: SyncRemote, isAdded: Bool)] = []
    for word in words {
      if let known = added.first(where: { $0.name == word }) {
        remotes.append((known, true))
      } else {
        let remote = try remote(word, name: "")
        if case .folder(let path) = remote.transport, FileStatus(at: path) == nil,
          !word.contains("/")
        {
          let hint = Spelling.hint(word, among: Self.actions + added.map(\.name))
          throw Failure("\(Spelling.quoted(word)): no remote of that name, and no folder\(hint)")
        }
        remotes.append((remote, false))
      }
    }
    if words.isEmpty { remotes = added.map { ($0, true) } }
    guard !remotes.isEmpty else { return try SyncStatus(context).print() }
    var reports: [SyncReport] = []
    for (remote, isAdded) in remotes {
      guard !run.isCancelled else { break }
      let report = run.run(remote, isAdded: isAdded)
      tell(report)
      run.note(report)
      reports.append(report)
      tellFolders(after: report, run)
    }
    printJSON(reports)
    let areDone = reports.allSatisfy { $0.failure == nil && $0.outcome?.faults.isEmpty ?? true }
    return areDone ? .done : .failed
  }

  /// Tells of folders what they had besides; that they were told has no line.
  func tellFolders(after report: SyncReport, _ run: SyncRun) {
    for folder in run.tellFolders(after: report) {
      run.note(folder)
      guard let result = folder.outcome?.result else { continue }
      if result.taken > 0 || result.pending != PendingConsent() { tell(folder) }
    }
  }

  func tell(_ report: SyncReport) {
    context.tellFaults(report)
    if let failure = report.failure {
      context.complain(report.line(failure))
    } else if !context.isJSON {
      context.say(report.words)
    }
    if let line = report.removalLine { context.complain(line) }
    if let line = report.pendingLine { context.complain(line) }
  }

  func preparedStore() throws -> LibraryStore {
    let store = try context.store()
    try store.prepareHome()
    return store
  }

  private func serve(_ words: [String]) throws -> ExitStatus {
    guard words.isEmpty else { throw usage("--serve takes no names") }
    guard !context.environment.terminal.isInputTerminal else {
      throw usage("--serve is for another news to talk with: news sync ssh:HOST there")
    }
    let connection = MachineConnection(
      pipe: context.environment.caller,
      timeout: ProgramPipe.Timeout(until: .now + (try context.deadline() ?? .seconds(600))),
      name: "the machine that called",
    )
    let home = HomeSync(context.sync, try preparedStore(), consent: consent)
    let remote = SyncRemote(
      name: "",
      transport: .machine(host: "the machine that called", home: nil),
    )
    var report = SyncReport(remote: remote, isAdded: false)
    var caller = CallerSession(home, connection)
    report.outcome = try caller.synchronize()
    for line in [report.removalLine, report.calledPendingLine].compactMap(\.self) {
      context.complain("\(home.name): \(line)")
    }
    return .done
  }

  /// The limit of a sync that somebody waits for; the rest follows with the next one.
  private static let longest = Duration.seconds(60)

  func run(_ store: LibraryStore) throws -> SyncRun {
    SyncRun(
      HomeSync(
        context.sync,
        store,
        consent: consent,
        isByHand: true,
        until: .now + (try context.deadline() ?? Self.longest),
        context.cancellation(),
      )
    )
  }

  var consent: SyncConsent { context.arguments.has("accept") ? .accepted : .asked }
}

extension CommandContext {
  package var sync: SyncContext {
    let context = self
    return SyncContext(
      now: { context.clock.date },
      machine: environment.machine,
      origin: origin,
      keepsTexts: keepsTexts,
      mayAsk: environment.terminal.canAsk,
      makeFetcher: { context.makeFetcher() },
      fetchOptions: { context.fetchOptions(library: $0) },
      startProgram: environment.startProgram,
      evaluator: { IncomingRules($0, context)?.evaluate },
      complain: { context.complain($0) },
    )
  }
}
