import FeedModel
import System

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
