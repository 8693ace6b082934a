/// The URL of a feed that a command prints, as newsboat writes it: `exec:my-scraper --x`.
package enum CommandURL {
  private static let scheme = "exec:"

  package static func url(_ command: String) -> String { scheme + command }

  /// What is run; nil for other URLs.
  package static func command(of url: String) -> String? {
    url.hasPrefix(scheme) ? String(url.dropFirst(scheme.count)) : nil
  }
}
