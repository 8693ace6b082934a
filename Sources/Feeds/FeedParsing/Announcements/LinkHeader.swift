internal import System

enum LinkHeader {
  /// Returns feeds in the values of `Link` fields (RFC 8288) of a response from `url`.
  static func announcedFeeds(_ fields: [String], url: String?) -> [AnnouncedFeed] {
    let feeds = fields.flatMap(links).lazy.compactMap { link -> AnnouncedFeed? in
      // A link with an anchor is about something else.
      guard link["anchor"] == nil,
        FeedMediaType.isAnnouncement(rel: link["rel"], type: link["type"], link.target),
        let url = WebURL.resolve(PastedAddress(link.target).reference, against: url)
      else { return nil }
      let title = (link["title*"].flatMap(decoded) ?? link["title"]).map(SafeText.line)
      return AnnouncedFeed(
        url: url,
        title: title.flatMap { $0.isEmpty ? nil : $0 },
        type: link["type"].map(SafeText.line),
        evidence: .header,
      )
    }
    return Array(feeds.prefix(WebPage.maximumFeeds))
  }

  /// Returns notes on the feed's address by its server (`self`), if that is another, and on the
  /// first hub for its news (WebSub).
  static func notes(_ fields: [String], url: String?) -> [String] {
    let all = fields.flatMap(links).filter { $0["anchor"] == nil }
    let place = { (rel: String) -> String? in
      let link = all.first { link in
        (link["rel"] ?? "").lowercased().split(separator: " ").contains { $0 == rel }
      }
      return link.flatMap { WebURL.resolve($0.target, against: url) }
    }
    let isHere = { (place: String) in
      url.map { WebURL.canonical($0) == WebURL.canonical(place) } ?? true
    }
    return [
      place("self").flatMap { isHere($0) ? nil : "its server calls it \($0) (Link: rel=self)" },
      place("hub").map { "the hub \($0) tells of its news (Link: rel=hub)" },
    ].compactMap(\.self)
  }

  private struct Link {
    var target: String
    var parameters: [(name: String, value: String)] = []

    /// The first of a name counts (§3.3).
    subscript(name: String) -> String? { parameters.first { $0.name == name }?.value }
  }

  private static func links(_ field: String) -> [Link] {
    var links: [Link] = []
    var rest = field[...]
    while let start = rest.firstIndex(of: "<"), let end = rest[start...].firstIndex(of: ">") {
      var link = Link(target: String(rest[rest.index(after: start)..<end]))
      rest = rest[rest.index(after: end)...]
      while let parameter = takeParameter(&rest) { link.parameters.append(parameter) }
      links.append(link)
    }
    return links
  }

  private static func takeParameter(_ rest: inout Substring) -> (name: String, value: String)? {
    let text = rest.drop { $0 == " " || $0 == "\t" || $0 == ";" }
    guard let first = text.first, first != ",", first != "<" else { return nil }
    let name = text.prefix { !"=;,<".contains($0) }
    rest = text[name.endIndex...]
    var value = ""
    if rest.first == "=" {
      rest = rest.dropFirst().drop { $0 == " " || $0 == "\t" }
      value = rest.first == "\"" ? takeQuoted(&rest) : takeToken(&rest)
    }
    return (name.filter { $0 != " " && $0 != "\t" }.lowercased(), value)
  }

  private static func takeToken(_ rest: inout Substring) -> String {
    let token = rest.prefix { !";, \t".contains($0) }
    rest = rest[token.endIndex...]
    return String(token)
  }

  private static func takeQuoted(_ rest: inout Substring) -> String {
    var (value, isEscaped) = ("", false)
    rest = rest.dropFirst()
    while let character = rest.popFirst() {
      if !isEscaped, character == "\"" { break }
      isEscaped = !isEscaped && character == "\\"
      if !isEscaped { value.append(character) }
    }
    return value
  }

  /// Decodes `UTF-8'en'A%20blog` (RFC 8187).
  private static func decoded(_ value: String) -> String? {
    let parts = value.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].lowercased() == "utf-8" else { return nil }
    return String(decoding: parts[2].utf8.percentDecoded(), as: UTF8.self)
  }
}
