internal import System

/// The styles of text on a terminal: weight and color (SGR), and hyperlinks (OSC 8).
///
/// Only what reads well on dark and on light backgrounds: bold, dim, and three of the eight basic
/// colors, which themes choose. `StyleCodes` has the reader's own.
package struct Style: Hashable, Sendable {
  package var isColored: Bool
  package var hasHyperlinks: Bool
  /// The column where lines begin, from 0; nil where no sequence (CHA) can send the cursor to a
  /// column.
  package var origin: Int?

  package var codes = StyleCodes()

  package static let plain = Style(isColored: false, hasHyperlinks: false)

  package func bold(_ text: String) -> String { styled(text, codes.title) }
  package func dim(_ text: String) -> String { styled(text, codes.faint) }
  package func cyan(_ text: String) -> String { styled(text, codes.feed) }
  package func red(_ text: String) -> String { styled(text, codes.bad) }
  package func green(_ text: String) -> String { styled(text, codes.good) }

  package func styled(_ text: String, _ style: TextStyle) -> String {
    style.isEmpty ? text : styled(text, style.parameters(codes))
  }

  package func link(_ text: String, to url: String) -> String {
    guard hasHyperlinks, SafeLink.isSafe(url) else { return text }
    return "\u{1b}]8;;\(url)\u{1b}\\\(text)\u{1b}]8;;\u{1b}\\"
  }

  /// Returns the space behind `text`, which begins in column `start`, up to column `end`.
  ///
  /// A jump takes its place where terminals do not agree on the width of the text.
  package func fill(after text: String, from start: Int, to end: Int) -> String {
    guard let origin, !TerminalText.isCertain(text) else {
      return TerminalText.spaces(end - start - TerminalText.width(text))
    }
    return jump(origin + end)
  }

  /// Styles a whole line, with the columns that a jump leaves out.
  package func band(_ line: String, _ style: TextStyle, columns: Int) -> String {
    guard let origin, style.contains(.reversed), !TerminalText.isCertain(line) else {
      return styled(line, style)
    }
    return styled(TerminalText.spaces(columns) + jump(origin) + line, style)
  }

  private func jump(_ column: Int) -> String { "\u{1b}[\(column + 1)G" }

  private func styled(_ text: String, _ code: String) -> String {
    isColored && !text.isEmpty ? "\u{1b}[\(code)m\(text)\u{1b}[0m" : text
  }
}

/// Parameters of SGR (ECMA-48 §8.3.117) by the role of the text.
package struct StyleCodes: Hashable, Sendable {
  fileprivate var (title, faint, feed, good, bad, chosen) = ("1", "2", "36", "32", "31", "7")

  package private(set) var faults: [String] = []

  package static let variable = "NEWS_COLORS"

  package init() {}

  /// Parses `NEWS_COLORS`, such as `feed=34:chosen=30;43`, without the words that it does not
  /// understand.
  init(_ text: String) {
    let paths: KeyValuePairs<String, WritableKeyPath<StyleCodes, String>> = [
      "title": \.title, "faint": \.faint, "feed": \.feed, "good": \.good, "bad": \.bad,
      "chosen": \.chosen,
    ]
    for word in text.split(separator: ":") {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let path = paths.first(where: { $0.key == parts[0] })?.value else {
        let names = paths.map(\.key)
        let near = Spelling.nearest(to: String(parts[0]), among: names)
        let hint =
          near.map { "did you mean \($0)?" } ?? "there are \(names.joined(separator: ", "))"
        faults.append("\(Spelling.quoted(String(word))) is left out; \(hint)")
        continue
      }
      guard parts.count == 2, 1...32 ~= parts[1].utf8.count,
        parts[1].utf8.allSatisfy({ 0x30...0x39 ~= $0 || $0 == 0x3B })
      else {
        faults.append(
          "\(Spelling.quoted(String(word))) is left out; colors are numbers of SGR: \(parts[0])=30;43"
        )
        continue
      }
      self[keyPath: path] = String(parts[1])
    }
  }
}

