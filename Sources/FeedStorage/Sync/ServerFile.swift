package import FeedModel
internal import PropertyLists
internal import System

/// What a home remembers of a server, `sync-NAME.plist`.
///
/// A dictionary with the stories as data, 37 bytes each, and the feeds as an array of dictionaries. No
/// password, and nothing that takes the place of one, is in it.
package struct ServerFile: Sendable {
  package let name: String
  package let state: ServerState

  static let version = 1
  private static let itemSize = 37

  package init(_ name: String, _ state: ServerState) {
    (self.name, self.state) = (name, state)
  }

  /// Names of files are made of letters, digits and dashes, however servers are called.
  static func fileName(_ name: String) -> String {
    let isPlain = name.utf8.allSatisfy { $0.isASCIILetterOrDigit || $0 == 0x2D }
    let plain = isPlain && 1...64 ~= name.utf8.count
    return "sync-\(plain ? name : SHA256.prefix(joining: ["server", name]).hexadecimal).plist"
  }

  init?(_ name: String, path: String) throws(StorageError) {
    guard let (reader, _) = try LibraryStore.reader(path) else { return nil }
    let value = try ItemTable.reading(path) { () throws(PropertyListError) in
      try reader.value(reader.root)
    }
    guard let root = value.dictionary, let account = root["account"]?.string else {
      throw .damaged(path: path, reason: "it does not say of which account it is")
    }
    let version = Int(root["version"]?.integer ?? 1)
    guard version <= Self.version else {
      throw .newerVersion(path: path, version: version, supported: Self.version)
    }
    self.name = name
    var state = ServerState(account: account)
    state.serial = root["serial"]?.asCount ?? 0
    state.merged = UInt64(clamping: root["merged"]?.integer ?? 0)
    state.root = root["root"]?.string
    state.user = root["user"]?.string
    state.synced = root["synced"]?.asDate
    state.items = try Self.items(root["items"], path)
    for value in (root["feeds"]?.array ?? []).compactMap(\.dictionary) {
      if let url = value["url"]?.string, let feed = ServerFeed(value) { state.feeds[url] = feed }
    }
    for value in (root["refused"]?.array ?? []).compactMap(\.dictionary) {
      if let url = value["url"]?.string { state.refused[url] = value["date"]?.asDate }
    }
    self.state = state
  }

  private static func items(
    _ value: PropertyListValue?,
    _ path: String,
  ) throws(StorageError) -> [ServerItemID: ServerItem] {
    guard let value else { return [:] }
    guard case .data(let bytes) = value, bytes.count % itemSize == 0 else {
      throw .damaged(path: path, reason: "its stories are cut short")
    }
    var items = [ServerItemID: ServerItem](minimumCapacity: bytes.count / itemSize)
    for start in stride(from: 0, to: bytes.count, by: itemSize) {
      let flags = bytes[start + 36]
      var item = ServerItem(isRead: flags & 1 > 0, isStarred: flags & 2 > 0)
      item.story = bytes.number(at: start + 12, width: 8)
      item.link = bytes.number(at: start + 20, width: 8)
      item.title = bytes.number(at: start + 28, width: 8)
      let high = UInt32(bytes.number(at: start, width: 4))
      items[ServerItemID(high: high, low: bytes.number(at: start + 4, width: 8))] = item
    }
    return items
  }

  var bytes: [UInt8] {
    var items: [UInt8] = []
    items.reserveCapacity(state.items.count * Self.itemSize)
    for (id, item) in state.items.sorted(by: { $0.key < $1.key }) {
      items.append(UInt64(id.high), width: 4)
      for number in [id.low, item.story, item.link, item.title] { items.append(number, width: 8) }
      items.append((item.isRead ? 1 : 0) | (item.isStarred ? 2 : 0))
    }
    var root: PropertyListDictionary = [
      "version": .integer(Int64(Self.version)), "account": .string(state.account),
      "serial": .integer(Int64(state.serial)), "merged": .integer(Int64(clamping: state.merged)),
      "items": .data(items),
    ]
    root["root"] = state.root.map { .string($0) }
    root["user"] = state.user.map { .string($0) }
    root["synced"] = .date(state.synced)
    root["feeds"] = .array(
      state.feeds.sorted { $0.key < $1.key }.map { .dictionary($1.dictionary($0)) }
    )
    root["refused"] = .array(
      state.refused.sorted { $0.key < $1.key }.map { url, date in
        .dictionary(["url": .string(url), "date": .date(date.timeIntervalSinceReferenceDate)])
      }
    )
    return PropertyList.encode(.dictionary(root))
  }
}

extension ServerFeed {
  fileprivate init?(_ dictionary: PropertyListDictionary) {
    guard let stream = dictionary["stream"]?.string else { return nil }
    self.init(
      stream: stream,
      title: dictionary["title"]?.string,
      tags: dictionary["tags"]?.asStrings ?? [],
      serverTitle: dictionary["serverTitle"]?.string ?? "",
      serverTags: dictionary["serverTags"]?.asStrings ?? [],
    )
  }

  fileprivate func dictionary(_ url: String) -> PropertyListDictionary {
    var dictionary: PropertyListDictionary = [
      "url": .string(url), "stream": .string(stream), "serverTitle": .string(serverTitle),
    ]
    dictionary["title"] = title.map { .string($0) }
    dictionary["tags"] = .strings(tags)
    dictionary["serverTags"] = .strings(serverTags)
    return dictionary
  }
}

extension LibraryStore {
  /// nil for a server that nothing is known of yet.
  package func serverState(_ name: String) throws(StorageError) -> ServerState? {
    try ServerFile(name, path: path(ServerFile.fileName(name)))?.state
  }

  /// Comes behind what was merged: a home that does not know that it was merged is merged again.
  func save(_ file: ServerFile) throws(StorageError) {
    try AtomicFile(path: path(ServerFile.fileName(file.name))).replace(file.bytes)
  }

  /// Forgets a server, and that it fetches feeds: they are asked again.
  package func forgetServer(_ name: String) throws(StorageError) {
    try update { library throws(StorageError) in
      var feeds = library.subscriptions
      for place in feeds.indices where feeds[place].state.server == name {
        feeds[place].state.server = nil
      }
      return (LibraryChange(subscriptions: feeds), ())
    }
    try locked { () throws(StorageError) in
      try AtomicFile(path: path(ServerFile.fileName(name))).delete()
    }
  }
}
