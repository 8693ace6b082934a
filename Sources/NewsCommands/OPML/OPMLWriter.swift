import FeedModel

/// Subscriptions as OPML 2.0: tags as nested folders, what other readers wrote kept.
struct OPMLWriter {
  /// When the list is written, as RFC 822 has it.
  let created: String

  /// A folder, and what is in it, in the user's order.
  private struct Folder {
    var name: String
    var folders: [Folder] = []
    var feeds: [Subscription] = []

    mutating func add(_ feed: Subscription, at path: ArraySlice<String>) {
      guard let first = path.first else {
        feeds.append(feed)
        return
      }
      let place = folders.firstIndex { $0.name == first } ?? folders.endIndex
      if place == folders.endIndex { folders.append(Folder(name: first)) }
      folders[place].add(feed, at: path.dropFirst())
    }
  }

  /// The document, line by line.
  func lines(_ subscriptions: [Subscription]) -> [String] {
    var root = Folder(name: "")
    for subscription in subscriptions {
      // A feed with several tags is in several folders, as other readers have it.
      let paths = subscription.tags.map(FolderTag.folders).filter { !$0.isEmpty }
      for path in paths.isEmpty ? [[]] : paths { root.add(subscription, at: path[...]) }
    }
    let head = [
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<opml version=\"2.0\">", "  <head>",
      "    <title>Subscriptions</title>", "    <dateCreated>\(created)</dateCreated>", "  </head>",
      "  <body>",
    ]
    return head + Self.lines(root, depth: 2) + ["  </body>", "</opml>"]
  }

  private static func lines(_ folder: Folder, depth: Int) -> [String] {
    let indent = String(repeating: "  ", count: depth)
    var lines = folder.feeds.map { indent + outline($0) }
    for inner in folder.folders {
      let name = XMLText.attribute(inner.name)
      lines.append("\(indent)<outline text=\"\(name)\" title=\"\(name)\">")
      lines += Self.lines(inner, depth: depth + 1)
      lines.append("\(indent)</outline>")
    }
    return lines
  }

  private static func outline(_ feed: Subscription) -> String {
    var attributes = [
      ("type", "rss"), ("text", feed.displayTitle),
      ("title", feed.attributes["title"] ?? feed.displayTitle), ("xmlUrl", feed.url),
    ]
    if let link = feed.state.link { attributes.append(("htmlUrl", link)) }
    let others = feed.attributes.filter { $0.key != "title" && XMLText.isName($0.key) }
    attributes += others.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    let text = attributes.map { " \($0.0)=\"\(XMLText.attribute($0.1))\"" }.joined()
    return "<outline\(text)/>"
  }
}
