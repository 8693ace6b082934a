import FeedModel

/// The texts of a JSON Feed.
enum JSONFeedText {
  /// Plain by the specification; in the wild often with references in it, as in RSS.
  static func title(_ value: JSONValue?, scratch: TextBuffer) -> String? {
    guard let text = value?.text else { return nil }
    let plain = summary(fromHTML: text, scratch: scratch)
    return plain.isEmpty ? nil : plain
  }

  /// The beginning of the text of HTML.
  ///
  /// - Parameters:
  ///   - text: HTML.
  ///   - scratch: Memory for texts in the making.
  /// - Returns: At most 1,000 characters.
  static func summary(fromHTML text: String, scratch: TextBuffer) -> String {
    var text = text
    return text.withUTF8 { html in
      QuickText.text(html, isSummary: true, scratch: scratch) ?? PlainText.summary(fromHTML: html)
    }
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
      let name = AuthorName.name(in: PlainText.fromText(text ?? ""))
      return name.isEmpty || !seen.insert(name).inserted ? nil : name
    }
  }

  private static func mail(_ url: String?) -> String? {
    url.flatMap { $0.hasPrefix("mailto:") ? String($0.dropFirst(7)) : nil }
  }
}
