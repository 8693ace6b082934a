import CommandLine
import CommandSupport
import FeedFetching
import FeedImport
import FeedLibrary
import FeedParsing
import FeedStorage
import FeedUpdating
import FollowingCommands

struct ImportCommand: Command {
  static let name = "import"
  static let summary = "import feeds, stories and read marks from another reader"
  static let synopsis = "FILE|URL|- [--files] [--commands] [--allow-private]"
  static let examples = [
    HelpExample("news import subscriptions.opml", "feeds of another reader; folders become tags"),
    HelpExample("news import https://example.com/blogroll.opml", "a list on the web"),
    HelpExample("news import ~/.newsboat/urls", "newsboat's feeds, with tags and titles"),
    HelpExample("news import ~/.newsboat/config", "its keys, macros, filters and settings"),
    HelpExample(
      "news import ~/.newsboat/cache.db",
      "newsboat's stories, and which of them you have read",
    ),
    HelpExample("news import stories.json", "the output of news export --json"),
    HelpExample("ssh host news export | news import -", "from standard input"),
  ]
  static let options = [
    CommandOption("files", help: "also import feeds that are local files (file:///…)"),
    CommandOption("commands", help: "also import feeds that commands print or change"),
    CommandOption(
      "allow-private",
      help: "also import feeds in private networks (http://localhost/…)",
    ),
  ]
  static let notes = [
    "No feed is fetched; run `news refresh` afterwards. Feeds that you follow already are "
      + "not added again, but get the tags that they lack.",
    "A list comes from elsewhere, so its feeds may not lead into private networks, not even "
      + "by name, unless you give --allow-private.",
    "newsboat's exec: and filter: lines have this machine run commands, as `news subscribe "
      + "--command` and --filter do. On a terminal you are shown them and asked; elsewhere they "
      + "are left out unless you give --commands.",
    "newsboat's query feeds and named filters become saved searches, the ignore-article lines of "
      + "its config rules that drop. Its keys, macros and settings become lines of your files keys "
      + "and defaults (`news help keys`), which news undo leaves alone; keys of yours stay as they "
      + "are. What has no counterpart is named with the reason.",
    "Whatever else an OPML file contains is kept for `news export`.",
    "Stories and marks can come from newsboat's cache, NetNewsWire's DB.sqlite3, entries "
      + "from miniflux's API (GET /v1/entries), items in Google Reader's format (FreshRSS's "
      + "starred.json), and `news export --json`. The format is recognized by content.",
    "A story that is already here becomes read or starred if it was there, but never unread. "
      + "Any other story is stored as if its feed had delivered it, so the next refresh "
      + "recognizes it. Its feed is followed from now on. newsboat's flags become tags, as it has "
      + "no star: a is flag-a, and `news star --all --grep tag:flag-a` stars these. What was "
      + "deleted there stays deleted.",
  ]

  private static let maximumListBytes = FeedLists.maximumBytes
  private static let maximumBytes = 2 << 30
  private static let white: Set<UInt8> = [0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf]

  struct Imported {
    let list: ImportedList
    let said: [String]
    /// True if there are feeds or stories that were not there before.
    let isOfUse: Bool
  }

  let context: CommandContext

  var readerAccess: ReaderAccess? {
    if context.arguments.operands.contains(where: { Self.url($0) != nil }) { return .network }
    let paths = context.arguments.operands.compactMap(databasePath)
    // SQLite reads the log beside it.
    return .files(paths.flatMap { path in ["", "-wal", "-journal"].map { path + $0 } })
  }

  func run() throws -> ExitStatus {
    guard let word = context.arguments.operands.first, context.arguments.operands.count == 1 else {
      throw usage("no file given: news import FILE")
    }
    let url = Self.url(word)
    if url != nil, let name = ["commands", "files"].first(where: context.arguments.has) {
      throw usage("--\(name) is for lists of yours: download this one first, and look at it")
    }
    let file = word == "-" ? "from standard input" : Spelling.quoted(word)
    let name = url.map(WebURL.printable) ?? file
    let imported = try take(word, url, name)
    context.complain(of: imported.list.refused)
    for line in imported.said { context.say(line) }
    sayNext(imported)
    guard imported.list.isCutShort else { return .done }
    context.complain("\(name): breaks off; what is there was imported")
    return .notAFeed
  }

