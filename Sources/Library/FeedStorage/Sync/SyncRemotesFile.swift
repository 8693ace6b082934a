package import FeedModel
internal import PropertyLists

extension LibraryStore {
  var remotesPath: String { path(.remotes) }
  private static let maximumRemotes = 100

  private var remotesFile: PropertyListFile<[SyncRemote]> {
    PropertyListFile(
      path: remotesPath,
      coding: .array(of: .remote).accepting { $0.count <= Self.maximumRemotes },
      maximumSize: 1 << 20,
      damage: "what it says of a remote is not understood",
    )
  }

  package func syncRemotes() throws -> [SyncRemote] { try remotesFile.read() ?? [] }

  /// Changes the remotes under the lock; an error of `change` changes nothing.
  package func changeSyncRemotes(_ change: (inout [SyncRemote]) throws -> Void) throws {
    try locked {
      let old = try syncRemotes()
      var new = old
      try change(&new)
      guard new != old else { return }
      guard new.count <= Self.maximumRemotes else {
        throw StorageError.refused("there may be no more than \(Self.maximumRemotes) remotes")
      }
      try remotesFile.replace(by: new)
    }
  }
}

extension PropertyListCoding where Value == SyncRemote {
  fileprivate static var remote: Self {
    Self(
      decode: { value in
        guard let dictionary = value.dictionary, var remote = SyncRemote.table.contents(dictionary),
          let transport = SyncRemote.Transport(dictionary, name: remote.name)
        else { return nil }
        remote.transport = transport
        return remote
      },
      encode: { remote in
        var dictionary: PropertyListDictionary = ["name": .string(remote.name)]
        remote.transport.add(to: &dictionary)
        return .dictionary(SyncRemote.table.dictionary(remote, over: dictionary))
      },
    )
  }
}

extension SyncRemote {
  fileprivate static let table: PropertyListTable<SyncRemote> = .init(
    SyncRemote(name: "", transport: .folder("")),
    [
      .init("name", { $1(&$0.name) }, required: .string),
      .init("private", { $1(&$0.allowsPrivate) }, .boolean),
      .init("tried", { $1(&$0.tried) }, .date), .init("done", { $1(&$0.done) }, .date),
      .init("failure", { $1(&$0.failure) }, .string),
      .init("times", { $1(&$0.times) }, .count), .init("sent", { $1(&$0.sent) }, .count),
      .init("taken", { $1(&$0.taken) }, .count),
      .init("told", { $1(&$0.lastSent) }, .serial),
    ],
  )
}

extension SyncRemote.Transport {
  fileprivate init?(_ dictionary: PropertyListDictionary, name: String) {
    if let path = dictionary["folder"]?.string {
      self = .folder(path)
    } else if let host = dictionary["host"]?.string {
      self = .machine(host: host, home: dictionary["home"]?.string)
    } else if var server = SyncServer.table.contents(dictionary) {
      server.name = name
      self = .server(server)
    } else {
      return nil
    }
  }

  fileprivate func add(to dictionary: inout PropertyListDictionary) {
    switch self {
    case .folder(let path): dictionary["folder"] = .string(path)
    case .machine(let host, let home):
      dictionary["host"] = .string(host)
      dictionary["home"] = home.map { .string($0) }
    case .server(let server):
      dictionary = SyncServer.table.dictionary(server, over: dictionary)
    }
  }
}

extension SyncServer {
  fileprivate static let table: PropertyListTable<SyncServer> = .init(
    SyncServer(name: "", url: "", user: ""),
    [
      .init("server", { $1(&$0.url) }, required: .string),
      .init("user", { $1(&$0.user) }, required: .string),
      .init("passwordCommand", { $1(&$0.passwordCommand) }, .string),
      .init("fetches", { $1(&$0.fetchesStories) }, .boolean),
      .init("api", { $1(&$0.interface) }, .string),
    ],
  )
}
