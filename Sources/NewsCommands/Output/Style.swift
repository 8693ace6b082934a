/// How text is dressed for a terminal: weight and colour (SGR), and hyperlinks (OSC 8).
///
/// Only what reads well on dark and on light backgrounds alike: bold, dim, and three of the eight
/// basic colours, which themes choose.
struct Style: Hashable, Sendable {
  var isColored: Bool
  var hasHyperlinks: Bool

  static let plain = Style(isColored: false, hasHyperlinks: false)

  func bold(_ text: String) -> String { dressed(text, "1") }
  func dim(_ text: String) -> String { dressed(text, "2") }
  func cyan(_ text: String) -> String { dressed(text, "36") }
  func red(_ text: String) -> String { dressed(text, "31") }
  func green(_ text: String) -> String { dressed(text, "32") }

  /// `text` that leads to `url` when it is clicked, where the terminal can do so.
  func link(_ text: String, to url: String) -> String {
    guard hasHyperlinks, SafeLink.isSafe(url) else { return text }
    return "\u{1b}]8;;\(url)\u{1b}\\\(text)\u{1b}]8;;\u{1b}\\"
  }

  private func dressed(_ text: String, _ code: String) -> String {
    isColored && !text.isEmpty ? "\u{1b}[\(code)m\(text)\u{1b}[0m" : text
  }
}

/// Links that may be printed and opened.
enum SafeLink {
  /// Whether `url` is http or https with a host, and printable ASCII without spaces throughout.
  ///
  /// The data file may come from elsewhere, so what was checked when it was stored is again here.
  static func isSafe(_ url: String) -> Bool {
    let bytes = Array(url.utf8.prefix(8_193))
    guard bytes.count <= 8_192, bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else { return false }
    let start = url.prefix(8).lowercased()
    let prefix = start == "https://" ? 8 : start.hasPrefix("http://") ? 7 : 0
    guard prefix > 0, bytes.count > prefix else { return false }
    return bytes[prefix] != UInt8(ascii: "/")
  }
}
