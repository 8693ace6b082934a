import CommandLine
import CommandSupport
import FeedModel
import FeedStorage
import FeedSync

extension SyncCommand {
  func add(_ words: [String]) throws -> ExitStatus {
    guard words.count == 2, let name = words.first, let word = words.last else {
      throw usage("say what to call it, and where it is: news sync add NAME DIR")
    }
    guard Verb(rawValue: name) == nil, SyncRemote.isName(name) else {
      throw usage("\(Spelling.quoted(name)): a name is of letters, digits, dots, - and _")
    }
    let remote = try remote(word, name: name)
    let store = try preparedStore()
    for known in try store.syncRemotes() {
      guard known.name != name else {
        throw Failure("there is a \(name) already (`news sync remove \(name)`)")
      }
      guard known.address != remote.address || known.server?.user != remote.server?.user else {
        throw Failure("\(known.name) is that already")
      }
    }
    let run = try run(store)
    let report = run.run(remote)
    guard report.failure == nil else {
      // Merged changes stay; the feeds are asked as before.
      if let server = remote.server { try? store.forgetServer(server.name) }
      tell(report)
      printJSON([report])
      context.say("it was not added")
      return .failed
    }
    try store.changeSyncRemotes { remotes in
      guard !remotes.contains(where: { $0.name == name }) else {
        throw Failure("there is a \(name) already")
      }
      remotes.append(report.remote)
    }
    tell(report)
    tellFolders(after: report, run)
    printJSON([report])
    return report.outcome?.faults.isEmpty == false ? .failed : .done
  }

  func remove(_ names: [String]) throws {
    guard !names.isEmpty else { throw usage("no remote given: news sync remove NAME") }
    let store = try preparedStore()
    let remotes = try store.syncRemotes()
    for name in names where !remotes.contains(where: { $0.name == name }) {
      let hint = Spelling.hint(name, among: remotes.map(\.name))
      throw Failure("\(Spelling.quoted(name)): no remote of that name\(hint)")
    }
    let gone = remotes.filter { names.contains($0.name) }
    for server in gone.compactMap(\.server) {
      try store.forgetServer(server.name)
    }
    try store.changeSyncRemotes { $0.removeAll { names.contains($0.name) } }
    if gone.count == remotes.count { try store.forgetChanges() }
    for remote in gone {
      context.say("\(remote.name): no more")
      if case .folder(let path) = remote.transport, let state = try? store.syncState() {
        context.say("its file stays: \(path)/news-\(state.machine).plist")
      }
    }
  }

  func remote(_ word: String, name: String) throws -> SyncRemote {
    var remote = SyncRemote(name: name, transport: try transport(word, name: name))
    remote.allowsPrivate = context.arguments.has("allow-private")
    return remote
  }

  private func transport(_ word: String, name: String) throws -> SyncRemote.Transport {
    if WebURL.isWeb(word) { return .server(try server(word, name: name)) }
    guard !context.arguments.has("user") else { throw usage("--user is for servers") }
    do {
      if let machine = try RemoteMachine(word) {
        return .machine(host: machine.host, home: machine.home)
      }
    } catch {
      throw usage("\(Spelling.quoted(word)): \(error.line)")
    }
    guard !word.isEmpty else { throw usage("say by way of which folder: news sync DIR") }
    guard let path = LocalPath.absolute(word, in: context.environment.currentFolder())
    else { throw Failure("could not find the current folder") }
    return .folder(path)
  }

  private func server(_ word: String, name: String) throws -> SyncServer {
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
    var server = SyncServer(name: name, url: word, user: user)
    server.passwordCommand = context.arguments.value("password-command")
    server.fetchesStories = context.arguments.has("server-fetches")
    server.interface = try interface()
    return server
  }

  static let interfaceOption = CommandOption(
    "api",
    value: "NAME",
    help: "add: try this API alone: "
      + ServerInterface.all.map(\.name).joined(separator: ", "),
  )

  private func interface() throws -> String? {
    guard let name = context.arguments.value("api") else { return nil }
    let names = ServerInterface.all.map(\.name)
    guard names.contains(name) else {
      throw usage(
        "\(Spelling.quoted(name)) is no API of servers\(Spelling.hint(name, among: names))"
      )
    }
    return name
  }
}

extension SyncRemote {
  fileprivate static func isName(_ name: String) -> Bool {
    let isPlain = name.utf8.allSatisfy { $0.isASCIILetterOrDigit || "._-".utf8.contains($0) }
    return isPlain && (1...64).contains(name.utf8.count) && !name.hasPrefix(".")
      && !name.hasPrefix("-")
  }
}
