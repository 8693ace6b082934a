package import FeedModel
internal import HTMLParsing
internal import System

extension OutlineElement {
  private static let usualNames = ["text", "title", "type", "xmlUrl", "htmlUrl"]

  /// The element with OPML's attributes in the specification's spelling, and no attribute twice.
  package var withUsualNames: OutlineElement {
    var copy = self
    copy.attributes = attributes.map { attribute in
      let usual = isOutline ? Self.usualName(of: attribute.name) : nil
      return OutlineAttribute(usual ?? attribute.name, attribute.value)
    }.distinct(by: \.name)
    return copy
  }

  private static func usualName(of name: String) -> String? {
    usualNames.first { $0.utf8.count == name.utf8.count && $0.lowercased() == name.lowercased() }
  }

  /// The `text`, or else the `title`, as one line without markup, which OPML 2.0 allows there; nil
  /// where nothing is left.
  package var displayTitle: String? {
    ["text", "title"].lazy.compactMap { value($0) }.map { PlainText.fromHTML($0) }
      .first { !$0.isEmpty }
  }

  package var givenTitle: String? {
    let url = value("xmlurl") ?? ""
    guard let title = displayTitle, title != url, title != WebURL.redacted(url) else { return nil }
    return title
  }

  /// The tags of its `category` (OPML 2.0): names, or paths with slashes, between commas.
  package var categoryTags: [String] { categories.map(\.tag) }

  private var categories: [(text: Substring, tag: String)] {
    (value("category") ?? "").split(separator: ",").map { text in
      let folders = text.split(separator: "/").map { SafeText.line(String($0)) }
      return (text, FolderTag.tag(folders.filter { !$0.isEmpty }))
    }.filter { !$0.tag.isEmpty }
  }

  mutating func keepCategories(_ tags: [String]) {
    let kept = categories.filter { tags.contains($0.tag) }
    guard kept.count < categories.count else { return }
    attributes.removeAll { $0.name.lowercased() == "category" }
    if !kept.isEmpty { replace("category", with: kept.map(\.text).joined(separator: ",")) }
  }

  package mutating func replace(_ name: String, with value: String) {
    if let index = attributes.firstIndex(where: { $0.name == name }) {
      attributes[index].value = value
    } else {
      attributes.append(OutlineAttribute(name, value))
    }
  }

  package mutating func fill(_ name: String, with value: String) {
    if self.value(name.lowercased()) == nil { replace(name, with: value) }
  }
}
