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