  private var permission: ImportedURL.Permission {
    ImportedURL.Permission(
      files: context.arguments.has("files"),
      privateNetworks: context.arguments.has("allow-private"),
      commands: context.arguments.has("commands"),
    )
  }

  private func take(_ word: String, _ url: String?, _ name: String) throws -> Imported {
    let stories = StoryImport(
      context: context,
      permission: permission,
      file: url == nil ? word : nil,
    )
    if let path = databasePath(word) { return try stories.run(ReaderDatabase(path, name: name)) }
    let body = if let url { try answer(url, name) } else { try body(word, name) }
    return try body.withBytes { (bytes) in
      switch bytes.first(where: { !Self.white.contains($0) }) {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        return try stories.run(ReaderImport(bytes, name: name))
      default:
        guard bytes.count <= Self.maximumListBytes else {
          throw Failure("\(name): larger than \(Self.maximumListBytes) bytes")
        }
        return try subscribe(try list(Array(bytes), name), stories.file, name)
      }
    }
  }

  private static func url(_ word: String) -> String? {
    let url = PastedAddress(word).url
    return WebURL.isWeb(url) ? url : nil
  }

  private func answer(_ url: String, _ name: String) throws -> ReceivedBody {
    var request = FetchRequest(url: url)
    request.maximumBytes = Self.maximumListBytes
    let library = try context.store().read()
    let answers = context.makeFetcher().answers(
      to: [request],
      options: context.fetchOptions(library: library),
      cancellation: context.cancellation(),
    ) { (outcome: $1, body: $2) }
    guard let answer = answers.first.flatMap(\.self) else { throw Failure("\(name): no answer") }
    if let error = answer.outcome.error { throw Failure("\(name): \(SafeText.line("\(error)"))") }
    return answer.body
  }

  private func subscribe(
    _ list: ImportedList,
    _ file: String?,
    _ name: String,
  ) throws -> Imported {
    guard list.subscriptions.count <= ImportedStories.maximumFeeds else {
      throw Failure("\(name): refused: number of feeds over \(ImportedStories.maximumFeeds)")
    }
    var list = list
    let rules = try ImportedRules(&list, context)
    let settings = takeSettings(of: &list, file)
    let merge = try context.store(naming: list.subscriptions, in: file).subscribe(
      to: list.subscriptions,
      of: list.document,
      rules: rules.rules,
      by: context,
    )
    let (added, known) = (merge.added.count, merge.known.count)
    let isOfFeeds = !list.subscriptions.isEmpty || list.filters.isEmpty && list.settings.isEmpty
    let said = (isOfFeeds ? [message(added, known)] : []) + rules.said + settings
    return Imported(list: list, said: said, isOfUse: added > 0)
  }

  /// Adds settings to the files of the reader; returns what is to be said.
  private func takeSettings(of list: inout ImportedList, _ file: String?) -> [String] {
    guard !list.settings.isEmpty else { return [] }
    // They can have programs run.
    let isOwn = file.map { $0 != "-" && FileTrust.refusal($0) == nil } ?? false
    var settings = NewsboatSettings(context.environment)
    for setting in list.settings {
      do {
        guard isOwn else { throw Failure("only a file that you alone can write changes settings") }
        try settings.take(setting.words)
      } catch {
        let line = "\(setting.place): \(NewsboatSettings.printable(setting.words))"
        list.refuse(SafeText.line(line), Failure(error).message)
      }
    }
    var said: [String] = []
    let own = CommandDefaults(context.environment).lines
    let defaults = settings.defaults.filter { line in
      let words = ShellLine(line).words
      return !own.contains {
        $0.command == words[0] && $0.arguments.has(String(words[1].dropFirst(2)))
      }
    }
    let files = [
      ("keys", settings.keys, context.environment.keysPath),
      ("defaults", defaults, context.environment.defaultsPath),
    ]
    for (name, lines, path) in files where !lines.isEmpty {
      do { said.append(try ReaderFile(path, context).add(lines)) } catch {
        list.refuse(name, Failure(error).message)
      }
    }
    return said
  }

