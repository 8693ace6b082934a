package import FeedModel
internal import System

extension OutlineElement {
  /// True of a folder that has its name as text, and no attributes yet.
  var isNewFolder: Bool { feed == nil && isOutline && !text.isEmpty }

  private var folderName: String? {
    guard feed == nil, isOutline else { return nil }
    return isNewFolder ? text : displayTitle
  }

  /// Returns the names of the folders around its children, given those around it.
  package func folders(in outer: [String]) -> [String] {
    folderName.map { outer + [$0] } ?? outer
  }

  /// The part by which two lists have the same element: a feed's URL, a folder's name, or all but
  /// the children of another element.
  fileprivate var identity: OutlineElement {
    if let feed { return OutlineElement(feed: feed) }
    if let folderName { return OutlineElement(text: folderName) }
    var identity = self
    identity.children = []
    return identity
  }
}

extension [OutlineElement] {
  private struct Key: Hashable {
    let identity: OutlineElement
    /// Keeps apart folders of one name, and other elements that are there more than once.
    var number = 0
  }

  private var keys: [Key] {
    var counts: [OutlineElement: Int] = [:]
    return map { element in
      let identity = element.identity
      guard element.feed == nil, !element.isNewFolder else { return Key(identity: identity) }
      defer { counts[identity, default: 0] += 1 }
      return Key(identity: identity, number: counts[identity] ?? 0)
    }
  }

  /// Returns the elements with those of another list, whose attributes replace theirs.
  func merged(with others: [OutlineElement]) -> [OutlineElement] {
    guard !others.isEmpty else { return self }
    var merged = self
    var indices = Dictionary(zip(keys, self.indices)) { $1 }
    var inner: [Int: [OutlineElement]] = [:]
    for (key, var element) in zip(others.keys, others) {
      let index = indices[key] ?? merged.count
      inner[index, default: []] += element.children
      element.children = []
      if index == merged.count {
        indices[key] = index
        merged.append(element)
      } else {
        for new in element.attributes { merged[index].replace(new.name, with: new.value) }
      }
    }
    for (index, children) in inner {
      merged[index].children = merged[index].children.merged(with: children)
    }
    return merged
  }

  /// Returns the elements with new URLs of their feeds; the children of a feed without one take its
  /// place.
  package func renamingFeeds(_ name: (String) -> String?) -> [OutlineElement] {
    flatMap { element in
      var element = element
      element.children = element.children.renamingFeeds(name)
      guard let feed = element.feed else { return [element] }
      element.feed = name(feed)
      return element.feed == nil ? element.children : [element]
    }
  }
}

extension OutlineDocument {
  /// Returns the list with the elements of another.
  ///
  /// The first list decides on head and root, the last one on attributes: a head is about the list,
  /// an attribute of a feed is its program's latest word. Feeds that are not `listed` are left out.
  package func adding(_ other: OutlineDocument, listed: Set<String>) -> OutlineDocument {
    var document = self
    let (attributes, names) = (Set(attributes.map(\.name)), Set(head.map(\.name)))
    document.attributes += other.attributes.filter { !attributes.contains($0.name) }
    document.head += other.head.filter { !names.contains($0.name) }
    document.body = body.merged(with: other.body)
      .renamingFeeds { listed.contains($0) ? $0 : nil }
    return document
  }
}

/// The tag of an OPML file's folders: the path, with slashes between.
package enum FolderTag {
  /// The number of nested folders in a tag; the rest is the name of the last.
  private static let maximumDepth = 32
  /// The length of a folder's name, which is in the tags of all its feeds.
  private static let maximumCharacters = 100

  package static func tag(_ folders: [String]) -> String {
    folders.prefix(maximumDepth).map { folder in
      let line = SafeText.prefix(SafeText.line(folder), maximumCharacters: maximumCharacters)
      return line.map { $0 == "/" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined()
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
