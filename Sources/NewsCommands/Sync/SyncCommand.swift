import Aggregation
import FeedFetching
import FeedModel
import FeedStorage

struct SyncCommand: Command {
  static let name = "sync"
  static let summary = "have the same marks, feeds and rules on several machines"
  static let synopsis = "DIR"
  static let examples = [
    HelpExample("news sync ~/Sync/news", "by way of a folder that Syncthing keeps alike"),
    HelpExample("news sync /media/stick/news", "or one that is carried from machine to machine"),
    HelpExample("news fetch; news sync ~/Sync/news", "what is to be done now and then on each"),
    HelpExample("news sync ~/Sync/news --json", "what it came to, for a program"),
  ]
  static let notes = [
    "DIR is a folder that is there, and that Syncthing, Dropbox, NFS, git, rsync or a USB stick brings "
      + "to the other machines. Each writes one file into it, and reads those of the others. What is merged: "
      + "what is read and starred, subscriptions with their titles, tags, settings and moves, and rules; for "
      + "each by itself the last change counts. Stories come from their feeds, by the next refresh.",
    "A change of marks has the time of the sync that tells of it. Wrong clocks do no harm: what was changed "
      + "after another machine's change was seen counts as later. A mark of a story that is not stored "
      + "here is kept for 400 days, and the next sync after the story has come sets it.",
    "Users and passwords in URLs and password commands stay on their machine, as do feeds that are files, "
      + "and whether a feed may be in a private network. A feed that is unsubscribed from elsewhere goes "
      + "here with its stories, but for starred ones. `news undo` takes back what a sync did to feeds and "
      + "rules here, for the next one to tell the others; of marks it takes back your own.",
    "A file that is damaged or of a newer news is told of and left out. A machine that is used no more is "
      + "forgotten when its file is deleted.",
  ]
  static let json: JSONForm? = .object("what became of this home", fields)

  /// What is printed.
  private struct Report: Sendable {
    var result = SyncResult()
    var machines: [SyncFolder.Machine] = []
  }

  private static let machineFields: [JSONField<SyncFolder.Machine>] = [
    JSONField("id", "what its file is named after") { .string("\($0.id)") },
    JSONField("name", "what it calls itself") { .text($0.name) },
    JSONField("written", "when it last had something to tell, or null") { .date($0.written) },
  ]

  private static let fields: [JSONField<Report>] = [
    JSONField(
      "machines",
      "those with a file in the folder, this one among them",
      array: machineFields,
    ) {
      $0.machines
    },
    JSONField("marked", "stories that have other marks now") { .integer($0.result.marked) },
    JSONField("added", "feeds that are followed from now on") { .integer($0.result.added) },
    JSONField("removed", "feeds that are followed no more") { .integer($0.result.removed) },
    JSONField("changed", "feeds that have moved, or another title, tags or settings") {
      .integer($0.result.changed)
    },
    JSONField("rules", "rules that are new, gone or changed") { .integer($0.result.rules) },
    JSONField("sent", "values that were changed here, and that the others are told") {
      .integer($0.result.sent)
    },
  ]

  let context: CommandContext

  func run() throws(CommandError) -> ExitStatus {
    let operands = context.arguments.operands
    guard operands.count == 1, !operands[0].isEmpty else {
      throw usage("say by way of which folder: news sync DIR")
    }
    guard let path = LocalPath.absolute(operands[0], in: context.environment.currentFolder())
    else { throw .failed("the current folder is not known") }
    let store = try context.store()
    try commandErrors { try store.prepareHome() }
    let sync = HomeSync(context, store, SyncFolder(path))
    let (result, machines, faults) = try sync.run()
    for fault in faults { context.complain("left out: \(fault)") }
    if context.isJSON {
      let report = Report(result: result, machines: machines)
      context.output.printLine(PrintedJSON.object(Self.fields, report).description)
    } else {
      context.say(words(result, machines.count))
    }
    return faults.isEmpty ? .done : .failed
  }

  /// `3 machines: 12 marks, 1 feed added, 0 removed`.
  private func words(_ result: SyncResult, _ machines: Int) -> String {
    var parts = [
      Count.of(result.marked, "mark"), Count.of(result.added, "feed") + " added",
      "\(result.removed) removed",
    ]
    if result.changed > 0 { parts.append("\(result.changed) changed") }
    if result.rules > 0 { parts.append(Count.of(result.rules, "rule")) }
    let sent = result.sent == 0 ? "" : "; \(Count.of(result.sent, "change")) of this one told"
    return Count.of(machines, "machine") + ": " + parts.joined(separator: ", ") + sent
  }
}

/// Merges a home with what others have left in a folder.
struct HomeSync {
  private let context: CommandContext
  private let store: LibraryStore
  private let folder: SyncFolder
  private let name: String
  private let place: String

