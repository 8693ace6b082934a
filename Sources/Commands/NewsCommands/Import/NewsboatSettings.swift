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
    case "bind-key": try add(key(rest), rest.dropFirst().prefix(1))
    case "bind": try add(sequence(rest.first ?? ""), rest.dropFirst(2))
    case "unbind-key" where rest.first.map { $0 != "-a" } ?? false: try free(key(rest))
    case "macro": try add(", " + key(rest), rest.dropFirst())
    case "download-path": defaults.append("download --to \(try folder(rest))")
    case "max-items" where rest.first.flatMap(Int.init).map { $0 >= 0 } ?? false:
      defaults += ["fetch", "refresh"].map { "\($0) --keep \(rest[0])" }
    case "text-width" where rest.first.flatMap(Int.init).map { 20...400 ~= $0 } ?? false:
      defaults.append("browse --width \(rest[0])")
    case "article-sort-order": try sort(by: rest.first ?? "")
    default: throw Failure(Self.reason(of: words[0]))
    }
  }

  // MARK: Keys

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

  /// Translates the keys of `bind`: `gg`, `<C-a>`, `^A<ENTER>`.
  private func sequence(_ text: String) throws -> String {
    var keys: [String] = []
    var rest = text[...]
    while let sign = rest.first {
      var word = rest.prefix(sign == "^" && rest.count > 1 ? 2 : 1)
      rest = rest.dropFirst(word.count)
      if sign == "<", let end = rest.firstIndex(of: ">") {
        word = rest[..<end]
        rest = rest[end...].dropFirst()
        if word.hasPrefix("C-") { word = "^" + word.dropFirst(2) }
        if word.hasPrefix("S-"), word.count == 3 { word = word.dropFirst(2).uppercased()[...] }
      }
      keys.append(try key([String(word)]))
    }
    guard !keys.isEmpty else { throw Failure("no key given") }
    return keys.joined(separator: " ")
  }

  private static let keyNames = [
    "ENTER": "Enter", "SPACE": "Space", "ESC": "Esc", "TAB": "Tab", "BACKSPACE": "Backspace",
    "LT": "<", "UP": "Up", "DOWN": "Down", "LEFT": "Left", "RIGHT": "Right", "HOME": "Home",
    "END": "End",
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
        let reason = Self.refusals[operation[0]]
        let quoted = Spelling.quoted(operation.joined(separator: " "))
        throw Failure(reason ?? "nothing here does \(quoted)")
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
    "save": "save-text", "save-all": "pick-all ; save-text", "next": "down", "prev": "up",
    "next-unread": "next", "prev-unread": "previous-unread", "next-feed": "next-feed",
    "prev-feed": "previous-feed", "next-unread-feed": "next-unread-feed",
    "prev-unread-feed": "previous-unread-feed", "open-in-browser": "open-link",
    "open-in-browser-and-mark-read": "open-link", "open-in-browser-noninteractively": "open-link",
    "goto-url": "links", "help": "keys", "toggle-article-read": "toggle-read",
    "toggle-show-read-feeds": "show-read", "show-urls": "links", "set-tag": "to-tags",
    "select-tag": "to-tags", "clear-tag": "to-feeds", "open-search": "search",
    "goto-title": "search", "enqueue": "download", "redraw": "redraw", "cmdline": ":",
    "set-filter": "search", "select-filter": "to-feeds", "clear-filter": "back",
    "bookmark": "toggle-star", "edit-flags": ":tag ", "delete-article": "delete",
    "delete-all-articles": "pick-all ; delete", "mark-all-above-as-read": "read above",
    "pipe-to": ":|", "up": "up", "down": "down", "pageup": "page-up", "pagedown": "page-down",
    "home": "first", "end": "last", "sort": "sort-feeds", "switch-focus": "next-pane",
  ]

  private static let refusals = table([
    (
      "view-dialogs close-dialog next-dialog prev-dialog",
      "browse has panes in place of dialogs, which Tab goes through",
    ),
    ("edit-urls reload-urls", "feeds are changed by commands, such as :feeds set"),
    ("purge-deleted", "a deleted story goes at once, and z brings it back"),
    ("macro-prefix", "imported macros begin with a comma, as there"),
    ("rev-sort", "< turns the order of the list round"),
    (
      "one two three four five six seven eight nine zero",
      "digits are no keys: 3o opens link 3",
    ),
  ])

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
    // Its directions are the other way round: desc has the oldest first.
    case "date-asc": break
    case "date", "date-desc": defaults += ["list --reverse", "browse --reverse"]
    default: throw Failure("lists are by date; a saved search has another order, as sort:title")
    }
  }

  private static let taken: Set = [
    "bind-key", "bind", "macro", "download-path", "article-sort-order",
  ]

  static func isSetting(_ name: String) -> Bool {
    taken.contains(name) || reasons[name] != nil || isOfService(name)
      || name.hasSuffix("-format") && name.allSatisfy { $0.isLetter || $0 == "-" }
  }

  /// Returns a line without the secret that it may have.
  static func printable(_ words: [String]) -> String {
    let isSecret = ["password", "token", "app-key", "-auth"].contains { words[0].contains($0) }
    return (isSecret ? words.prefix(1) : words[...]).map { WebURL.redacted(word: $0) }
      .joined(separator: " ")
  }
}
