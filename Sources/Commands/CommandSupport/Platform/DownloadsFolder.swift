internal import CommandLine
internal import System

enum DownloadsFolder {
  /// Returns `$XDG_DOWNLOAD_DIR/news`, else `news` in the user's folder for downloads.
  ///
  /// Fails where `HOME` is needed and not set.
  static func folder(_ variable: (String) -> String?, isMacOS: Bool) throws -> String {
    if let folder = variable("XDG_DOWNLOAD_DIR"), folder.hasPrefix("/") {
      return LocalPath.normalized(folder + "/news")
    }
    guard let home = variable("HOME"), home.hasPrefix("/") else {
      throw Failure("HOME is not set; say where to save episodes with --to DIR")
    }
    let downloads = isMacOS ? nil : userFolder(variable, home)
    return LocalPath.normalized((downloads ?? home + "/Downloads") + "/news")
  }

  /// Returns the folder that `user-dirs.dirs` names (`XDG_DOWNLOAD_DIR="$HOME/Downloads"`).
  private static func userFolder(
    _ variable: (String) -> String?,
    _ home: String,
  ) -> String? {
    let own = variable("XDG_CONFIG_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
    let path = "\(own ?? home + "/.config")/user-dirs.dirs"
    guard let bytes = try? POSIX.readFile(path, maximumBytes: 64 << 10) else { return nil }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    let key = "XDG_DOWNLOAD_DIR="
    guard let line = lines.last(where: { $0.hasPrefix(key) }) else { return nil }
    let value = line.dropFirst(key.count).filter { $0 != "\"" && $0 != "\\" }
    let folder = value.hasPrefix("$HOME/") ? home + value.dropFirst(5) : value
    return folder.hasPrefix("/") ? folder : nil
  }
}