  init(_ context: CommandContext, _ store: LibraryStore, _ folder: SyncFolder) {
    (self.context, self.store, self.folder) = (context, store, folder)
    let (name, id) = context.environment.machine()
    self.name = SafeText.line(name)
    place = SyncState.place(machine: id, home: POSIX.resolved(store.home))
  }

  typealias Outcome = (result: SyncResult, machines: [SyncFolder.Machine], faults: [String])

  func run() throws(CommandError) -> Outcome {
    let now = context.clock.date
    let begun = try begin(now)
    let contents = try commandErrors { try folder.read(for: begun.machine, on: now) }
    let others = contents.machines.filter { $0.id != begun.machine }
    let moved = try move(contents, begun)
    var result = try store.change { library throws(CommandError) in
      try commandErrors {
        let (old, isKnown) = try remembered(else: begun)
        var merge = try merge(contents, others, old, library, try store.rules())
        var (change, result) = try merge.change(record: context.undoRecord)
        let file = SyncFile(merge.state, name: name, written: now)
        let isPublished = contents.own.map { $0.state.replica.isSame(as: merge.state.replica) }
        change.sync = SyncSaving(
          file,
          isNew: !isKnown || merge.state != old,
          in: isPublished == true ? nil : folder,
        )
        return (change, result)
      }
    }
    result.changed += moved
    let own = SyncFolder.Machine(id: begun.machine, name: name, written: now, seen: [:])
    return (result, others + [own], contents.faults)
  }

  /// What the home remembers; a copy of another home is a machine of its own.
  private func begin(_ now: Date) throws(CommandError) -> SyncState {
    let new = SyncState(machine: .new(at: place, on: now), place: place)
    guard var state = try commandErrors({ try store.syncState() }) else { return new }
    guard state.place != place else { return state }
    context.complain(
      "this home was on another machine or in another folder before: it is a machine of its own now"
    )
    (state.machine, state.place) = (new.machine, place)
    return state
  }

  /// What is remembered under the lock, and whether that is saved as it is.
  private func remembered(
    else begun: SyncState
  ) throws(StorageError) -> (state: SyncState, isKnown: Bool) {
    guard let state = try store.syncState(), state.place == place else { return (begun, false) }
    return (state, true)
  }

  private func merge(
    _ contents: SyncFolder.Contents,
    _ others: [SyncFolder.Machine],
    _ old: SyncState,
    _ library: Library,
    _ rules: [StoryRule],
  ) throws(StorageError) -> SyncMerge {
    var state = old
    // Rules and feeds that were removed leave their files behind.
    state.forget(
      feeds: try store.place("feeds.plist") == nil,
      rules: try store.place("rules.plist") == nil,
    )
    return try SyncMerge(
      state,
      with: contents.known,
      machines: contents.faults.isEmpty
        ? Dictionary(uniqueKeysWithValues: others.map { ($0.id, $0.seen) }) : nil,
      library: library,
      rules: rules,
      now: context.clock.date,
    )
  }

  /// Has feeds follow where they are followed elsewhere, with their stories; gives how many did.
  private func move(
    _ contents: SyncFolder.Contents,
    _ begun: SyncState,
  ) throws(CommandError) -> Int {
    var library = try store.library()
    library.items = .empty
    let moves = try commandErrors {
      try merge(contents, [], begun, library, try store.rules()).moves
    }
    for (feed, place) in moves {
      let move = SubscriptionMove(
        from: feed,
        to: feed.accountKept(at: place),
        whenKnown: .merge,
        record: context.undoRecord,
      )
      try store.change { library throws(CommandError) in
        (try change(library, by: move, of: feed, to: place, else: begun), ())
      }
    }
    return moves.count
  }

  private func change(
    _ library: Library,
    by move: SubscriptionMove,
    of feed: Subscription,
    to place: String,
    else begun: SyncState,
  ) throws(CommandError) -> LibraryChange {
    var (change, moved) = try move.change(library, now: context.clock.date, nil)
    if !RequestTrust.isOneSite(feed.url, place), !moved.isMerged {
      change.subscriptions = change.subscriptions?.map { $0.url == place ? $0.withoutTrust : $0 }
    }
    var state = try commandErrors { try remembered(else: begun).state }
    state.move(feed, to: place)
    change.sync = SyncSaving(SyncFile(state), isNew: true, in: nil)
    return change
  }
}

extension Subscription {
  /// At a place that other machines say; to another site goes neither the feed's password nor the
  /// leave to be in a private network.
  fileprivate var withoutTrust: Subscription {
    var feed = self
    feed.passwordCommand = nil
    feed.state.isOnInternet = true
    return feed
  }

  fileprivate func accountKept(at place: String) -> String {
    guard RequestTrust.isOneSite(url, place), let account = WebURL.account(of: url) else {
      return place
    }
    return WebURL.adding(account: account, to: place)
  }
}
