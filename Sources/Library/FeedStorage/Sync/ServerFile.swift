package import FeedModel
internal import PropertyLists
internal import System

/// The saved state of a server, `sync-NAME.plist`.
///
/// A dictionary with the stories as data, 37 bytes each, those that have a label by its name, 12
/// bytes each, and the feeds as an array of dictionaries. It has no password, and nothing that
/// takes the place of one.
package struct ServerFile: Sendable {
  package let name: String
  package let state: ServerState

  static let version = 1

  package init(_ name: String, _ state: ServerState) {
    (self.name, self.state) = (name, state)
  }

  /// The file's name, made of letters, digits and dashes, or of a hash if the server's name has
  /// others.
  static func fileName(_ name: String) -> String {
    let isPlain = name.utf8.allSatisfy { $0.isASCIILetterOrDigit || $0 == 0x2D }
    return StoreFile.server.named(
      isPlain && 1...64 ~= name.utf8.count
        ? name : SHA256.prefix(joining: ["server", name]).hexadecimal
    )
  }

  static func file(_ path: String) -> PropertyListFile<ServerState> {
    PropertyListFile(
      path: path,
      coding: .dictionary(ServerState.table),
      version: version,
      damage: "what it says of the account, or of its stories, is not understood",
    )
  }
}

extension ServerState {
  fileprivate static let table: PropertyListTable<ServerState> = .init(
    ServerState(account: ""),
    [
      .version { _ in ServerFile.version },
      .init("account", { $1(&$0.account) }, required: .string),
      .init("serial", { $1(&$0.serial) }, always: .count),
      .init("merged", { $1(&$0.merged) }, always: .number),
      .init("told", { $1(&$0.told) }, .byMachine(.exactSerial)),
      .init("items", { $1(&$0.items) }, required: .items),
      .init("labels", { $1(&$0.labels) }, .labels),
      .init("root", { $1(&$0.root) }, .string), .init("user", { $1(&$0.user) }, .string),
      .init("synced", { $1(&$0.synced) }, .date), .init("newest", { $1(&$0.newest) }, .date),
      .init("feeds", { $1(&$0.feeds) }, always: .list(of: ServerFeed.table, by: "url")),
      .init("refused", { $0.visit(\.isOfFeed, $1) }, always: .refusals(of: refusal, by: "url")),
      .init("refusedMarks", { $0.visit(\.isOfStory, $1) }, .refusals(of: refusal, by: "mark")),
    ],
  )

  private mutating func visit(
    _ isOfKind: (ServerChange) -> Bool,
    _ visit: (inout [ServerChange: ServerRefusal]) -> Void,
  ) {
    var part = refusals.filter { isOfKind($0.key) }
    visit(&part)
    refusals.merge(part) { $1 }
  }

  /// The table of refusals.
  ///
  /// Earlier versions wrote the date alone, of feeds that the server would not follow.
  private static let refusal: PropertyListTable<ServerRefusal> = .init(
    ServerRefusal(date: .distantPast),
    [
      .init("date", { $1(&$0.date) }, required: .date),
      .init("times", { $1(&$0.times) }, .count),
      .init("reason", { $1(&$0.reason) }, .line), .init("change", { $1(&$0.change) }, .line),
      .init("wish", { $1(&$0.wish) }, .number),
    ],
  )
}

extension ServerFeed {
  fileprivate static let table: PropertyListTable<ServerFeed> = .init(
    ServerFeed(stream: "", title: nil, tags: [], serverTitle: "", serverTags: []),
    [
      .init("stream", { $1(&$0.stream) }, required: .string),
      .init("serverTitle", { $1(&$0.serverTitle) }, always: .string),
      .init("title", { $1(&$0.title) }, .string), .init("tags", { $1(&$0.tags) }, .strings),
      .init("serverTags", { $1(&$0.serverTags) }, .strings),
      .init("titleOpen", { $1(&$0.isTitleOpen) }, .boolean),
    ],
  )
}

/// A story of a server with its id, in 37 bytes.
private struct ServerItemRecord: PackedRecord {
  var id = ServerItemID()
  var item = ServerItem(isRead: false, isStarred: false)

  mutating func visit(_ fields: inout PackedFields) {
    id.visit(&fields)
    fields(&item.story)
    fields(&item.link)
    fields(&item.title)
    var flags: UInt8 = (item.isRead ? 1 : 0) | (item.isStarred ? 2 : 0)
    fields(&flags)
    (item.isRead, item.isStarred) = (flags & 1 > 0, flags & 2 > 0)
  }
}

extension ServerItemID: PackedRecord {
  init() { self.init(low: 0) }

  mutating func visit(_ fields: inout PackedFields) {
    fields(&high)
    fields(&low)
  }
}

extension PropertyListCoding where Value == [ServerItemID: ServerItem] {
  fileprivate static var items: Self {
    PropertyListCoding<[ServerItemRecord]>.records().map(
      { Dictionary($0.map { ($0.id, $0.item) }, uniquingKeysWith: { $1 }) },
      back: { items in
        items.sorted { $0.key < $1.key }.map { ServerItemRecord(id: $0.key, item: $0.value) }
      },
    )
  }
}

extension PropertyListCoding where Value == ServerLabels {
  fileprivate static var labels: Self {
    PropertyListCoding<[String: [ServerItemID]]>.dictionary(of: .records()).map(
      { ServerLabels($0.mapValues { Set($0) }) },
      back: { $0.stories.mapValues { $0.sorted() } },
    )
  }
}

extension LibraryStore {
  package func serverState(_ name: String) throws -> ServerState? {
    try ServerFile.file(path(ServerFile.fileName(name))).read()
  }

  package func serverStates() throws -> [(name: String, state: ServerState)] {
    var states: [(String, ServerState)] = []
    for server in try syncRemotes().compactMap(\.server) {
      if let state = try serverState(server.name) { states.append((server.name, state)) }
    }
    return states
  }

  /// Saves the state after what was merged: a home that does not know of its merge merges again.
  func save(_ file: ServerFile) throws {
    try ServerFile.file(path(ServerFile.fileName(file.name))).replace(by: file.state)
  }

  package func forgetServer(_ name: String) throws {
    try update { library in
      var feeds = library.subscriptions
      for index in feeds.indices where feeds[index].state.server == name {
        feeds[index].state.server = nil
      }
      return (LibraryChange(subscriptions: feeds), ())
    }
    try locked {
      try AtomicFile(path: path(ServerFile.fileName(name))).delete()
    }
  }
}
