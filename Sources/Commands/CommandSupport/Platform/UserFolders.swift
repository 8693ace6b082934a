package import FeedStorage

extension Environment {
  /// Returns the folder that a variable names, or else one in the user's own; nil without either.
  ///
  /// A relative path counts as none (XDG Base Directory Specification).
  package func userFolder(_ variable: String, or path: String) -> String? {
    if let folder = self.variable(variable), folder.hasPrefix("/") { return folder }
    return userFile(path)
  }

  /// Returns a path in the user's own folder; nil where that is unknown.
  package func userFile(_ path: String) -> String? {
    variable("HOME").flatMap { $0.hasPrefix("/") ? LocalPath.normalized("\($0)/\(path)") : nil }
  }

  /// The folder with what the reader writes for `news`.
  private var settingsFolder: String? {
    isMacOS
      ? userFile("Library/Application Support/news")
      : userFolder("XDG_CONFIG_HOME", or: ".config").map { LocalPath.normalized("\($0)/news") }
  }

  /// The path of the keys for the table view.
  package var keysPath: String? { settingsFolder.map { $0 + "/keys" } }

  /// The path of the options that are put before those of each command line.
  package var defaultsPath: String? {
    guard let named = namedDefaults else { return settingsFolder.map { $0 + "/defaults" } }
    return LocalPath.absolute(named, in: currentFolder())
  }

  /// The name of another file for them, in `NEWS_DEFAULTS`.
  package var namedDefaults: String? { variable("NEWS_DEFAULTS").flatMap { $0.isEmpty ? nil : $0 } }

  /// Returns the folder for what is no data of a home; nil on macOS, where a home has all.
  ///
  /// It is for no new home in another user's folder: root's folders there would be closed to him.
  package func stateFolder(isForNewHome: Bool) -> StateFolder? {
    guard !isMacOS, let folder = userFolder("XDG_STATE_HOME", or: ".local/state") else {
      return nil
    }
    let isOwn = userFile(".").flatMap { FileStatus(at: $0)?.owner } == geteuid()
    return StateFolder(
      path: LocalPath.normalized("\(folder)/news"),
      isForNewHome: isForNewHome && isOwn,
    )
  }

  /// Returns a path as a shell takes it, with `~` for the user's own folder.
  package func shortened(_ path: String) -> String {
    guard let home = userFile("."), home != "/", path.hasPrefix(home + "/") else { return path }
    return "~" + path.dropFirst(home.count)
  }
}
