import CommandLine
package import FeedStorage

extension CommandContext {
  /// Returns the folder of `--to`, else the usual one; creates it.
  ///
  /// Whatever saves a file goes by the defaults of `download`.
  package func downloadFolder() throws -> DownloadFolder {
    let path = try downloadPath()
    return try DownloadFolder(path, of: try store())
  }

  package func downloadPath() throws -> String {
    guard let word = arguments.value("to") ?? defaultFolder else {
      return try environment.downloadsFolder()
    }
    guard !word.isEmpty, let path = LocalPath.absolute(word, in: environment.currentFolder())
    else { throw usage("--to needs a folder: --to DIR") }
    return path
  }

  private var defaultFolder: String? {
    environment.program.withDefaults(["download"] + passedOn, environment).value("to")
      .flatMap { $0.isEmpty ? nil : $0 }
  }
}

extension Environment {
  /// Returns `$XDG_DOWNLOAD_DIR/news`, else `news` in the user's folder for downloads.
  ///
  /// Fails where `HOME` is needed and not set.
  func downloadsFolder() throws -> String {
    if let folder = variable("XDG_DOWNLOAD_DIR"), folder.hasPrefix("/") {
      return LocalPath.normalized(folder + "/news")
    }
    guard let usual = userFile("Downloads") else {
      throw Failure("HOME is not set; say where to save episodes with --to DIR")
    }
    return LocalPath.normalized((isMacOS ? usual : namedDownloads ?? usual) + "/news")
  }

  /// The folder that `user-dirs.dirs` names (`XDG_DOWNLOAD_DIR="$HOME/Downloads"`).
  private var namedDownloads: String? {
    guard let folder = userFolder("XDG_CONFIG_HOME", or: ".config"),
      let bytes = try? POSIX.readFile(folder + "/user-dirs.dirs", maximumBytes: 64 << 10)
    else { return nil }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    let key = "XDG_DOWNLOAD_DIR="
    guard let line = lines.last(where: { $0.hasPrefix(key) }) else { return nil }
    let value = line.dropFirst(key.count).filter { $0 != "\"" && $0 != "\\" }
    if value.hasPrefix("$HOME/") { return userFile(String(value.dropFirst(6))) }
    return value.hasPrefix("/") ? value : nil
  }
}
