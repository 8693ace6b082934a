/// The URL of a feed that a command prints, in newsboat's form: `exec:my-scraper --x`.
package enum CommandURL {
  private static let scheme = "exec:"

  package static func url(_ command: String) -> String { scheme + command }

  package static func command(of url: String) -> String? {
    url.hasPrefix(scheme) ? String(url.dropFirst(scheme.count)) : nil
  }
}
