import CommandLine
import CommandSupport
import FeedImport
import ReadingCommands

/// The settings of newsboat's `config` that are no filters, as lines of `keys` and of the defaults.
struct NewsboatSettings {
  private(set) var keys: [String] = []
  private(set) var defaults: [String] = []
  /// The keys of the reader, beside which those of newsboat have to stand.
  private var map: KeyMap
  private let home: String?

  init(_ environment: Environment) {
    (map, home) = (KeyMap(environment), environment.variable("HOME"))
  }

  /// Takes a line; throws the reason why it cannot be taken.
  mutating func take(_ words: [String]) throws {
    let rest = Array(words.dropFirst().prefix { $0 != "--" })
    switch words[0] {
    case "bind-key": try bind(rest, rest.dropFirst().prefix(1))
    case "bind": try bind(rest, rest.dropFirst(2))
    case "unbind-key" where rest.first.map { $0 != "-a" } ?? false: try free(key(rest))
    case "macro": try add(", " + key(rest), rest.dropFirst())
    case "download-path": defaults.append("download --to \(try folder(rest))")
    case "max-items" where rest.first.flatMap(Int.init).map { $0 >= 0 } ?? false:
      defaults += ["fetch", "refresh"].map { "\($0) --keep \(rest[0])" }
    case "text-width" where rest.first.flatMap(Int.init).map { 20...400 ~= $0 } ?? false:
      defaults.append("browse --width \(rest[0])")
    case "article-sort-order": try sort(by: rest.first ?? "")
    default: throw Failure(Self.reasons[words[0]] ?? Self.reason(of: words[0]))
    }
  }

  // MARK: Keys

  private mutating func bind(_ words: [String], _ operations: ArraySlice<String>) throws {
    try add(try key(words), operations)
  }

  private mutating func add(_ key: String, _ words: ArraySlice<String>) throws {
    let line = "\(key) \(try operations(words).joined(separator: " ; "))"
    let isOther = keys.contains { $0.hasPrefix(key + " ") && $0 != line }
    guard !isOther else { throw Failure("\(key) stands for something else in another dialog") }
    guard !keys.contains(line) else { return }
    guard map.ownLine(of: key) ?? line == line else { throw Failure("\(key) has a line of yours") }
    try map.take(line[...])
    keys.append(line)
  }

  private mutating func free(_ key: String) throws {
    let isImported = keys.contains { $0.hasPrefix(key + " ") }
    guard isImported || map.ownLine(of: key) == nil else {
      throw Failure("\(key) has a line of yours")
    }
    keys.append(key)
  }

  private func key(_ words: [String]) throws -> String {
    guard let word = words.first, !word.isEmpty else { throw Failure("no key given") }
    if let name = Self.keyNames[word.uppercased()], word.count > 1 { return name }
    guard word.count == 1 && word != "#" || word.count == 2 && word.hasPrefix("^") else {
      throw Failure("no key \(Spelling.quoted(word)) here")
    }
    return word.count == 2 ? word.uppercased() : word
  }

  private static let keyNames = [
    "ENTER": "Enter", "SPACE": "Space", "ESC": "Esc", "TAB": "Tab", "BACKSPACE": "Backspace",
    "UP": "Up", "DOWN": "Down", "LEFT": "Left", "RIGHT": "Right", "HOME": "Home", "END": "End",
    "PPAGE": "PgUp", "PAGEUP": "PgUp", "NPAGE": "PgDn", "PAGEDOWN": "PgDn",
  ]

  /// Translates what stands between semicolons; a browser that is set holds for the next opening.
  private func operations(_ words: ArraySlice<String>) throws -> [String] {
    var lines: [String] = []
    var browser: String?
    for operation in Self.parts(words) {
      if operation.count == 3, operation[0] == "set", operation[1] == "browser" {
        browser = operation[2]
      } else if let program = browser, operation[0].hasPrefix("open-in-browser") {
        lines.append(try Self.program(program))
        browser = nil
      } else if let word = Self.words[operation[0]], operation.count == 1 {
        lines.append(word)
      } else {
        throw Failure("nothing here does \(Spelling.quoted(operation.joined(separator: " ")))")
      }
    }
    guard !lines.isEmpty else { throw Failure("no operation given") }
    return lines
  }

  private static func parts(_ words: ArraySlice<String>) -> [[String]] {
    var parts: [[String]] = [[]]
    for word in words {
      let ends = word.hasSuffix(";")
      let text = ends ? String(word.dropLast()) : word
      if !text.isEmpty { parts[parts.count - 1].append(text) }
      if ends { parts.append([]) }
    }
    return parts.filter { !$0.isEmpty }
  }

