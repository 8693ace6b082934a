package struct StoreFile: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case stored
    /// An empty file, locked while somebody is at work.
    case lock
    case folder
  }

  /// The name, in which `NAME` stands for what differs.
  package let name: String
  package let kind: Kind
  package let meaning: String

  private init(_ name: String, _ kind: Kind, _ meaning: String) {
    (self.name, self.kind, self.meaning) = (name, kind, meaning)
  }

  private init(_ name: String, _ meaning: String) { self.init(name, .stored, meaning) }

  package static let all = [
    StoreFile(
      "newsdata.plist",
      "the stories, newest first: an array of dictionaries, each with title, pubDate and link",
    ),
    StoreFile("texts", .folder, "whole texts of stories"),
    StoreFile("articles", .folder, "articles of stories' pages, which stand beside those"),
    StoreFile("feeds.plist", "the subscriptions, and what the last fetch of each left behind"),
    StoreFile("rules.plist", "the rules and saved searches"),
    StoreFile("ledger.plist", "the record of runs that asked a feed, the last 10,000"),
    StoreFile(RunLedger.recentName, "the latest of them, until they are moved there"),
    StoreFile("outlines.plist", "what imported subscription lists had besides their feeds"),
    StoreFile("browse.plist", "where you left `news browse`"),
    StoreFile(
      "listings",
      .folder,
      "what the last list of each terminal session numbered, a file a session",
    ),
    StoreFile(
      "habits.plist",
      "in which hours of the week you look at your stories, for fetch --due",
    ),
    StoreFile(
      "notified.plist",
      "when fetch --notify last showed a notice, and how much is new since",
    ),
    StoreFile("sync.plist", "what was merged with other machines and servers"),
    StoreFile("changes.plist", "what was changed here since, with the time, to be told to them"),
    StoreFile("sync-NAME.plist", "what the server NAME had when it was merged last"),
    StoreFile(
      "sites.plist",
      "a secret key: by it publish knows the files of a site that are this home's",
    ),
    StoreFile("serving.plist", "the hash of the password for `news serve`, and a secret key"),
    StoreFile("places.plist", "what `news sync add` has added, and when it worked"),
    StoreFile(
      "history.plist",
      "the last changes, with what they replaced: for news undo and redo",
    ),
    StoreFile(
      "newsdata.plist.cleared-NAME",
      "the stories that one of these changes took away, for as long",
    ),
    StoreFile("lock", .lock, "locked while news saves; never deleted"),
    StoreFile("fetch.lock", .lock, "locked while a run asks all feeds; never deleted"),
  ]

  /// The parts of the name around `NAME`; nil without it.
  private var ends: (before: Substring, behind: Substring)? {
    let parts = name.split(separator: "NAME", omittingEmptySubsequences: false)
    return parts.count == 2 ? (parts[0], parts[1]) : nil
  }

  package var isOne: Bool { ends == nil }

  package func isCalled(_ name: String) -> Bool {
    guard let (before, behind) = ends else { return name == self.name }
    return name.count > before.count + behind.count && name.hasPrefix(before)
      && name.hasSuffix(behind)
  }
}
