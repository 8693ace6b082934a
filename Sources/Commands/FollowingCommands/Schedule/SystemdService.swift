import CommandLine
package import CommandSupport
import FeedModel
import FeedStorage

/// A service that a timer or a socket of systemd's user manager starts (systemd.exec(5)).
///
/// Filters of system calls and sockets stand around every fetch. What else systemd can take away
/// needs a user namespace: without `PrivateUsers=` a manager before version 254 passes it over, or
/// starts nothing (status 218). In a user namespace root's files seem to be nobody's, so that ssh
/// refuses its settings ("Bad owner or permissions"), and the user's folders are closed to what the
/// user's commands write. So only what starts no program of theirs is closed, by a manager that can
/// do so.
package enum SystemdService {
  /// Returns true if a service of that text runs in a user namespace of its own.
  static func isClosed(_ text: String) -> Bool { text.contains("\nPrivateUsers=yes\n") }

  /// A command that succeeds where the manager can close a service.
  static let question =
    ["systemd-run", "--user", "--wait", "--collect", "--quiet"]
    + closing.map { "--property=\($0)" } + ["true"]

  private static let closing = [
    "PrivateUsers=yes", "CapabilityBoundingSet=", "ProtectSystem=strict", "ProtectHome=read-only",
    "ProtectProc=invisible", "PrivateDevices=yes", "ProtectClock=yes", "ProtectControlGroups=yes",
    "ProtectHostname=yes", "ProtectKernelLogs=yes", "ProtectKernelModules=yes",
    "ProtectKernelTunables=yes",
  ]

  /// Returns the text of the file of a service that runs the program and arguments of `words`.
  ///
  /// `mark` is the text of the first line, which says whose file it is; `unit` and `lines` go into
  /// the sections `Unit` and `Service`.
  package static func text(
    _ context: CommandContext,
    _ words: [String],
    mark: String,
    unit: [String],
    lines: [String],
    startsPrograms: Bool,
  ) -> String {
    let needs = (try? context.store())?.needs()
    // Without a manager here, the text is for another machine.
    let isClosable = !SystemdTimer(context).isThere || context.answer(question) != nil
    let isClosed = !startsPrograms && isClosable
    let closing = isClosed ? Self.closing + reach(needs, words, context) : []
    return """
      # \(mark)
      [Unit]
      \(unit.joined(separator: "\n"))

      [Service]
      \(lines.joined(separator: "\n"))
      ExecStart=\(words.map(word).joined(separator: " "))
      UMask=0077
      MemoryMax=1G
      NoNewPrivileges=yes
      LockPersonality=yes
      RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
      RestrictNamespaces=yes
      RestrictRealtime=yes
      RestrictSUIDSGID=yes
      SystemCallArchitectures=native
      SystemCallFilter=@system-service
      SystemCallFilter=seccomp landlock_create_ruleset landlock_add_rule landlock_restrict_self
      SystemCallErrorNumber=EPERM
      \(closing.map { $0 + "\n" }.joined())
      """
  }

  /// Returns true if a fetch may start programs; a home that nobody can read may have any.
  static func startsPrograms(_ needs: HomeNeeds?, _ words: [String] = []) -> Bool {
    guard let needs else { return true }
    let hasMachine = needs.remotes.contains {
      if case .machine = $0.transport { true } else { false }
    }
    return hasMachine || needs.notifies || !needs.commands.isEmpty || !needs.remoteCommands.isEmpty
      || !needs.documentCommands.isEmpty
      || words.contains { word in
        ["--on-new", "--on-star", "--notify", MeteredNetwork.option.spelling].contains(
          where: word.hasPrefix
        )
      }
  }

  /// Returns settings that open the folders to write to: the home, and those that it names.
  ///
  /// Missing folders are passed over. `/tmp` stays visible where something that is needed is in
  /// one.
  private static func reach(
    _ needs: HomeNeeds?,
    _ words: [String],
    _ context: CommandContext,
  ) -> [String] {
    guard let needs, let store = try? context.store() else { return [] }
    var folders = [store.home] + store.linkedFolders()
    for remote in needs.remotes {
      if case .folder(let path) = remote.transport { folders.append(path) }
    }
    if needs.savesEpisodes, let folder = try? context.downloadPath() {
      // The download reports why the folder cannot be made.
      _ = try? DownloadFolder(folder, of: store)
      folders.append(folder)
    }
    let named = folders + needs.files + words
    return [
      "ReadWritePaths=\(folders.map { path("-" + $0) }.joined(separator: " "))",
      "PrivateTmp=\(named.contains { $0.contains("/tmp") } ? "no" : "yes")",
    ]
  }

  /// Quotes a path in `ReadWritePaths=`, which knows no variables.
  static func path(_ text: String) -> String {
    word(text).replacing("$$", with: "$")
  }

  /// Quotes a word of `ExecStart=`, so that systemd expands nothing in it.
  private static func word(_ text: String) -> String {
    var word = ""
    for character in text {
      switch character {
      case "%", "$": word += "\(character)\(character)"
      case "\\", "\"": word += "\\\(character)"
      default: word.append(character)
      }
    }
    return "\"\(word)\""
  }
}
