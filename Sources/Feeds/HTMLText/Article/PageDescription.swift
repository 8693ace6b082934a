import System

package struct PageDescription: Hashable, Sendable {
  /// The title of `og:title`, which lacks the site's name, or else of the page's `title`.
  package var title: String?
  package var site: String?
  package var summary: String?
  /// The address of the site's icon, absolute.
  package var icon: String?
  private var hasOwnTitle = false

  private static let maximumTitle = 300
  private static let maximumSummary = 1000

  package init() {}

  /// Takes the first icon of a `link` element; an SVG is shown by few programs.
  mutating func take(icon href: String?, rel: String?, type: String?) {
    guard icon == nil, let href, !href.isEmpty, type?.contains("svg") != true,
      !href.lowercased().hasSuffix(".svg"),
      (rel ?? "").lowercased().split(separator: " ").contains("icon")
    else { return }
    icon = href
  }

  mutating func take(_ name: String, _ content: String) {
    let line = SafeText.line(content)
    guard !line.isEmpty else { return }
    switch name.lowercased() {
    case "og:title" where !hasOwnTitle:
      (title, hasOwnTitle) = (SafeText.prefix(line, maximumCharacters: Self.maximumTitle), true)
    case "og:site_name":
      site = site ?? SafeText.prefix(line, maximumCharacters: Self.maximumTitle)
    case "description", "og:description":
      summary = summary ?? SafeText.prefix(line, maximumCharacters: Self.maximumSummary)
    default: break
    }
  }
}
