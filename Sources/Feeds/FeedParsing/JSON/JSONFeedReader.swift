import FeedModel
import System

/// The reader of JSON Feed 1.0 and 1.1 (jsonfeed.org) and of RSS in JSON, lenient about the types
/// of values.
///
/// Members are passed on as the elements that they correspond to, so that all formats are read in
/// one way.
struct JSONFeedReader {
  private let handler: FeedDocumentHandler

  init(url: String?, limits: ParsingLimits) {
    handler = FeedDocumentHandler(url: url, limits: limits)
  }

  func feed(_ bytes: UnsafeBufferPointer<UInt8>) throws(FeedParsingError) -> Feed {
    var reader = JSONReader(bytes, limits: handler.limits)
    guard let document = try reader.document(), case .object(let members) = document else {
      throw .malformed(line: reader.line, reason: "not JSON")
    }
    let version = document["version"]?.text ?? ""
    var feed: Feed
    if version.contains("jsonfeed.org/version/") || document["items"] != nil {
      feed = try jsonFeed(document)
      let isFirst = version.hasSuffix("/1") || version.hasSuffix("1.0")
      feed.format = isFirst ? .jsonFeed10 : .jsonFeed11
    } else if let rss = document["rss"], case .object = rss {
      try send(rss, as: "rss")
      feed = try handler.feed()
    } else if reader.isComplete || !members.isEmpty {
      throw .notAFeed(root: "a JSON object")
    } else {
      throw .malformed(line: reader.line, reason: "not JSON")
    }
    feed.isComplete = reader.isComplete && !handler.results.isCut
    if !reader.isComplete { feed.notes.append("line \(reader.line): the JSON breaks off") }
    return feed
  }

  // MARK: - Elements

  private func element(
    _ code: FeedElementCode,
    _ attributes: [(name: String, value: String)] = [],
    text: String? = nil,
    _ content: () throws(FeedParsingError) -> Void = {},
  ) throws(FeedParsingError) {
    try XMLAttributes.with(attributes) { (attributes) throws(FeedParsingError) in
      try handler.startElement(code.rawValue, attributes)
    }
    if var text, handler.wantsText { text.withUTF8 { handler.text($0) } }
    try content()
    try handler.endElement(code.rawValue)
  }

  private static func html(_ element: FeedElement) -> FeedElementCode { FeedElementCode(element) }

  private static func plain(_ element: FeedElement) -> FeedElementCode {
    FeedElementCode(element, isAtom: true)
  }

  // MARK: - JSON Feed

  private static let feedTexts = [
    ("title", html(.title)), ("home_page_url", plain(.link)), ("description", html(.description)),
    ("language", plain(.language)), ("favicon", plain(.icon)), ("icon", plain(.icon)),
  ]

  /// Titles are plain by the specification; in the wild they often have references, as in RSS.
  private static let itemTexts = [
    ("id", plain(.id)), ("title", html(.title)), ("url", plain(.link)),
    ("summary", html(.summary)),
    ("content_text", plain(.contentEncoded)), ("content_html", html(.content)),
    // A widely used generator had the name the wrong way round for years.
    ("html_content", html(.content)),
    ("date_published", plain(.published)), ("date_modified", plain(.updated)),
  ]

  func jsonFeed(_ document: JSONValue) throws(FeedParsingError) -> Feed {
    try element(Self.plain(.feed)) { () throws(FeedParsingError) in
      try send(Self.feedTexts, of: document)
      if let url = document["feed_url"]?.text {
        // The document's own address, and the link of a feed without a home page.
        try element(Self.plain(.link), [("rel", "self"), ("href", url)])
        try element(Self.plain(.link), [("href", url)])
      }
      if let url = document["next_url"]?.text {
        try element(Self.plain(.link), [("rel", "next"), ("href", url)])
      }
      try sendAuthors(of: document)
      for item in document["items"]?.elements ?? [] {
        guard case .object = item else { continue }
        guard !handler.hasEnough else { break }
        try send(item: item)
      }
    }
    return try handler.feed()
  }

  private func send(
    _ texts: [(name: String, code: FeedElementCode)],
    of value: JSONValue,
  ) throws(FeedParsingError) {
    for (name, code) in texts {
      if let text = value[name]?.text { try element(code, text: text) }
    }
  }

  private func send(item: JSONValue) throws(FeedParsingError) {
    try element(Self.plain(.item)) { () throws(FeedParsingError) in
      try send(Self.itemTexts, of: item)
      if let url = item["external_url"]?.text {
        // The subject of a linkblog's story, and its link where it has no other.
        try element(Self.plain(.link), [("rel", "external"), ("href", url)])
        try element(Self.plain(.link), [("href", url)])
      }
      for picture in ["image", "banner_image"] {
        if let url = item[picture]?.text { try element(Self.plain(.picture), [("href", url)]) }
      }
      try sendAuthors(of: item)
      for tag in item["tags"]?.elements ?? [] {
        if let tag = tag.text { try element(Self.plain(.category), text: tag) }
      }
      for attachment in item["attachments"]?.elements ?? [] {
        try element(Self.plain(.mediaContent), Self.attributes(of: attachment))
      }
    }
  }

  /// Sends `authors` (1.1) or `author` (1.0): names, or objects.
  private func sendAuthors(of value: JSONValue) throws(FeedParsingError) {
    let authors = value["authors"]?.elements ?? []
    for author in authors.isEmpty ? value["author"]?.elements ?? [] : authors {
      // `false` is nobody's name.
      if case .bool = author { continue }
      try element(Self.plain(.author), text: author.text) { () throws(FeedParsingError) in
        if let name = author["name"]?.text { try element(Self.plain(.name), text: name) }
        let url = author["url"]?.text
        if let url, url.hasPrefix("mailto:") { try element(Self.plain(.email), text: url) }
      }
    }
  }

  private static func attributes(of attachment: JSONValue) -> [(name: String, value: String)] {
    let duration = SafeText.line(attachment["duration_in_seconds"]?.text ?? "")
    let seconds = Enclosure.size(duration).map { "\($0)" }
    let values = [
      ("url", attachment["url"]?.text), ("type", attachment["mime_type"]?.text),
      ("fileSize", attachment["size_in_bytes"]?.text),
      ("duration", seconds ?? (duration.contains(":") ? duration : nil)),
    ]
    return values.compactMap { name, value in value.map { (name, $0) } }
  }

  // MARK: - RSS in JSON

  /// Sends RSS 2.0 as Scripting News writes it in JSON.
  ///
  /// A member is an element, several of a name are a list, and attributes are members beside the
  /// text, `#value`.
  private func send(_ value: JSONValue, as name: String) throws(FeedParsingError) {
    // Some write the plural for the list.
    let name = XMLName(qualified: name == "items" ? "item" : name)
    let code = FeedElementCode(rawValue: handler.code(of: name))
    let hasElements = [.rss, .channel, .item, .author, .skipHours, .skipDays].contains(code.element)
    for value in value.elements where !handler.hasEnough {
      var members: [JSONMember] = []
      if case .object(let all) = value { members = all }
      let attributes = members.compactMap { member in
        member.value.text.map { (name: member.name, value: $0) }
      }
      let text = value.text ?? members.first { $0.name == "#value" }?.value.text
      try element(code, attributes, text: text) { () throws(FeedParsingError) in
        for member in members where hasElements { try send(member.value, as: member.name) }
      }
    }
  }
}
