import CommandLine
import CommandSupport
import Episodes
import FeedModel
import FeedStorage

/// A playlist of saved files (`--playlist FILE`): extended M3U in UTF-8.
struct Playlist {
  let path: String
  private var lines = ["#EXTM3U"]

  static let option = CommandOption(
    "playlist",
    value: "FILE",
    help: "write a playlist (m3u8) of the files, those that are there already among them",
  )

  init?(_ context: CommandContext) throws {
    guard let word = context.arguments.value(Self.option.name) else { return nil }
    guard !word.isEmpty, !word.hasSuffix("/"),
      let path = LocalPath.absolute(word, in: context.environment.currentFolder())
    else { throw context.usage("--playlist needs a file: --playlist FILE") }
    self.path = path
  }

  /// Writes -1 for an unknown duration.
  mutating func add(_ file: String, of episode: Episode, feed: String) {
    let title = [feed, SafeText.line(episode.story.item.title)].filter { !$0.isEmpty }
    let seconds = episode.enclosure.duration ?? -1
    lines += ["#EXTINF:\(seconds),\(title.joined(separator: " - "))", place(of: file)]
  }

  /// Returns the relative path of a file below the playlist, so that both can be moved.
  private func place(of file: String) -> String {
    let folder = FilePath.folder(of: path)
    let start = folder == "/" ? "/" : folder + "/"
    guard file.hasPrefix(start) else { return file }
    let place = String(file.dropFirst(start.count))
    return place.hasPrefix("#") ? "./" + place : place
  }

  /// Replaces a playlist or an empty file, and nothing else.
  func save() throws {
    if let status = FileStatus(at: path), status.kind != .file || status.size > 0 {
      let start = try? POSIX.readFile(path, maximumBytes: 16 << 20).prefix(7)
      guard start.map({ Array($0) == Array("#EXTM3U".utf8) }) ?? false else {
        throw Failure("\(path) is no playlist, and is not replaced")
      }
    }
    let text = lines.map { $0 + "\n" }.joined()
    try AtomicFile(path: path).publish(Array(text.utf8))
  }
}
