internal import FeedModel
import System

/// The arrangement of subscriptions in a list.
///
/// They stand where imported lists had them, or else in the folders of their tags.
struct OutlineArrangement {
  private struct FolderKey: Hashable {
    let parent: Int?
    let name: String
  }

  private var tree: OutlineTree
  private var feeds: [String: Subscription] = [:]
  private var folders: [FolderKey: Int] = [:]
  private var tags: [String] = []
  /// The tags under which the list has each feed already.
  private var covered: [String: Set<String>] = [:]
  private var imported: [String: OutlineElement] = [:]

  init(_ elements: [OutlineElement], _ subscriptions: [Subscription]) {
    tree = OutlineTree(elements)
    for subscription in subscriptions where subscription.listedURL != nil {
      feeds[subscription.listedURL ?? ""] = subscription
    }
    for subscription in subscriptions where feeds[subscription.url] == nil {
      feeds[subscription.url] = subscription
    }
    findFolders()
    for subscription in subscriptions { place(subscription) }
  }

  func elements() -> [OutlineElement] {
    var isKept = [Bool](repeating: true, count: tree.elements.count)
    for index in isKept.indices.reversed() {
      let children = tree.children(of: index)
      isKept[index] =
        tree.elements[index].feed.map { isPlaced($0, at: index) }
        // A folder whose feeds are all gone goes with them.
        ?? (children.isEmpty || children.contains { isKept[$0] })
    }
    return tree.flattened { isKept[$0] }.map(complete)
  }

  private mutating func findFolders() {
    var paths: [[String]] = []
    for (index, parent) in tree.parents.enumerated() {
      let element = tree.elements[index]
      let around = parent.map { paths[$0] } ?? []
      let name = element.feed == nil && element.isOutline ? element.displayTitle : nil
      paths.append(name.map { around + [$0] } ?? around)
      tags.append(FolderTag.tag(around))
      if let name {
        let key = FolderKey(parent: parent, name: name)
        folders[key] = folders[key] ?? index
      }
      if let feed = element.feed {
        covered[feed, default: []].insert(tags[index])
        covered[feed, default: []].formUnion(element.categoryTags)
        imported[feed] = imported[feed] ?? element
      }
    }
  }

  private mutating func place(_ subscription: Subscription) {
    let feed = listing(of: subscription)
    let there = covered[feed] ?? []
    let missing = subscription.tags.filter { !there.contains($0) }
    if subscription.tags.isEmpty, !there.contains("") { append(feed, in: []) }
    for tag in missing { append(feed, in: FolderTag.folders(tag)) }
  }

  private mutating func append(_ feed: String, in path: [String]) {
    var parent: Int?
    for name in path {
      let key = FolderKey(parent: parent, name: name)
      let index = folders[key] ?? add(Self.folder(name), to: parent)
      folders[key] = index
      parent = index
    }
    add(OutlineElement(feed: feed), to: parent)
    tags[tags.count - 1] = FolderTag.tag(path)
  }

  @discardableResult
  private mutating func add(_ element: OutlineElement, to parent: Int?) -> Int {
    tags.append("")
    return tree.append(element, to: parent)
  }

  private static func folder(_ name: String) -> OutlineElement {
    OutlineElement(attributes: [.init("text", name), .init("title", name)])
  }

  private func listing(of subscription: Subscription) -> String {
    subscription.listedURL ?? subscription.url
  }

  private func isPlaced(_ feed: String, at index: Int) -> Bool {
    guard let subscription = feeds[feed] else { return false }
    if !tags[index].isEmpty { return subscription.tags.contains(tags[index]) }
    // At the top it stays until it was put into a folder that the list did not have it in.
    return covered[feed].map { there in subscription.tags.allSatisfy(there.contains) } ?? true
  }

  private func complete(_ element: OutlineElement) -> OutlineElement {
    guard let feed = element.feed, let subscription = feeds[feed] else { return element }
    var element = element
    let isNew = element.attributes.isEmpty
    if isNew { element.attributes = imported[feed]?.attributes ?? [.init("type", "rss")] }
    let given = imported[feed]?.givenTitle
    if given == nil || given != subscription.title {
      let title = element.value("title")
      let isSame = title == element.value("text") ?? title
      element.replace("text", with: subscription.displayTitle)
      if isSame { element.replace("title", with: subscription.displayTitle) }
    }
    element.keepCategories(subscription.tags)
    element.fill("type", with: "rss")
    element.fill("text", with: element.value("title") ?? subscription.displayTitle)
    element.replace("xmlUrl", with: subscription.url)
    if let link = subscription.state.link, SafeLink.isAbsolute(link) {
      element.fill("htmlUrl", with: link)
    }
    return element
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
