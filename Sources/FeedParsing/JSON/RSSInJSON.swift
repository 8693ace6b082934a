import FeedModel

/// RSS 2.0 in JSON, as Scripting News has it: a member is an element, several of a name are a list,
/// and what an element has in attributes are members beside its text, `#value`.
///
/// It goes the way of the XML that it stands for.
struct RSSInJSON {
  private let handler: FeedDocumentHandler

  static func feed(
    _ rss: JSONValue,
    url: String?,
    limits: ParsingLimits,
  ) throws(FeedParsingError) -> Feed {
    let handler = FeedDocumentHandler(url: url, limits: limits)
    try RSSInJSON(handler: handler).send("rss", rss)
    var feed = try handler.feed()
    feed.isComplete = !handler.results.isCut
    return feed
  }

  private func send(_ name: String, _ value: JSONValue) throws(FeedParsingError) {
    // Some write the plural for the list.
    let code = handler.code(of: XMLName(qualified: name == "items" ? "item" : name))
    for value in value.elements where !handler.hasEnough {
      var (members, attributes): ([JSONMember], [(name: String, value: String)]) = ([], [])
      if case .object(let all) = value {
        members = all.filter { Self.hasElements(code) || $0.name.hasPrefix("#") }
        attributes = all.compactMap { member in member.value.text.map { (member.name, $0) } }
      }
      try XMLAttributes.with(attributes) { (attributes) throws(FeedParsingError) in
        try handler.startElement(code, attributes)
      }
      send(text: value)
      for member in members {
        if member.name.hasPrefix("#") {
          send(text: member.value)
        } else {
          try send(member.name, member.value)
        }
      }
      try handler.endElement(code)
    }
  }

  private func send(text value: JSONValue) {
    guard var text = value.text, handler.wantsText else { return }
    text.withUTF8 { handler.text($0) }
  }

  /// Whether the members of an element are elements, rather than its attributes and its text.
  private static func hasElements(_ code: UInt16) -> Bool {
    [.rss, .channel, .item, .author, .skipHours, .skipDays].contains(
      FeedElementCode(rawValue: code).element
    )
  }
}
