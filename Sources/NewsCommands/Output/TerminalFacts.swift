/// What is known of the terminal that the process talks to.
package struct TerminalFacts: Hashable, Sendable {
  package var isInputTerminal = false
  package var isOutputTerminal = false
  package var isErrorTerminal = false
  /// Columns of the window, where the system knows them.
  package var columns: Int?
  package var rows: Int?

  package init() {}

  /// The terminal behind the standard descriptors.
  package static func standard() -> TerminalFacts {
    var facts = TerminalFacts()
    facts.isInputTerminal = SystemCalls.isTerminal(0)
    facts.isOutputTerminal = SystemCalls.isTerminal(1)
    facts.isErrorTerminal = SystemCalls.isTerminal(2)
    let descriptor: Int32? = facts.isOutputTerminal ? 1 : facts.isErrorTerminal ? 2 : nil
    if let descriptor, let size = SystemCalls.windowSize(descriptor) {
      facts.columns = size.columns
      facts.rows = size.rows
    }
    return facts
  }
}

/// What `--color` may say.
enum ColorChoice: String, CaseIterable, Sendable {
  case auto
  case always
  case never
}

extension Style {
  /// The dress for one stream: the option first, then the environment, then what the stream is.
  ///
  /// `NO_COLOR` (no-color.org) and `CLICOLOR_FORCE` count when they are set and not empty.
  static func forStream(
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
    return Style(isColored: isColored, hasHyperlinks: hasLinks && choice != .never)
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

/// Terminals that are known to make links of OSC 8; others might print its letters.
enum HyperlinkSupport {
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
