internal import FeedModel

/// A file or folder of the home.
package struct StoreFile: Sendable {
  package enum Kind: Hashable, Sendable {
    case stored
    /// An empty file, locked while somebody is at work.
    case lock
    case folder
  }

  /// The way to mend a damaged file.
  package enum Repair: Sendable {
    /// A command that makes it anew, and loses nothing.
    case command(String)
    /// A backup, or else a command that begins anew.
    case backup(orElse: String)
    /// Nothing misses it.
    case removal
  }

  /// The name, in which `NAME` stands for what differs.
  package let name: String
  package let kind: Kind
  package let meaning: String
  /// The singular of what it holds, such as `rule`; nil where that is not counted.
  package let counted: String?
  package let repair: Repair
  /// Reads it from beginning to end, and returns how much it holds.
  private let examine: (@Sendable (LibraryStore, _ name: String) throws -> Int)?

  private init(
    _ name: String,
    _ meaning: String,
    of counted: String? = nil,
    _ repair: Repair,
    examine: @escaping @Sendable (LibraryStore, String) throws -> Int,
  ) {
    (self.name, kind, self.meaning) = (name, .stored, meaning)
    (self.counted, self.repair, self.examine) = (counted, repair, examine)
  }

  private init(_ name: String, _ kind: Kind, _ meaning: String) {
    (self.name, self.kind, self.meaning) = (name, kind, meaning)
    (counted, repair, examine) = (nil, .removal, nil)
  }

  /// The parts of the name around `NAME`; nil without it.
  private var ends: (before: Substring, behind: Substring)? {
    let parts = name.split(separator: "NAME", omittingEmptySubsequences: false)
    return parts.count == 2 ? (parts[0], parts[1]) : nil
  }

  package var isOne: Bool { ends == nil }

  /// Returns the name of one of the files, with what stands for `NAME`.
  func named(_ part: String) -> String { name.replacing("NAME", with: part) }

  package func isCalled(_ name: String) -> Bool {
    guard let (before, behind) = ends else { return name == self.name }
    return name.count > before.count + behind.count && name.hasPrefix(before)
      && name.hasSuffix(behind)
  }

  /// Reads a file of the home from beginning to end, and throws what is wrong with it.
  ///
  /// - Returns: the number of what it holds, 0 where that is not counted; nil for a lock.
  package func contents(of name: String, in store: LibraryStore) throws -> Int? {
    try examine?(store, name)
  }
}

// MARK: The files

