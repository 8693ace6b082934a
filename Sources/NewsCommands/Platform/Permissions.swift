import CommandLine
import FeedModel
import FeedStorage
import FeedSync
import FeedUpdating

/// What a command needs besides the home and the system's own files, once it reads what strangers
/// wrote: feeds and pages, other machines' files, texts that are stored.
struct Permissions: Sendable {
  /// Files, and folders with all that is below them.
  var reads: [String] = []
  /// Folders.
  var writes: [String] = []
  /// The user's own commands.
  var commands: [RunnableCommand] = []
  /// Feeds that are files, which programs may replace at any time.
  var feeds: [String] = []
  var home = HomeAccess.changes

  enum HomeAccess: Sendable {
    case none
    case changes
    /// It is made where there is none.
    case makes
  }
}

extension CommandContext {
  /// The same with the rights that `permissions` leave; how that went is in its environment.
  func confined(to permissions: Permissions) -> CommandContext {
    // Whoever needs a home says that there is none.
    let store = permissions.home == .none ? nil : try? store()
    if permissions.home == .makes { try? store?.prepareHome() }
    var confinement = Confinement()
    confinement.readable = systemFiles + permissions.reads + permissions.feeds
    confinement.writable = permissions.writes
    confinement.devices = SystemFiles.devices + [terminalDevice].compactMap(\.self)
    if let store {
      confinement.writable += [store.home] + store.linkedFolders()
      confinement.temporaryFolder = store.home
    }
    var context = self
    let confine = environment.confine
    context.environment.confinement = confine(confinement, permissions.commands, permissions.feeds)
    return context
  }

  /// What fetching, and the libraries that are loaded when they are needed, read of this machine.
  private var systemFiles: [String] {
    let named = ["CURL_CA_BUNDLE", "SSL_CERT_FILE", "SSL_CERT_DIR", "TZDIR"]
    let libraries = (environment.variable("LD_LIBRARY_PATH") ?? "").split(separator: ":")
    let folders = named.compactMap { environment.variable($0) } + libraries.map(String.init)
    let resolver = FilePath.folder(of: POSIX.resolved("/etc/resolv.conf"))
    return SystemFiles.readable + [resolver] + folders.filter { $0.hasPrefix("/") }
      + [environment.variable("HOME").map { $0 + "/.netrc" }].compactMap(\.self)
  }

  /// The table view opens its terminal once more.
  private var terminalDevice: String? {
    environment.terminal.isOutputTerminal ? ttyname(1).map { String(cString: $0) } : nil
  }
}

private enum SystemFiles {
  /// Programs' files, settings, certificates, names of hosts and users; processors; sessions, of which
  /// a process that is confined cannot read more than their numbers.
  static let readable = [
    "/usr", "/lib", "/lib32", "/lib64", "/libx32", "/etc", "/opt", "/nix/store", "/gnu/store",
    "/run/systemd/resolve", "/run/current-system", "/var/lib/ca-certificates", "/var/lib/sss",
    "/etc/hosts", "/etc/nsswitch.conf", "/etc/localtime", "/etc/ssl/certs",
    "/proc", "/sys/devices/system/cpu",
  ]

  static let devices = [
    "/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty",
  ]
}

extension Permissions {
  /// What the home names: passwords' commands, feeds that are files, what to synchronize with.
  mutating func add(_ needs: HomeNeeds, _ context: CommandContext) {
    commands += needs.commands.map { RunnableCommand(shell: $0) }
    commands += needs.documentCommands.map { RunnableCommand(DocumentCommand.words($0)) }
    feeds += needs.fileFeeds.compactMap { LocalPath.path(ofFileURL: $0) }
    for remote in needs.remotes { add(remote, context) }
  }

  mutating func add(_ remote: SyncRemote, _ context: CommandContext) {
    switch remote.transport {
    case .folder(let path): writes.append(path)
    case .machine(let host, let home):
      let machine = RemoteMachine(host: host, home: home)
      let sharesStories = remote.sharesStories || context.arguments.has("stories")
      commands.append(
        RunnableCommand(
          machine.words(
            sharesStories: sharesStories,
            consent: SyncConsent(context.arguments) ?? .asked,
            mayAsk: context.environment.terminal.canAsk,
          )
        )
      )
    case .server(let server):
      commands += [server.passwordCommand].compactMap(\.self).map { RunnableCommand(shell: $0) }
    }
  }

  /// What operands name that are files.
  mutating func add(files words: [String], _ context: CommandContext) {
    for word in words {
      if case .file(let path)? = try? context.source(word) { feeds.append(path) }
    }
  }
}

extension CommandContext {
  /// What asking the feeds and servers of the home needs, and those that the words name.
  func permissionsToAsk(
    _ home: Permissions.HomeAccess = .changes,
    savingEpisodes: Bool = false,
  ) -> Permissions {
    var permissions = Permissions(home: home)
    permissions.add(files: arguments.operands, self)
    permissions.reads += RequestHeaders.files(self)
    permissions.commands += ["password-command", "header-command"]
      .compactMap { arguments.value($0) }.map { RunnableCommand(shell: $0) }
    permissions.commands += ["command", "filter"]
      .compactMap { arguments.value($0) }.map { RunnableCommand(DocumentCommand.words($0)) }
    // Whoever needs a home says that there is none.
    guard let store = try? store() else { return permissions }
    let needs = store.needs()
    permissions.add(needs, self)
    if savingEpisodes, needs.savesEpisodes { permissions.addDownloads(of: store, self) }
    return permissions
  }
}

extension Permissions {
  /// The folder for episodes, which is made where there is none.
  mutating func addDownloads(of store: LibraryStore, _ context: CommandContext) {
    guard let folder = try? context.downloadPath() else { return }
    // Whoever needs it says why it cannot be made.
    _ = try? DownloadFolder(folder, of: store)
    writes.append(folder)
  }
}

/// A command that prints or filters a feed's document.
enum DocumentCommand {
  /// Its words; no shell reads it that it does not name.
  static func words(_ command: String) -> [String] { ShellWord.split(command).words }
}