  private func sayNext(_ imported: Imported) {
    guard imported.isOfUse, context.environment.terminal.isErrorTerminal else { return }
    context.say(
      "next: `news refresh` fetches the feeds, and `news list --unread` shows what is new"
    )
  }

  /// Returns the path of an SQLite database, with links resolved; nil for another file.
  private func databasePath(_ word: String) -> String? {
    guard word != "-", FileStatus(at: word)?.kind == .file else { return nil }
    let descriptor = POSIX.openForReading(word)
    guard descriptor >= 0 else { return nil }
    defer { _ = close(descriptor) }
    var start = [UInt8](repeating: 0, count: ReaderDatabase.signature.count)
    let count = start.withUnsafeMutableBytes { POSIX.readPart(of: descriptor, into: $0) }
    guard count == start.count, start == ReaderDatabase.signature else { return nil }
    // SQLite's log is beside the file that links lead to.
    guard let path = realpath(word, nil) else { return nil }
    defer { free(path) }
    return String(cString: path)
  }

  /// Reads into memory while it is short, else into a file that nobody can change meanwhile.
  private func body(_ word: String, _ name: String) throws -> ReceivedBody {
    let body = ReceivedBody()
    do throws(FileReadingError) {
      if word == "-" {
        try context.environment.readInput(Self.maximumBytes) { body.append($0) }
      } else {
        try POSIX.readFile(word, maximumBytes: Self.maximumBytes) { body.append($0) }
      }
    } catch {
      throw Failure("\(name): \(error)")
    }
    return body
  }

  /// Reads markup as OPML, everything else as newsboat's format.
  private func list(_ bytes: [UInt8], _ name: String) throws -> ImportedList {
    let isText = !bytes.contains(0) && !bytes.starts(with: [0x1f, 0x8b])
    if isText, bytes.first(where: { !Self.white.contains($0) }) != UInt8(ascii: "<") {
      let isSetting = NewsboatSettings.isSetting
      var list = NewsboatURLs.read(bytes, permission, isSetting: isSetting)
      if mayRun(list) {
        var permission = permission
        permission.commands = true
        list = NewsboatURLs.read(bytes, permission, isSetting: isSetting)
      }
      let refusals = list.refused.map(\.reason)
      if !list.subscriptions.isEmpty || !list.filters.isEmpty || !list.settings.isEmpty
        || bytes.isEmpty
        || refusals.contains(where: ImportedURL.refusals.contains)
      {
        return list
      }
      throw Failure("\(name): neither OPML nor a list of URLs", status: .notAFeed)
    }
    do throws(FeedParsingError) {
      return try OPMLImport.read(bytes, permission)
    } catch {
      throw Failure("\(name): \(OPMLImport.reason(error))", status: .notAFeed)
    }
  }

  private func mayRun(_ list: ImportedList) -> Bool {
    let commands = list.refused.filter { $0.reason == ImportedURL.commandRefusal }
    guard !commands.isEmpty, context.canAsk else { return false }
    let lines = commands.map { "  " + SafeText.line(WebURL.redacted($0.text)) + "\n" }
    return context.agrees(
      to:
        "These feeds run commands on this machine:\n\(lines.joined())"
        + "Import \(lines.count == 1 ? "it" : "them") too?"
    )
  }

  private func message(_ added: Int, _ known: Int) -> String {
    let there = known > 0 ? "; \(Count.of(known, "was", "were")) there already" : ""
    return "\(Count.of(added, "feed")) imported\(there)"
  }
}