extension StoreFile {
  package static let stories = StoreFile(
    "newsdata.plist",
    "the stories, newest first: an array of dictionaries, each with title, pubDate and link",
    of: "story",
    .backup(orElse: "news refresh"),
    examine: { try $0.examineStories($1) },
  )
  package static let texts = StoreFile("texts", .folder, "whole texts of stories")
  package static let articles = StoreFile(
    "articles",
    .folder,
    "articles of stories' pages, which stand beside those",
  )
  package static let icons = StoreFile(
    "icons",
    .folder,
    "the icons of feeds for apps, fetched once a month; empty files where none was found",
  )
  static let feeds = StoreFile(
    "feeds.plist",
    "the subscriptions, and what the last fetch of each left behind",
    of: "feed",
    .backup(orElse: "news import FILE"),
    examine: { store, _ in
      try SubscriptionsFile(path: store.subscriptionsPath).read().subscriptions.count
    },
  )
  static let rules = StoreFile(
    "rules.plist",
    "the rules and saved searches",
    of: "rule",
    .backup(orElse: "news rules add NAME …"),
    examine: { store, _ in try store.rules().count },
  )
  static let ledger = StoreFile(
    "ledger.plist",
    "the record of runs that asked a feed, the last 10,000",
    of: "run",
    .backup(orElse: "news refresh"),
    examine: { try $0.runs(in: $1).count },
  )
  static let recentRuns = StoreFile(
    "runs.plist",
    "the latest of them, until they are moved there",
    of: "run",
    .backup(orElse: "news refresh"),
    examine: { try $0.runs(in: $1).count },
  )
  static let outlines = StoreFile(
    "outlines.plist",
    "what imported subscription lists had besides their feeds",
    .backup(orElse: "news import FILE"),
    examine: { store, _ in try store.readOutlines() == OutlineDocument() ? 0 : 1 },
  )
  static let browse = StoreFile(
    "browse.plist",
    "where you left `news browse`",
    .backup(orElse: "news browse"),
    examine: { store, _ in try store.browsePlace() == nil ? 0 : 1 },
  )
  static let listings = StoreFile(
    "listings",
    .folder,
    "what the last list of each terminal session numbered, a file a session",
  )
  static let habits = StoreFile(
    "habits.plist",
    "in which hours of the week you look at your stories, and how many of each feed you open",
    .backup(orElse: "news refresh"),
    examine: { store, _ in try store.habits() == nil ? 0 : 1 },
  )
  static let notice = StoreFile(
    "notified.plist",
    "when fetch --notify last showed a notice, and how much is new since",
    .backup(orElse: "news refresh"),
    examine: { store, _ in try store.lastNotice() == nil ? 0 : 1 },
  )
  static let stars = StoreFile(
    "starred.plist",
    "which stories with a star fetch --on-star has told of",
    of: "story",
    .backup(orElse: "news fetch"),
    examine: { store, _ in try store.toldStars()?.count ?? 0 },
  )
  static let sync = StoreFile(
    "sync.plist",
    "what was merged with other machines and servers",
    of: "value",
    // What either side has stays.
    .command("news sync"),
    examine: { store, _ in try store.syncState()?.replica.registers.count ?? 0 },
  )
  static let server = StoreFile(
    "sync-NAME.plist",
    "what the server NAME had when it was merged last",
    of: "story",
    .backup(orElse: "news sync"),
    examine: { try ServerFile.file($0.path($1)).read()?.items.count ?? 0 },
  )
  static let sites = StoreFile(
    "sites.plist",
    "a secret key: by it publish knows the files of a site that are this home's",
    .backup(orElse: "news publish DIR (a new one)"),
    examine: { store, _ in try store.storedSiteKey() == nil ? 0 : 1 },
  )
  static let serving = StoreFile(
    "serving.plist",
    "the hash of the password for `news serve`, and a secret key",
    .backup(orElse: "news serve password"),
    examine: { store, _ in try store.servingAccount() == nil ? 0 : 1 },
  )
  static let remotes = StoreFile(
    "places.plist",
    "what `news sync add` has added, and when it worked",
    of: "remote",
    .backup(orElse: "news sync add NAME DIR"),
    examine: { store, _ in try store.syncRemotes().count },
  )
  static let history = StoreFile(
    "history.plist",
    "the last changes, with what they replaced: for news undo and redo, and for other machines",
    of: "change",
    .removal,
    examine: { store, _ in try store.examineHistory() },
  )
  static let cleared = StoreFile(
    "newsdata.plist.cleared-NAME",
    "the stories that one of these changes took away, for as long",
    of: "story",
    .removal,
    examine: { try $0.examineStories($1) },
  )
  static let unreadable = StoreFile(
    "history.plist.unreadable-NAME",
    "a record of changes that could not be read",
    .removal,
    examine: { _, _ in 0 },
  )
  static let lock = StoreFile("lock", .lock, "locked while news saves; never deleted")
  static let fetchLock = StoreFile(
    "fetch.lock",
    .lock,
    "locked while a run asks all feeds; never deleted",
  )
  static let serveLock = StoreFile(
    "serve.lock",
    .lock,
    "locked while `news serve` answers apps; never deleted",
  )

  package static let all = [
    stories, texts, articles, icons, feeds, rules, ledger, recentRuns, outlines, browse, listings,
    habits, notice, stars, sync, server, sites, serving, remotes, history, cleared, unreadable,
    lock, fetchLock, serveLock,
  ]

  /// The files that a change of the library replaces.
  static let ofLibrary = [stories, feeds, rules, outlines]

  /// Those that are no data, and may lie in the folder for such.
  static let ofState = [browse, listings]
}
