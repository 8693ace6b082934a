internal import CommandLine
internal import FeedModel
package import FeedParsing
internal import FeedReading
package import FeedUpdating
import System

/// Reads the subscriptions in an OPML file, and the file itself as `news export` will want it.
package struct OPMLImport {
  private let permission: ImportedURL.Permission
  private var list = ImportedList()
  private var body: [OutlineElement] = []
  /// The names of the elements around the next one; nil for feeds and what has no name.
  private var folders: [String?] = []
  /// How many of the elements around the next one were left out, for each depth.
  private var leftOut: [Int] = []

  package static func read(
    _ bytes: [UInt8],
    _ permission: ImportedURL.Permission,
  ) throws(FeedParsingError) -> ImportedList {
    let result = try bytes.withUnsafeBufferPointer { (bytes) throws(FeedParsingError) in
      try OutlineReading().value(of: UnsafeRawBufferPointer(bytes))
    }
    var reader = OPMLImport(permission)
    for element in result.document.body { reader.read(element) }
    var document = result.document
    document.body = reader.body
    reader.list.document = document
    reader.list.isCutShort = !result.isComplete
    return reader.list
  }

  private init(_ permission: ImportedURL.Permission) {
    self.permission = permission
  }

  private mutating func read(_ element: OutlineElement) {
    var element = element.withUsualNames
    let depth = element.depth
    folders = Array(folders.prefix(depth))
    leftOut = Array(leftOut.prefix(depth))
    let above = leftOut.last ?? 0
    element.depth -= above
    guard element.isOutline, let url = element.value("xmlurl") else {
      return add(element, folder: element.isOutline ? element.displayTitle : nil, leftOut: above)
    }
    do throws(WordFault) {
      let feed = try ImportedURL.read(url, permission)
      element.feed = feed
      element.replace("xmlUrl", with: feed)
      list.subscriptions.append(subscription(element, feed))
      add(element, folder: nil, leftOut: above)
    } catch {
      list.refuse(url, error.reason)
      folders.append(nil)
      leftOut.append(above + 1)
    }
  }

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
