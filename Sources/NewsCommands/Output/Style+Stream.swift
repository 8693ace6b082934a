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
    var style = Style(isColored: isColored, hasHyperlinks: hasLinks && choice != .never)
    style.hasColumns = isTerminal && !isDumb && isColored
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
