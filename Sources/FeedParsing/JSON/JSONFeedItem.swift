import FeedModel

/// From an item of a JSON Feed to an `Item`.
struct JSONFeedItem {
  private let value: JSONValue
  private let base: String?
  private let memory: BuilderMemory
  private var scratch: TextBuffer { memory.scratch }

  init(_ value: JSONValue, base: String?, memory: BuilderMemory) {
    self.value = value
    self.base = base
    self.memory = memory
  }

  func item() -> Item {
    var item = Item(title: JSONFeedText.title(value["title"], scratch: scratch) ?? "")
    item.guid = value["id"]?.text.map { SafeText.line($0) }.flatMap { $0.isEmpty ? nil : $0 }
    takeDate(&item)
    item.enclosures = enclosures()
    item.link = link() ?? item.enclosures.first?.url ?? ""
    item.author = JSONFeedText.authors(value)
    item.summary = summary()
    item.categories = categories()
    return item
  }

  private func takeDate(_ item: inout Item) {
    for name in ["date_published", "date_modified"] {
      guard let text = value[name]?.text else { continue }
      if item.pubDate.isEmpty { item.pubDate = SafeText.line(text) }
      item.date = FeedDate.date(text)
      if item.date != nil { return }
    }
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
      let plain = JSONFeedText.summary(fromHTML: text, scratch: scratch)
      if !plain.isEmpty { return plain }
    }
    if let text = value["content_text"]?.text {
      let plain = PlainText.summary(fromText: text)
      if !plain.isEmpty { return plain }
    }
    return JSONFeedText.title(value["content_html"], scratch: scratch)
  }

  private func categories() -> [String] {
    var seen: Set<String> = []
    return (value["tags"]?.elements ?? []).prefix(Draft.maximumListLength).compactMap { tag in
      let text = PlainText.fromText(tag.text ?? "")
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
