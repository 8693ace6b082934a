import FeedModel

/// Folders of an OPML file as tags: the path, with slashes between.
enum FolderTag {
  /// Folders inside one another that a tag can mean; the rest is the name of the last.
  private static let maximumDepth = 32
  /// A folder's name is in the tags of all its feeds.
  private static let maximumCharacters = 100

  static func tag(_ folders: [String]) -> String {
    folders.prefix(maximumDepth).map { folder in
      var name = ""
      let line = SafeText.prefix(SafeText.line(folder), maximumCharacters: maximumCharacters)
      for character in line {
        if character == "/" || character == "\\" { name += "\\" }
        name.append(character)
      }
      return name
    }.joined(separator: "/")
  }

  static func folders(_ tag: String) -> [String] {
    var folders = [""]
    var isEscaped = false
    for character in tag {
      if !isEscaped, character == "\\" {
        isEscaped = true
      } else if !isEscaped, character == "/", folders.count < maximumDepth {
        folders.append("")
      } else {
        folders[folders.count - 1].append(character)
        isEscaped = false
      }
    }
    return folders.filter { !$0.isEmpty }
  }
}
