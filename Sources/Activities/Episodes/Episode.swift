package import FeedModel
internal import System

/// A story with a file that can be saved: its first recording, or without one its first enclosure.
package struct Episode: Hashable, Sendable {
  package let story: StoredItem
  package let enclosure: Enclosure
  /// The path that the reader wants for the file, below the folder of downloads and without its
  /// extension; nil stands for `baseName`.
  package var wantedPath: String?

  /// Fails for a story without an enclosure on the web.
  package init?(_ story: StoredItem) {
    let files = story.item.enclosures.filter { WebURL.isWeb($0.url) }
    guard let file = files.first(where: \.plays) ?? files.first else { return nil }
    self.story = story
    enclosure = file
  }

  /// The file's path: `wantedPath` or `baseName`, with an extension.
  ///
  /// Every file system takes its characters, each name has at most 130 bytes, and the extension is
  /// never one of a program.
  package var fileName: String {
    (wantedPath.map(Self.plainPath) ?? Self.baseName(of: story)) + ".\(fileExtension)"
  }

  private static func plainPath(_ path: String) -> String {
    let names = path.split(separator: "/").map { plain(String($0)) }
    return names.isEmpty
      ? untitled : names.map { $0.isEmpty ? untitled : $0 }.joined(separator: "/")
  }

  /// Returns `2026-11-20 Title` for any story: the day (UTC) and the title.
  package static func baseName(of story: StoredItem) -> String {
    let day = (story.item.date ?? story.stored).map { String(RFC3339.string($0).prefix(10)) } ?? ""
    let words = [day, plain(story.item.title)].filter { !$0.isEmpty }.joined(separator: " ")
    return words.isEmpty ? untitled : words
  }

  private static let untitled = "untitled"
  private static let maximumTitleBytes = 110
  /// Characters that Windows' file systems, which many players have, or paths do not allow.
  private static let forbidden = Set<Character>("/\\:*?\"<>|")

  private static func plain(_ title: String) -> String {
    let spaced = String(SafeText.line(title).map { forbidden.contains($0) ? " " : $0 })
    var plain = ""
    for word in spaced.split(separator: " ") {
      for (index, character) in word.enumerated() {
        let next = index == 0 && !plain.isEmpty ? " \(character)" : "\(character)"
        guard plain.utf8.count + next.utf8.count <= maximumTitleBytes else { return ended(plain) }
        plain += next
      }
    }
    return ended(plain)
  }

  /// Returns a name without what no file's name should begin or end with.
  ///
  /// Names that begin with a dot are hidden, those that begin with a dash are options; Windows
  /// drops dots and spaces at the end.
  private static func ended(_ name: String) -> String {
    let start = name.drop { " .-".contains($0) }
    let rest = start.reversed().drop { " .".contains($0) }
    return String(rest.reversed())
  }

  private var fileExtension: String {
    let path = enclosure.url.prefix { $0 != "?" && $0 != "#" }
    let name = path.split(separator: "/").last ?? ""
    if let dot = name.lastIndex(of: ".") {
      let own = name[name.index(after: dot)...].lowercased()
      if Self.types.contains(where: { $0.ends == own }) { return own }
    }
    let type = enclosure.type?.lowercased().prefix { $0 != ";" && $0 != " " } ?? ""
    return Self.types.first { $0.type == type }?.ends ?? "bin"
  }

  /// Types of media, the usual extension of each first.
  private static let types: [(type: String, ends: String)] = [
    ("audio/mpeg", "mp3"), ("audio/mp3", "mp3"), ("audio/mpeg3", "mp3"), ("audio/mp4", "m4a"),
    ("audio/x-m4a", "m4a"), ("audio/m4a", "m4a"), ("audio/x-m4b", "m4b"), ("audio/aac", "aac"),
    ("audio/ogg", "ogg"), ("audio/ogg", "oga"), ("audio/opus", "opus"), ("audio/flac", "flac"),
    ("audio/x-flac", "flac"), ("audio/wav", "wav"), ("audio/x-wav", "wav"), ("audio/webm", "weba"),
    ("video/mp4", "mp4"), ("video/x-m4v", "m4v"), ("video/quicktime", "mov"),
    ("video/webm", "webm"), ("video/ogg", "ogv"), ("video/mpeg", "mpg"),
    ("video/x-matroska", "mkv"), ("video/x-msvideo", "avi"), ("application/ogg", "ogg"),
    ("application/pdf", "pdf"), ("application/epub+zip", "epub"), ("application/zip", "zip"),
    ("application/x-bittorrent", "torrent"), ("image/jpeg", "jpg"), ("image/jpeg", "jpeg"),
    ("image/png", "png"), ("image/gif", "gif"), ("image/webp", "webp"), ("image/avif", "avif"),
    ("text/plain", "txt"),
  ]
}
