import CommandLine
import FeedStorage

/// Where episodes are saved that nobody names a folder for.
enum DownloadPlace {
  /// `$XDG_DOWNLOAD_DIR/news`, else `news` in the folder that the system has for downloads.
  static func folder(_ environment: Environment) throws(CommandError) -> String {
    if let folder = environment.variable("XDG_DOWNLOAD_DIR"), folder.hasPrefix("/") {
      return LocalPath.normalized(folder + "/news")
    }
    guard let home = environment.variable("HOME"), home.hasPrefix("/") else {
      throw .failed("HOME is not set; say where to save episodes with --to DIR")
    }
    let downloads = environment.isMacOS ? nil : userFolder(environment, home)
    return LocalPath.normalized((downloads ?? home + "/Downloads") + "/news")
  }

  /// What `user-dirs.dirs` of the XDG user directories has: `XDG_DOWNLOAD_DIR="$HOME/Downloads"`.
  private static func userFolder(_ environment: Environment, _ home: String) -> String? {
    let own = environment.variable("XDG_CONFIG_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
    let path = "\(own ?? home + "/.config")/user-dirs.dirs"
    // Where it cannot be read, the usual place counts.
    guard let bytes = try? POSIX.readFile(path, maximumBytes: 64 << 10) else { return nil }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    let key = "XDG_DOWNLOAD_DIR="
    guard let line = lines.last(where: { $0.hasPrefix(key) }) else { return nil }
    let value = line.dropFirst(key.count).filter { $0 != "\"" && $0 != "\\" }
    let folder = value.hasPrefix("$HOME/") ? home + value.dropFirst(5) : value
    return folder.hasPrefix("/") ? folder : nil
  }
}

extension CommandContext {
  /// The folder of `--to`, else the usual one; made where there is none.
  func downloadFolder() throws(CommandError) -> DownloadFolder {
    let path = try downloadPath()
    return try commandErrors { try DownloadFolder(path, of: try store()) }
  }

  func downloadPath() throws(CommandError) -> String {
    guard let word = arguments.value("to") else { return try DownloadPlace.folder(environment) }
    guard !word.isEmpty, let path = LocalPath.absolute(word, in: environment.currentFolder())
    else { throw usage("--to needs a folder: --to DIR") }
    return path
  }
}
