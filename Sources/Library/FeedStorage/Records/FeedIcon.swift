internal import FeedModel
internal import System

/// A picture that apps show for a feed, by its bytes: an SVG, which can run scripts, is none.
package struct FeedIcon: Sendable {
  package let bytes: [UInt8]
  package let type: String

  package static let maximumBytes = 64 << 10

  private static let types: [(start: [UInt8], type: String)] = [
    ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "image/png"),
    ([0xFF, 0xD8, 0xFF], "image/jpeg"),
    (Array("GIF87a".utf8), "image/gif"), (Array("GIF89a".utf8), "image/gif"),
    ([0, 0, 1, 0], "image/x-icon"),
  ]

  package init?(_ bytes: [UInt8]) {
    guard bytes.count <= Self.maximumBytes else { return nil }
    let isWebP = bytes.starts(with: "RIFF".utf8) && bytes.dropFirst(8).starts(with: "WEBP".utf8)
    let type =
      isWebP ? "image/webp" : Self.types.first { bytes.starts(with: $0.start) }?.type
    guard let type else { return nil }
    (self.bytes, self.type) = (bytes, type)
  }
}

/// The icons in `icons/`: a file for each feed that was asked for one, empty where none was found.
extension LibraryStore {
  package static func iconName(of feed: String) -> String {
    SHA256.prefix(joining: ["icon", feed]).hexadecimal
  }

  private func iconPath(_ name: String) -> String { "\(path(.icons))/\(name)" }

  package func icon(named name: String) -> FeedIcon? {
    guard let (file, _) = try? OpenFile.reading(iconPath(name)) else { return nil }
    return (try? file.readAll(limit: FeedIcon.maximumBytes)).flatMap { FeedIcon($0) }
  }

  /// Returns the path of an icon; nil without one.
  package func iconPath(named name: String) -> String? {
    let path = iconPath(name)
    return FileStatus(at: path).flatMap { $0.size > 0 ? path : nil }
  }

  package func hasAskedForIcon(of feed: String) -> Bool {
    FileStatus(at: iconPath(Self.iconName(of: feed))) != nil
  }

  /// Saves icons by the URLs of their feeds; an empty one replaces none.
  package func save(icons: [String: [UInt8]], waitAtMost limit: Duration) throws {
    try locked(waitAtMost: limit) {
      for (feed, bytes) in icons where !bytes.isEmpty || !hasAskedForIcon(of: feed) {
        let path = iconPath(Self.iconName(of: feed))
        try AtomicFile(path: path).replaceMakingFolder(bytes)
      }
    }
  }

  /// Removes the icons of feeds that are followed no more.
  package func dropIcons(waitAtMost limit: Duration) throws {
    let names = POSIX.entries(inFolder: path(.icons))
    guard !names.isEmpty else { return }
    let gone = Set(names).subtracting(try read().subscriptions.map { Self.iconName(of: $0.url) })
    guard !gone.isEmpty else { return }
    try locked(waitAtMost: limit) {
      let folder = try OpenFile.folder(path(.icons))
      for name in gone { try folder.remove(name) }
    }
  }
}
