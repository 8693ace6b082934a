import FeedModel
import System

/// Reads JSON Feed 1.0 and 1.1 (jsonfeed.org), forgiving about the types of values, and RSS in JSON.
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
    var feed: Feed
    if version.contains("jsonfeed.org/version/") || document["items"] != nil {
      feed = try self.feed(document, version: version)
    } else if let rss = document["rss"], case .object = rss {
      feed = try RSSInJSON.feed(rss, url: url, limits: limits)
    } else if reader.isComplete || !members.isEmpty {
      throw .notAFeed(root: "a JSON object")
    } else {
      throw .malformed(line: reader.line, reason: "not JSON")
    }
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
    let address = document["feed_url"]?.text.flatMap { WebURL.resolve($0, against: url) }
    let base = address ?? url
    feed.link =
      document["home_page_url"]?.text.flatMap { LinkReference.url($0, against: base) } ?? address
    feed.description = JSONFeedText.html(document["description"], for: .summary)
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
    html(value, for: .title)
  }

  static func html(_ value: JSONValue?, for purpose: PlainText.Purpose) -> String? {
    guard let text = value?.text else { return nil }
    let isLine = text.utf8.count <= FieldText.maximumLineBytes
    let plain = PlainText.fromHTML(text, for: isLine ? purpose : .summary)
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
      // `false` is nobody's name.
      if case .bool = author { return nil }
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
    if let summary = JSONFeedText.html(value["summary"], for: .summary) { return summary }
    if let text = value["content_text"]?.text {
      let plain = PlainText.summary(fromText: text)
      if !plain.isEmpty { return plain }
    }
    return JSONFeedText.html(value["content_html"], for: .summary)
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
        length: line(attachment["size_in_bytes"]).flatMap(Enclosure.size),
        duration: line(attachment["duration_in_seconds"]).flatMap(seconds),
      )
    }
  }

  private func line(_ value: JSONValue?) -> String? {
    value?.text.map { SafeText.line($0) }
  }

  private func seconds(_ text: String) -> Int? {
    if let seconds = Enclosure.size(text) { return Int(exactly: seconds) }
    return Array(text.utf8).withUnsafeBufferPointer { PlayingTime.seconds($0) }
      .flatMap { $0 > 0 ? $0 : nil }
  }
}
