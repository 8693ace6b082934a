/// Reads a subscription list (OPML 1.0, 1.1, 2.0) through the same guarded stages as a feed.
package enum OutlineParser {
  /// Feeds taken from one list.
  package static let maximumFeeds = 10_000

  /// The feeds of a list, in the document's order.
  ///
  /// - Throws: `notAFeed` when its root element is not `opml`, or what makes it no XML, or refused.
  package static func feeds(_ bytes: [UInt8]) throws(FeedParsingError) -> [OutlineFeed] {
    let limits = ParsingLimits.standard
    let handler = OutlineHandler(maximumFeeds: maximumFeeds)
    var decoder = DocumentDecoder(charset: nil, maximumDecodedBytes: limits.maximumBytes)
    var repair = MarkupRepair()
    let xml = XMLPushParser(handler: handler, limits: limits, texts: repair.texts)
    let chunks = ChunkBuffer()
    func push(_ utf8: UnsafeRawBufferPointer) throws(FeedParsingError) {
      try chunks.append(utf8) { (chunk) throws(FeedParsingError) in try xml.parse(chunk) }
    }
    func take(_ utf8: UnsafeRawBufferPointer) throws(FeedParsingError) {
      try repair.repair(utf8) { (utf8) throws(FeedParsingError) in try push(utf8) }
    }
    try bytes.withUnsafeBufferPointer { (bytes) throws(FeedParsingError) in
      try decoder.decode(UnsafeRawBufferPointer(bytes)) { (utf8) throws(FeedParsingError) in
        try take(utf8)
      }
    }
    try decoder.finish { (utf8) throws(FeedParsingError) in try take(utf8) }
    try repair.finish { (utf8) throws(FeedParsingError) in try push(utf8) }
    try chunks.finish { (chunk) throws(FeedParsingError) in try xml.parse(chunk) }
    try xml.finish()
    guard handler.hasRoot else { throw .unrecognized }
    return handler.feeds
  }
}

/// Collects the outlines that are feeds, and keeps track of the folders they are in.
private final class OutlineHandler: XMLEventHandler {
  private static let outline: UInt16 = 1
  private static let root: UInt16 = 2

  private(set) var feeds: [OutlineFeed] = []
  private(set) var hasRoot = false
  private let maximumFeeds: Int
  /// The outlines that are open; nil for one that is a feed or has no name.
  private var folders: [String?] = []
  private var firstName: String?

  init(maximumFeeds: Int) {
    self.maximumFeeds = maximumFeeds
  }

  var wantsText: Bool { false }

  func text(_ utf8: UnsafeBufferPointer<UInt8>) {}

  func code(of name: XMLName) -> UInt16 {
    if firstName == nil { firstName = name.qualified }
    return switch name.local.lowercased() {
    case "outline": Self.outline
    case "opml": Self.root
    default: 0
    }
  }

  func startElement(_ code: UInt16, _ attributes: XMLAttributes) throws(FeedParsingError) {
    if !hasRoot {
      guard code == Self.root else { throw .notAFeed(root: firstName ?? "") }
      hasRoot = true
    }
    guard code == Self.outline else { return }
    let feed = outline(attributes)
    guard !feed.url.isEmpty else {
      folders.append(feed.value("text") ?? feed.value("title"))
      return
    }
    guard feeds.count < maximumFeeds else {
      throw .limitExceeded(name: "number of feeds", limit: maximumFeeds)
    }
    feeds.append(feed)
    folders.append(nil)
  }

  func endElement(_ code: UInt16) throws(FeedParsingError) {
    if code == Self.outline { _ = folders.popLast() }
  }

  private func outline(_ attributes: XMLAttributes) -> OutlineFeed {
    var feed = OutlineFeed(folders: folders.compactMap(\.self), url: "")
    for (name, value) in attributes.all() {
      if name.prefix == nil, name.local.lowercased() == "xmlurl" {
        feed.url = value
        continue
      }
      feed.attributes.append(OutlineAttribute(name: name.qualified, value: value))
      guard let prefix = name.prefix, let namespace = name.namespace, prefix != "xml" else {
        continue
      }
      let declaration = OutlineAttribute(name: "xmlns:\(prefix)", value: namespace)
      if !feed.attributes.contains(declaration) { feed.attributes.append(declaration) }
    }
    return feed
  }
}
