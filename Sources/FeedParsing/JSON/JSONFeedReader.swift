import FeedModel

/// Reads JSON Feed 1.0 and 1.1 (jsonfeed.org), forgiving about the types of values.
struct JSONFeedReader {
  private let url: String?
  private let limits: ParsingLimits

  init(url: String?, limits: ParsingLimits) {
    self.url = url
    self.limits = limits
  }

  /// - Throws: When the document is no JSON, or not a feed.
  func feed(_ bytes: UnsafeBufferPointer<UInt8>) throws(FeedParsingError) -> Feed {
    var reader = JSONReader(bytes, limits: limits)
    guard let document = try reader.document(), case .object(let members) = document else {
      throw .malformed(line: reader.line, reason: "not JSON")
    }
    let version = document["version"]?.text ?? ""
    let isFeed = version.contains("jsonfeed.org/version/") || document["items"] != nil
    guard isFeed, !members.isEmpty else {
      guard reader.isComplete || !members.isEmpty else {
        throw .malformed(line: reader.line, reason: "not JSON")
      }
      throw .notAFeed(root: "a JSON object")
    }
    var feed = try self.feed(document, version: version)
    feed.isComplete = reader.isComplete && feed.isComplete
    if !reader.isComplete { feed.notes.append("line \(reader.line): the JSON breaks off") }
    return feed
  }

  private func feed(_ document: JSONValue, version: String) throws(FeedParsingError) -> Feed {
    var feed = Feed(
      format: version.hasSuffix("/1") || version.hasSuffix("1.0") ? .jsonFeed10 : .jsonFeed11
    )
    let memory = BuilderMemory()
    feed.title = JSONFeedText.title(document["title"])
    let base = document["feed_url"]?.text.flatMap { WebURL.resolve($0, against: url) } ?? url
    feed.link = document["home_page_url"]?.text.flatMap { LinkReference.url($0, against: base) }
    feed.description = JSONFeedText.title(document["description"])
    feed.language = document["language"]?.text.map { LanguageTag.repaired(SafeText.line($0)) }
    let author = JSONFeedText.authors(document)
    let items = document["items"]?.elements ?? []
    for item in items.prefix(limits.maximumItems) {
      guard case .object = item else { continue }
      let item = JSONFeedItem(item, base: feed.link ?? base, memory: memory)
      feed.items.append(item.item(author: author))
      try memory.checkBases(limits)
    }
    feed.isComplete = items.count <= limits.maximumItems
    feed.notes = FeedLint.notes(on: feed, hasRelativeLinks: false)
    return feed
  }
}

/// The texts of a JSON Feed.
enum JSONFeedText {
  /// Plain by the specification; in the wild often with references in it, as in RSS.
  static func title(_ value: JSONValue?) -> String? {
    guard let text = value?.text else { return nil }
    let plain = PlainText.fromHTML(text, for: .summary)
    return plain.isEmpty ? nil : plain
  }

  /// The names of `authors` (1.1) or `author` (1.0), or their addresses where they have none.
  static func authors(_ value: JSONValue) -> String? {
    let modern = names(value["authors"])
    let names = modern.isEmpty ? self.names(value["author"]) : modern
    return names.isEmpty ? nil : names.joined(separator: ", ")
  }

  private static func names(_ value: JSONValue?) -> [String] {
    var seen: Set<String> = []
    return (value?.elements ?? []).prefix(Draft.maximumListLength).compactMap { author in
      let text = author.text ?? author["name"]?.text ?? mail(author["url"]?.text)
      let name = AuthorName.name(in: SafeText.line(text ?? ""))
      return name.isEmpty || !seen.insert(name).inserted ? nil : name
    }
  }

  private static func mail(_ url: String?) -> String? {
    url.flatMap { $0.hasPrefix("mailto:") ? String($0.dropFirst(7)) : nil }
  }
}
