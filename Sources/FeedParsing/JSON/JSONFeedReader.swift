import FeedModel
import System

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

/// From an item of a JSON Feed to an `Item`.
struct JSONFeedItem {
  private let value: JSONValue
  private let base: String?
  private let memory: BuilderMemory

  init(_ value: JSONValue, base: String?, memory: BuilderMemory) {
    self.value = value
    self.base = base
    self.memory = memory
  }

  /// The author is the feed's, for an item without one.
  func item(author: String?) -> Item {
    let guid = value["id"]?.text.map { SafeText.line($0) }
    let (pubDate, date) = dates()
    var details = ItemDetails()
    details.date = date
    details.enclosures = enclosures()
    details.author = JSONFeedText.authors(value) ?? author
    details.categories = categories()
    return Item(
      title: JSONFeedText.title(value["title"]) ?? "",
      link: link() ?? details.enclosures.first?.url ?? "",
      pubDate: pubDate,
      guid: guid,
      summary: summary(),
      details: details,
    )
  }

  /// The first date as published, and the first that is one.
  private func dates() -> (pubDate: String, date: Date?) {
    var pubDate = ""
    for name in ["date_published", "date_modified"] {
      guard let text = value[name]?.text else { continue }
      if pubDate.isEmpty { pubDate = SafeText.line(text) }
      if let date = FeedDate.date(text) { return (pubDate, date) }
    }
    return (pubDate, nil)
  }

  private func link() -> String? {
    for name in ["url", "external_url"] {
      if let text = value[name]?.text, let url = LinkReference.url(text, against: memory.use(base))
      {
        return url
      }
    }
    return nil
  }

  private func summary() -> String? {
    if let text = value["summary"]?.text {
      let plain = PlainText.fromHTML(text, for: .summary)
      if !plain.isEmpty { return plain }
    }
    if let text = value["content_text"]?.text {
      let plain = PlainText.summary(fromText: text)
      if !plain.isEmpty { return plain }
    }
    return JSONFeedText.title(value["content_html"])
  }

  private func categories() -> [String] {
    var seen: Set<String> = []
    return (value["tags"]?.elements ?? []).prefix(Draft.maximumListLength).compactMap { tag in
      let text = SafeText.line(tag.text ?? "")
      return text.isEmpty || !seen.insert(text).inserted ? nil : text
    }
  }

  private func enclosures() -> [Enclosure] {
    var seen: Set<String> = []
    return (value["attachments"]?.elements ?? []).prefix(Draft.maximumListLength).compactMap {
      attachment in
      guard
        let url = attachment["url"]?.text.flatMap({
          LinkReference.url($0, against: memory.use(base))
        }),
        seen.insert(url).inserted
      else { return nil }
      return Enclosure(
        url: url,
        type: attachment["mime_type"]?.text.map { SafeText.line($0) },
        length: whole(attachment["size_in_bytes"]),
        duration: whole(attachment["duration_in_seconds"]).flatMap { Int(exactly: $0) },
      )
    }
  }

  /// A number above zero, fractions left out.
  private func whole(_ value: JSONValue?) -> Int64? {
    guard let text = value?.text, let number = Double(text) else { return nil }
    return Int64(exactly: number.rounded(.down)).flatMap { $0 > 0 ? $0 : nil }
  }
}