package struct TextStyle: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  package static let bold = TextStyle(rawValue: 1)
  package static let dim = TextStyle(rawValue: 2)
  package static let italic = TextStyle(rawValue: 4)
  package static let underlined = TextStyle(rawValue: 8)
  package static let struck = TextStyle(rawValue: 16)
  package static let cyan = TextStyle(rawValue: 32)
  /// Swaps foreground and background, which marks a choice on dark and on light.
  package static let reversed = TextStyle(rawValue: 64)

  fileprivate func parameters(_ own: StyleCodes) -> String {
    let codes: [(TextStyle, String)] = [
      (.bold, own.title), (.dim, own.faint), (.italic, "3"), (.underlined, "4"), (.struck, "9"),
      (.cyan, own.feed), (.reversed, own.chosen),
    ]
    return codes.filter { contains($0.0) }.map(\.1).joined(separator: ";")
  }
}

extension Style {
  /// Chooses the style of a stream: the option counts first, then the environment, then its kind.
  ///
  /// `NO_COLOR` (no-color.org) and `CLICOLOR_FORCE` count when they are set and not empty.
  package static func forStream(
    isTerminal: Bool,
    choice: ColorChoice,
    variable: (String) -> String?,
  ) -> Style {
    let isDumb = variable("TERM") == "dumb"
    let isColored =
      switch choice {
      case .always: true
      case .never: false
      case .auto: wantsColor(variable, isDumb: isDumb, isTerminal: isTerminal)
      }
    let hasLinks = isTerminal && !isDumb && HyperlinkSupport.isKnown(variable)
    var style = Style(isColored: isColored, hasHyperlinks: hasLinks && choice != .never)
    style.codes = StyleCodes(variable(StyleCodes.variable) ?? "")
    style.origin = isTerminal && !isDumb && isColored ? 0 : nil
    return style
  }

  private static func wantsColor(
    _ variable: (String) -> String?,
    isDumb: Bool,
    isTerminal: Bool,
  ) -> Bool {
    if isSet(variable("NO_COLOR")) { return false }
    if let force = variable("CLICOLOR_FORCE"), isSet(force), force != "0" { return true }
    return isTerminal && !isDumb && variable("CLICOLOR") != "0"
  }

  private static func isSet(_ value: String?) -> Bool {
    value?.isEmpty == false
  }
}

package enum ColorChoice: String, CaseIterable, Sendable {
  case auto
  case always
  case never
}

/// Terminals that make links of OSC 8; others might print its letters.
package enum HyperlinkSupport {
  static func isKnown(_ variable: (String) -> String?) -> Bool {
    if let force = variable("FORCE_HYPERLINK") { return force != "0" }
    if let vte = variable("VTE_VERSION").flatMap(Int.init), vte >= 5000 { return true }
    let programs = ["iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper", "rio", "Tabby"]
    if let program = variable("TERM_PROGRAM"), programs.contains(program) { return true }
    let terminals = ["xterm-kitty", "alacritty", "foot", "xterm-ghostty", "wezterm", "contour"]
    if let terminal = variable("TERM"), terminals.contains(terminal) { return true }
    return ["KITTY_WINDOW_ID", "WT_SESSION", "KONSOLE_VERSION", "DOMTERM"]
      .contains { variable($0) != nil }
  }
}

package struct TerminalFacts: Hashable, Sendable {
  package var isInputTerminal = false
  package var isOutputTerminal = false
  package var isErrorTerminal = false
  package var columns: Int?
  package var rows: Int?

  package init() {}

  package static func standard() -> TerminalFacts {
    var facts = TerminalFacts()
    facts.isInputTerminal = isatty(0) == 1
    facts.isOutputTerminal = isatty(1) == 1
    facts.isErrorTerminal = isatty(2) == 1
    let descriptor: Int32? = facts.isOutputTerminal ? 1 : facts.isErrorTerminal ? 2 : nil
    if let size = descriptor.flatMap(POSIX.windowSize) {
      (facts.columns, facts.rows) = (size.columns, size.rows)
    }
    return facts
  }
}
