internal import CommandLine
internal import FeedModel
package import FeedParsing
internal import FeedReading
package import FeedUpdating
import System

/// Reads the subscriptions in an OPML file, and the file itself for a later `news export`.
package struct OPMLImport {
  private let permission: ImportedURL.Permission
  private var list = ImportedList()
  private var body: [OutlineElement] = []
  /// The names of the elements around the next one; nil for feeds and elements without a name.
  private var folders: [String?] = []
  /// The number of elements around the next one that were left out, by depth.
  private var leftOut: [Int] = []

  package static func read(
    _ bytes: [UInt8],
    _ permission: ImportedURL.Permission,
  ) throws(FeedParsingError) -> ImportedList {
    let result = try bytes.withUnsafeBufferPointer { (bytes) throws(FeedParsingError) in
      try OutlineReading().value(of: UnsafeRawBufferPointer(bytes))
    }
    var reader = OPMLImport(permission)
    let elements = result.document.body
    for (element, next) in zip(elements, elements.dropFirst().map(\.depth) + [0]) {
      reader.read(element, hasChildren: next > element.depth)
    }
    var document = result.document
    document.body = reader.body
    reader.list.document = document
    reader.list.isCutShort = !result.isComplete
    return reader.list
  }

  private init(_ permission: ImportedURL.Permission) {
    self.permission = permission
  }

  private mutating func read(_ element: OutlineElement, hasChildren: Bool) {
    var element = element.withUsualNames
    let depth = element.depth
    folders = Array(folders.prefix(depth))
    leftOut = Array(leftOut.prefix(depth))
    let above = leftOut.last ?? 0
    element.depth -= above
    guard element.isOutline, let url = element.feedAddress(hasChildren) else {
      if element.isOutline, let page = element.pageAddress(hasChildren) {
        list.refuse(page, element.isList ? Self.listRefusal : Self.pageRefusal)
      }
      return add(element, folder: element.isOutline ? element.displayTitle : nil, leftOut: above)
    }
    do {
      let feed = try ImportedURL.read(url, permission)
      element.feed = feed
      element.replace("xmlUrl", with: feed)
      list.subscriptions.append(subscription(element, feed))
      add(element, folder: nil, leftOut: above)
    } catch {
      list.refuse(url, error.line)
      folders.append(nil)
      leftOut.append(above + 1)
    }
  }

  private static let pageRefusal = "not said to be a feed (`news subscribe` looks for one there)"
  private static let listRefusal = "another list (`news import` takes it)"

  private mutating func add(_ element: OutlineElement, folder: String?, leftOut above: Int) {
    folders.append(folder)
    leftOut.append(above)
    body.append(element)
  }

  private func subscription(_ element: OutlineElement, _ url: String) -> Subscription {
    var subscription = ImportedURL.subscription(url, title: element.givenTitle, permission)
    let path = folders.compactMap(\.self)
    if !path.isEmpty { subscription.tags = [FolderTag.tag(path)] }
    subscription.tags += element.categoryTags.filter { !subscription.tags.contains($0) }
    subscription.state.link = element.value("htmlurl").flatMap { WebURL.resolve($0, against: nil) }
    return subscription
  }
}

extension OutlineElement {
  private static let feedTypes: Set = ["rss", "atom", "feed", "podcast", "json"]

  /// Returns the address in `xmlUrl`, `feedUrl` or another place, as many programs do not keep to
  /// OPML; nil where it may as well be a page's.
  fileprivate func feedAddress(_ hasChildren: Bool) -> String? {
    if let url = value("xmlurl") ?? value("feedurl") { return url }
    guard let url = value("url") ?? (hasChildren ? nil : writtenURL) else { return nil }
    let type = value("type")?.lowercased()
    let isFeed = type.map(Self.feedTypes.contains) ?? false
    return isFeed || FeedAddress.isLikely(url) ? url : nil
  }

  /// Returns the address of a page; a folder's `htmlUrl` is none, as folders may have that of a
  /// site.
  fileprivate func pageAddress(_ hasChildren: Bool) -> String? {
    value("url") ?? (hasChildren ? nil : value("htmlurl") ?? writtenURL)
  }

  private var writtenURL: String? {
    ["text", "title"].lazy.compactMap { value($0) }.first { WebURL.isWeb(PastedAddress($0).url) }
  }

  fileprivate var isList: Bool {
    let isIncluded = value("type")?.lowercased() == "include"
    return isIncluded || value("url")?.lowercased().hasSuffix(".opml") == true
  }
}
