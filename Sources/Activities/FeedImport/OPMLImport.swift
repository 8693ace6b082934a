internal import CommandLine
package import FeedModel
package import FeedParsing
internal import FeedReading
package import FeedUpdating
import System

/// Reads the subscriptions in an OPML file, and the file itself for a later `news export`.
package struct OPMLImport {
  private let permission: ImportedURL.Permission
  private var list = ImportedList()

  package static func read(
    _ bytes: [UInt8],
    _ permission: ImportedURL.Permission,
  ) throws(FeedParsingError) -> ImportedList {
    let document = try bytes.withUnsafeBufferPointer { (bytes) throws(FeedParsingError) in
      try OutlineReading().value(of: ForeignBytes(UnsafeRawBufferPointer(bytes)))
    }
    return list(of: document, permission)
  }

  package static func list(
    of document: OutlineDocument,
    _ permission: ImportedURL.Permission,
  ) -> ImportedList {
    var document = document
    var reader = OPMLImport(permission: permission)
    document.body = reader.read(document.body, in: [])
    reader.list.document = document
    reader.list.isCutShort = document.isCutShort
    return reader.list
  }

  package static func reason(_ error: FeedParsingError) -> String {
    switch error {
    case .notAFeed(let root): "not OPML: the root element is \(Spelling.quoted(root))"
    case .webPage: "not OPML: a web page"
    case .unrecognized, .empty: "not OPML"
    default: SafeText.line("\(error)")
    }
  }

  /// Returns the elements without feeds that are refused, whose children take their places.
  private mutating func read(
    _ elements: [OutlineElement],
    in folders: [String],
  ) -> [OutlineElement] {
    elements.flatMap { element in
      var element = element.withUsualNames
      let isKept = keep(&element, in: folders)
      let inner = isKept ? element.folders(in: folders) : folders
      element.children = read(element.children, in: inner)
      return isKept ? [element] : element.children
    }
  }

  private mutating func keep(_ element: inout OutlineElement, in folders: [String]) -> Bool {
    guard element.isOutline else { return true }
    guard let url = element.feedAddress else {
      if let page = element.pageAddress {
        list.refuse(page, element.isList ? Self.listRefusal : Self.pageRefusal)
      }
      return true
    }
    do {
      let feed = try ImportedURL.read(url, permission)
      element.feed = feed
      element.replace("xmlUrl", with: feed)
      list.subscriptions.append(subscription(element, feed, in: folders))
      return true
    } catch {
      list.refuse(url, error.line)
      return false
    }
  }

  private static let pageRefusal = "not said to be a feed (`news subscribe` looks for one there)"
  private static let listRefusal =
    "another list (`news subscribe --list` follows it, `news import` takes it once)"

  private func subscription(
    _ element: OutlineElement,
    _ url: String,
    in folders: [String],
  ) -> Subscription {
    var subscription = ImportedURL.subscription(url, title: element.givenTitle, permission)
    if !folders.isEmpty { subscription.tags = [FolderTag.tag(folders)] }
    subscription.tags += element.categoryTags.filter { !subscription.tags.contains($0) }
    subscription.state.link = element.value("htmlurl").flatMap { WebURL.resolve($0, against: nil) }
    return subscription
  }
}

extension OutlineElement {
  private static let feedTypes: Set = ["rss", "atom", "feed", "podcast", "json"]

  /// Returns the address in `xmlUrl`, `feedUrl` or another place, as many programs do not keep to
  /// OPML; nil where it may as well be a page's.
  fileprivate var feedAddress: String? {
    if let url = value("xmlurl") ?? value("feedurl") { return url }
    guard let url = value("url") ?? (children.isEmpty ? writtenURL : nil) else { return nil }
    let type = value("type")?.lowercased()
    let isFeed = type.map(Self.feedTypes.contains) ?? false
    return isFeed || FeedAddress.isLikely(url) ? url : nil
  }

  /// Returns the address of a page; a folder's `htmlUrl` is none, as folders may have that of a
  /// site.
  fileprivate var pageAddress: String? {
    value("url") ?? (children.isEmpty ? value("htmlurl") ?? writtenURL : nil)
  }

  private var writtenURL: String? {
    ["text", "title"].lazy.compactMap { value($0) }.first { WebURL.isWeb(PastedAddress($0).url) }
  }

  fileprivate var isList: Bool {
    let isIncluded = value("type")?.lowercased() == "include"
    return isIncluded || value("url")?.lowercased().hasSuffix(".opml") == true
  }
}