  /// Translates a browser's line; one that needs a shell gets the link as its first argument.
  private static func program(_ whole: String) throws -> String {
    guard !whole.contains(/%[^utT]/) else {
      throw Failure("its program asks for more than link, title and feed")
    }
    let line = whole.replacing(/(["'])(%[utT])\1/) { $0.output.2 }
    // A shell in a shell would read a title as code.
    let quoted = line.matches(of: /"[^"]*"|'[^']*'/)
    guard !quoted.contains(where: { $0.output.contains(/%[utT]/) }) else {
      throw Failure("its program has link, title or feed inside a quoted text")
    }
    guard NewsboatURLs.needsShell(line) else {
      let text = line.replacing("%u", with: "{link}").replacing("%t", with: "{title}")
        .replacing("%T", with: "{feed}")
      return "!" + text + (text.contains("{link}") ? "" : " {link}")
    }
    let script = line.replacing("%u", with: "\"$1\"").replacing("%t", with: "\"$2\"")
      .replacing("%T", with: "\"$3\"")
    return "!sh -c \(ShellWord.quoted(script)) sh {link} {title} {feed}"
  }

  private static let words = [
    "open": "enter", "quit": "back-or-quit", "hard-quit": "quit", "reload": "refresh-feed",
    "reload-all": "refresh-all", "mark-feed-read": "read-all", "mark-all-feeds-read": "read --all",
    "save": "save-text", "next": "down", "prev": "up", "next-unread": "next",
    "prev-unread": "previous-unread", "next-feed": "down", "prev-feed": "up",
    "open-in-browser": "open-link", "open-in-browser-and-mark-read": "open-link",
    "open-in-browser-noninteractively": "open-link", "help": "keys",
    "toggle-article-read": "toggle-read", "toggle-show-read-feeds": "show-read",
    "show-urls": "links", "set-tag": "to-tags", "select-tag": "to-tags", "open-search": "search",
    "enqueue": "download", "redraw": "redraw", "cmdline": ":", "set-filter": "search",
    "clear-filter": "back", "bookmark": "toggle-star", "edit-flags": ":tag ",
    "delete-article": "delete", "mark-all-above-as-read": "read above", "pipe-to": ":|", "up": "up",
    "down": "down", "pageup": "page-up",
    "pagedown": "page-down", "home": "first", "end": "last", "sort": "sort-feeds",
  ]

  // MARK: Settings

  private func folder(_ words: [String]) throws -> String {
    guard let word = words.first, !word.isEmpty else { throw Failure("no value given") }
    guard word == "~" || word.hasPrefix("~/") else { return ShellWord.asNeeded(word) }
    // No shell reads the defaults.
    guard let home, !home.isEmpty else { throw Failure("HOME is not known") }
    return ShellWord.asNeeded(home + word.dropFirst())
  }

  private mutating func sort(by order: String) throws {
    switch order {
    case "date", "date-desc": break
    case "date-asc": defaults += ["list --reverse", "browse --reverse"]
    default: throw Failure("lists are by date; a saved search has another order, as sort:title")
    }
  }

  static let names =
    Set(["bind-key", "bind", "unbind-key", "macro", "download-path", "max-items"])
    .union(["article-sort-order"]).union(reasons.keys)

  private static func reason(of name: String) -> String {
    name.hasPrefix("color") || name.hasSuffix("-format")
      ? "colours and columns are not set here" : "no such setting here"
  }

  private static let reasons = [
    "browser": "set BROWSER to it in your shell, as in export BROWSER=w3m",
    "player": "set NEWS_PLAYER to it in your shell",
    "pager": "set PAGER to it in your shell",
    "proxy": "set https_proxy to it in your shell, which all programs go by",
    "proxy-type": "https_proxy in your shell names it, as in socks5h://localhost:9050",
    "use-proxy": "set https_proxy in your shell, which all programs go by",
    "auto-reload": "`news schedule install` fetches in the background",
    "reload-time": "`news schedule install` fetches when feeds are due",
    "reload-threads": "all feeds are fetched at once",
    "notify-program": "`news schedule install --notify` shows notices, --on-new runs a program",
    "notify-always": "`news schedule install --notify` shows notices",
    "always-display-description": "the whole text is always shown",
    "reset-unread-on-update":
      "`news feeds set FEED --unread-when-edited` has it so, for all feeds with --all",
    "highlight": "words get no colour; a rule can star or tag their stories (`news help rules`)",
    "highlight-article": "stories get no colour; a rule can star or tag them (`news help rules`)",
    "show-read-feeds": "l in browse hides what is read, and keeps it so",
    "show-read-articles": "l in browse hides what is read, and keeps it so",
    "include": "import that file as well",
    "color": "colours are not set by part of the screen here",
    "text-width": "browse --width takes 20 to 400 columns",
    "external-url-viewer": "L in browse shows the links",
    "bookmark-cmd": "a star, or a key with a program of yours (`news help keys`)",
    "urls-source": "`news help sync` tells how to follow a server's feeds",
    "cache-file": "NEWS_HOME or --home names the home",
    "refresh-on-startup": "`news schedule install` fetches before you look",
  ]
}
