import CommandLine
import CommandSupport
import ReadingCommands
import Searching

/// Help that is about no command.
enum HelpTopic: String, CaseIterable {
  case search
  case keys
  case defaults

  func text(_ help: Help, _ environment: Environment) -> String {
    switch self {
    case .search:
      help.topic("search", "what --grep, the rules and / in browse understand", Self.searches)
        + help.note("The fields are " + SearchField.help)
        + help.note("`news list --explain --grep SEARCH` says what was understood.")
    case .keys:
      KeyMap(environment).help(columns: help.columns).map { $0 + "\n" }.joined()
        + help.note(
          "A line of ~/.config/news/keys has a key and what it does, separated by blanks; "
            + "`news help browse` has all that can stand there."
        )
    case .defaults:
      help.topic("defaults", "lines of ~/.config/news/defaults", Self.lines)
        + help.note(
          "They are put before what you type, which wins. --no-NAME withdraws one option, "
            + "--no-defaults all. A wrong line is named, and left out."
        )
    }
  }

  private static let searches = [
    HelpExample("camera lens", "both words, in title, text, author or category"),
    HelpExample("\"two words\"", "one after the other"),
    HelpExample("/\\bchips?\\b/", "a regular expression (pcre2pattern(3))"),
    HelpExample("-camera", "without the word"),
    HelpExample("(camera or lens) -privacy", "one of them, without the third"),
    HelpExample("title:camera", "the word in one field"),
    HelpExample("is:unread since:3d", "by marks, and by time"),
    HelpExample("chips sort:length", "in another order"),
  ]

  private static let lines = [
    HelpExample("list -n 30", "as if typed behind `news list`"),
    HelpExample("browse --group", "the same for another command"),
    HelpExample("fetch --on-new 'beep'", "programs, too, if only you can write the file"),
    HelpExample("--color never", "options alone hold for all commands"),
    HelpExample("# a comment", "up to the end of the line"),
  ]
}
