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
  static let options = [
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

  private enum Verb: String {
    case add, remove, status
  }

  func run() throws(CommandError) -> ExitStatus {
    let words = context.arguments.operands
    if context.arguments.has("serve") { return try serve(words) }
    let verb = words.first.flatMap(Verb.init)
    if verb != .add {
      for name in ["user", "password-command", "server-fetches"]
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

  private func tell(_ report: SyncReport) {
    for fault in report.outcome?.faults ?? [] { context.complain("left out: \(fault)") }
    if let failure = report.failure {
      context.complain(report.line(failure))
    } else if !context.isJSON {
      context.say(report.words)
    }
    if let line = report.removalLine { context.complain(line) }
    if let line = report.pendingLine { context.complain(line) }
  }

  private func preparedStore() throws(CommandError) -> LibraryStore {
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
    report.outcome = try commandErrors { try home.answer(talk) }
    for line in [report.removalLine, report.calledPendingLine].compactMap(\.self) {
      context.complain("\(home.name): \(line)")
    }
    return .done
  }

  // MARK: What was added

  private func add(_ words: [String]) throws(CommandError) -> ExitStatus {
    guard words.count == 2, let name = words.first, let word = words.last else {
      throw usage("say what to call it, and where it is: news sync add NAME DIR")
    }
    guard Verb(rawValue: name) == nil, SyncPlace.isName(name) else {
      throw usage("\(Spelling.quoted(name)): a name is of letters, digits, dots, - and _")
    }
    let place = try place(word, name: name)
    let store = try preparedStore()
    for known in try commandErrors({ try store.syncPlaces() }) {
      guard known.name != name else {
        throw .failed("there is a \(name) already (`news sync remove \(name)`)")
      }
      guard known.address != place.address || known.server?.user != place.server?.user else {
        throw .failed("\(known.name) is that already")
      }
    }
    let run = try run(store)
    let report = run.run(place)
    guard report.failure == nil else {
      // What was merged already stays; its feeds are asked as before.
      if let server = place.server { try? store.forgetServer(server.name) }
      tell(report)
      printJSON([report])
      context.say("it was not added")
      return .failed
    }
    try commandErrors {
      try store.changeSyncPlaces { places throws(StorageError) in
        guard !places.contains(where: { $0.name == name }) else {
          throw .refused("there is a \(name) already")
        }
        places.append(report.place)
      }
    }
    tell(report)
    printJSON([report])
    return report.outcome?.faults.isEmpty == false ? .failed : .done
  }

  /// A sync that somebody waits for ends, too: what there was no time for follows with the next one.
  private static let longest = Duration.seconds(60)

  private func run(_ store: LibraryStore) throws(CommandError) -> SyncRun {
    SyncRun(
      context.sync,
      store,
      consent: try consent,
      isByHand: true,
      until: .now + Self.longest,
      context.cancellation(),
    )
  }

  private var consent: SyncConsent {
    get throws(CommandError) {
      guard let consent = SyncConsent(context.arguments) else {
        throw usage("--accept and --restore are one or the other")
      }
      return consent
    }
  }

  private func remove(_ names: [String]) throws(CommandError) {
    guard !names.isEmpty else { throw usage("say which: news sync remove NAME") }
    let store = try preparedStore()
    let places = try commandErrors { try store.syncPlaces() }
    for name in names where !places.contains(where: { $0.name == name }) {
      let hint = Spelling.hint(name, among: places.map(\.name))
      throw .failed("\(Spelling.quoted(name)): nothing of that name was added\(hint)")
    }
    let gone = places.filter { names.contains($0.name) }
    for server in gone.compactMap(\.server) {
      try commandErrors { try store.forgetServer(server.name) }
    }
    try commandErrors { try store.changeSyncPlaces { $0.removeAll { names.contains($0.name) } } }
    if gone.count == places.count { try commandErrors { try store.forgetChanges() } }
    for place in gone {
      context.say("\(place.name): no more")
      if case .folder(let path) = place.way, let state = try? store.syncState() {
        context.say("its file stays: \(path)/news-\(state.machine).plist")
      }
    }
  }

  /// What a word means: a server's URL, another machine, or a folder.
  private func place(_ word: String, name: String) throws(CommandError) -> SyncPlace {
    let sharesStories = context.arguments.has("stories")
    if WebURL.isWeb(word) {
      return SyncPlace(name: name, way: .server(try server(word, name: name)))
    }
    guard !context.arguments.has("user") else { throw usage("--user is for servers") }
    do throws(WordFault) {
      if let machine = try RemoteMachine(word) {
        let way = SyncPlace.Way.machine(host: machine.host, home: machine.home)
        return SyncPlace(name: name, way: way, sharesStories: sharesStories)
      }
    } catch {
      throw usage("\(Spelling.quoted(word)): \(error.reason)")
    }
    guard !word.isEmpty else { throw usage("say by way of which folder: news sync DIR") }
    guard let path = LocalPath.absolute(word, in: context.environment.currentFolder())
    else { throw .failed("the current folder is not known") }
    return SyncPlace(name: name, way: .folder(path), sharesStories: sharesStories)
  }

  private func server(_ word: String, name: String) throws(CommandError) -> SyncServer {
    guard !name.isEmpty else {
      throw usage("a server is to be added first: news sync add NAME URL --user USER")
    }
    guard WebURL.withoutAccount(word) == word else {
      throw usage("the URL is to have no user and password: --user, --password-command")
    }
    guard WebURL.host(of: word) != nil, SafeText.line(word) == word else {
      throw usage("\(Spelling.quoted(word)) is not a URL")
    }
    guard let user = context.arguments.value("user"), !user.isEmpty else {
      throw usage("say who you are to the server: --user USER")
    }
    return SyncServer(
      name: name,
      url: word,
      user: user,
      passwordCommand: context.arguments.value("password-command"),
      fetchesStories: context.arguments.has("server-fetches"),
    )
  }
}

// MARK: JSON

extension SyncCommand {
  private func printJSON(_ reports: [SyncReport]) {
    if context.isJSON { context.output.printJSON(reports, Self.fields) }
  }

  private static let machineFields: [JSONField<SyncFolder.Machine>] = [
    JSONField("id", "what its file is named after") { .string("\($0.id)") },
    JSONField("name", "what it calls itself") { .text($0.name) },
    JSONField("written", "when it last had something to tell, or null") { .date($0.written) },
  ]

  static let fields: [JSONField<SyncReport>] = [
    JSONField("name", "as it was added; null where it was named this once") {
      .text($0.isAdded ? $0.place.name : nil)
    },
    JSONField("place", "the folder, ssh:HOST, or the server's URL") {
      .string(WebURL.redacted($0.place.address))
    },
    JSONField("error", "why it failed last, null when it did not") { .text($0.place.failure) },
    JSONField("tried", "when it was tried last") { .date($0.place.tried) },
    JSONField("done", "when it worked last") { .date($0.place.done) },
    JSONField(
      "waiting",
      "changes here that a server does not know of, or that no machine was told; null but of status",
    ) {
      .number($0.waiting)
    },
    JSONField(
      "machines",
      "of a folder or machine: who is known of, this one among them",
      array: machineFields,
    ) { $0.outcome?.machines ?? [] },
    count("marked", "stories that have other marks now; this and the next are null of status") {
      $0.marked
    },
    count("added", "feeds that are followed from now on") { $0.added },
    count("removed", "feeds that are followed no more") { $0.removed },
    count("changed", "feeds that have moved, or another title, tags or settings") { $0.changed },
    count("rules", "rules that are new, gone or changed") { $0.rules },
    count("stories", "stories that are new here") { $0.stories },
    count("sent", "values that were changed here, and that the others are told") { $0.sent },
  ]

  private static func count(
    _ name: String,
    _ meaning: String,
    _ value: @escaping @Sendable (SyncResult) -> Int,
  ) -> JSONField<SyncReport> {
    JSONField(name, meaning) { .number(($0.outcome?.result).map(value)) }
  }
}

extension SyncPlace {
  /// A name that a file may have, too.
  fileprivate static func isName(_ name: String) -> Bool {
    let isPlain = name.utf8.allSatisfy { $0.isASCIILetterOrDigit || "._-".utf8.contains($0) }
    return isPlain && (1...64).contains(name.utf8.count) && !name.hasPrefix(".")
      && !name.hasPrefix("-")
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
