import CommandLine
import CommandSupport
import FeedModel
import FeedStorage
import Searching

struct RulesCommand: Command {
  static let name = "rules"
  static let summary = "manage rules for new stories, and saved searches"
  static let synopsis =
    "[add|remove|apply|NAME] [NAME…] [--feed FEED] [--grep TEXT] [--then ACTION] [--test] …"
  static let examples = [
    HelpExample("news rules", "list rules and saved searches"),
    HelpExample(
      "news rules add ads --grep sponsored --then drop",
      "do not store stories like these",
    ),
    HelpExample("news rules add ads --grep sponsored --then drop --test", "try the rule first"),
    HelpExample(
      "news rules add chips --feed tag:tech --grep chips --then star --then tag:chips",
      "star and tag stories",
    ),
    HelpExample(
      "news rules add quiet --feed reuters --then read",
      "mark all stories of a feed as read",
    ),
    HelpExample(
      "news rules add storms --grep 'title:storm' --then notify",
      "be told of these stories alone when they come",
    ),
    HelpExample("news rules add today --unread --grep berlin", "save a search"),
    HelpExample("news list --feed search:today", "list what it finds"),
    HelpExample("news rules --test", "stored stories that any rule would have changed"),
    HelpExample("news rules apply chips", "apply the rule to stories that are already stored"),
    HelpExample("news rules remove ads quiet", "remove rules; what they dropped comes back"),
  ]
  static let options =
    TypedRule.options.map { $0.only(with: "add", "test") } + [
      CommandOption("test", help: "show the stored stories that match, without changing them"),
      Confirmation.option.only(with: "apply"),
      Pager.option,
    ]
  static let notes = [
    "A rule acts once on each new story, when it arrives. --then says what to do: read, "
      + "star, tag:NAME, notify or drop. A dropped story is never stored. Without --then it is a saved "
      + "search. You can list the stories of both: news list --feed search:NAME. If several "
      + "rules match a story, all of them act.",
    "--feed and --grep match as in `news list`, but --feed takes no search:NAME. A rule follows "
      + "its feed when the feed moves. A tag of a story works like a tag of a feed: news list "
      + "--feed tag:NAME.",
    "notify tells you of what the rule matches when `news fetch` brings it. As soon as one rule does, "
      + "--notify and --on-new of fetch are about what such rules match, and nothing else; without "
      + "either, a desktop notification is shown. What the rule also marks as read, and what comes from "
      + "a hidden feed, is announced, too.",
    "Stories that other rules mark as read are not announced by fetch --notify and --on-new. "
      + "--test shows what would have happened to each story. apply never drops starred stories or "
      + "saved pages, and asks before it drops others. `news undo` reverts add, remove and apply.",
    "When piped, each rule is a tab-separated line: name, action, URLs and tags of feeds, "
      + "texts, and the words text, unread and starred.",
  ]
  static let json: JSONForm? = .array("the rules, in your order", RuleJSON.fields)
  static let jsonWith = [(option: "test", form: RuleTrial.json)]

  static let actions = ["add", "remove", "apply"]

  let context: CommandContext

  func run() throws -> ExitStatus {
    let words = context.arguments.operands
    let verb = words.first.flatMap(RuleVerb.init)
    let names = Array(words.dropFirst(verb == nil ? 0 : 1))
    let isTest = context.arguments.has("test")
    let given = TypedRule.options.first { context.arguments.has($0.key) }
    if let verb, isTest, verb != .add {
      throw usage("--test cannot be used with \(verb.rawValue): news rules --test NAME")
    }
    switch verb {
    case nil: try isTest ? test(names, isTyped: given != nil) : list(names)
    case .add:
      let name = try onlyName(names, none: "say what to call it: news rules add NAME …")
      let rule = try TypedRule(context: context).rule(named: name, try store.read(.names))
      try isTest ? RuleTrial(context: context).show([rule]) : add(rule)
    case .remove:
      guard !names.isEmpty else { throw usage("no rule given: news rules remove NAME") }
      try remove(names)
    case .apply:
      let name = try onlyName(names, none: "no rule given: news rules apply NAME")
      guard try RuleApplication(context: context).apply(name) else { return .failed }
    }
    return context.output.isSound ? .done : .failed
  }

  private func onlyName(_ names: [String], none: String) throws -> String {
    guard let name = names.first else { throw usage(none) }
    guard names.count == 1 else {
      let search = names[1...].joined(separator: " ")
      throw usage("one rule at a time: \(name), not \(search) as well (--grep TEXT searches)")
    }
    return name
  }

  private var store: LibraryStore {
    get throws { try context.store() }
  }

  private func rules(_ names: [String]) throws -> [StoryRule] {
    let store = try store
    let all = try store.rules()
    guard !names.isEmpty else { return all }
    return try names.map { try all.rule($0) }
  }

  private func test(_ names: [String], isTyped: Bool) throws {
    guard isTyped else { return try RuleTrial(context: context).show(try rules(names)) }
    guard names.isEmpty else {
      throw usage("--test tries rules by their names, or one that is typed, not both")
    }
    try RuleTrial(context: context).show([
      try TypedRule(context: context).rule(named: "typed", try store.read(.names))
    ])
  }

  // MARK: Changes

  private func add(_ rule: StoryRule) throws {
    let isNew = try change("add") { library, rules in
      guard !rules.contains(rule) else { return nil }
      let name = TextFolding.fold(rule.name)
      guard !rules.contains(where: { TextFolding.fold($0.name) == name }) else {
        let word = ShellWord.asNeeded(rule.name)
        throw Failure("there is a rule \(rule.name) already (`news rules remove \(word)`)")
      }
      return library.change(rules: rules + [rule], without: [])
    }
    let word = ShellWord.asNeeded(rule.name)
    context.say(
      !isNew
        ? "nothing to change: there is this rule already"
        : rule.actions == [.notify]
          ? "rule added: news fetch tells of what it matches"
          : rule.isSearch
            ? "search added: news list --feed search:\(word)"
            : "rule added; for the stories that are there: news rules apply \(word)"
    )
  }

  private func remove(_ names: [String]) throws {
    var gone: [StoryRule] = []
    _ = try change("remove") { library, rules in
      gone = []
      for name in names { gone.append(try rules.rule(name)) }
      return library.change(rules: rules.filter { !gone.contains($0) }, without: gone)
    }
    let what = Count.of(Set(gone).count, "rule") + " removed"
    let back = "; the next refresh brings back what the feeds still carry"
    context.say(gone.contains(where: \.drops) ? what + back : what)
  }

  private func change(
    _ verb: String,
    _ body: (Library, [StoryRule]) throws -> LibraryChange?,
  ) throws -> Bool {
    let store = try store
    return try store.change { library in
      let rules = try store.rules()
      guard var change = try body(library, rules) else { return (LibraryChange(), false) }
      change.origin = ChangeOrigin(command: "\(Self.name) \(verb)", date: context.clock.date)
      return (change, true)
    }
  }

  // MARK: List

  private func list(_ names: [String]) throws {
    let rules = try rules(names)
    if context.isJSON { return context.output.printJSON(rules, RuleJSON.fields) }
    guard context.isOnTerminal else {
      for rule in rules { context.output.printFields(RuleJSON.texts(rule)) }
      return
    }
    guard !rules.isEmpty else {
      return context.say("no rules yet: news rules add NAME --grep TEXT --then read")
    }
    let feeds = FeedName(try store.read(.names))
    let table = context.table([.init("name"), .init("stories", shrinks: true), .init("then")])
    let rows = rules.map { rule in
      let actions = rule.actions.map { SafeText.line($0.word) }.joined(separator: ", ")
      let then = rule.isSearch ? "(a search)" : actions
      return [SafeText.line(rule.name), stories(rule, feeds), then]
    }
    Pager(context).print(table.lines(rows).map { $0 + "\n" })
  }

  /// Returns `unread, of LWN, tag:work, with chips`.
  private func stories(_ rule: StoryRule, _ names: FeedName) -> String {
    var parts: [String] = []
    if rule.isUnread { parts.append("unread") }
    if rule.isStarred { parts.append("starred") }
    let feeds = rule.feeds.map { StoryTag($0) != nil ? SafeText.line($0) : names.name(of: $0) }
    if !feeds.isEmpty { parts.append("of \(feeds.joined(separator: ", "))") }
    if !rule.grep.isEmpty {
      let texts = rule.grep.map { SafeText.line($0) }.joined(separator: " ")
      parts.append("with \(texts)")
    }
    return parts.isEmpty ? "all" : parts.joined(separator: ", ")
  }
}

enum RuleJSON {
  static let fields: [JSONField<StoryRule>] = [
    JSONField("name", "what it is called, as in search:NAME") { .string($0.name) },
    JSONField("feeds", "the URLs of its feeds, and tag:NAME; empty for all") {
      .strings($0.feeds.map { WebURL.redacted($0) })
    },
    JSONField("grep", "texts as --grep takes them, all of which match") { .strings($0.grep) },
    JSONField("text", "whether whole texts are looked in, as --grep does") {
      .boolean(!$0.grep.isEmpty)
    },
    JSONField("unread", "whether it is for unread stories alone") { .boolean($0.isUnread) },
    JSONField("starred", "whether it is for starred stories alone") { .boolean($0.isStarred) },
    JSONField("then", "read, star, drop, tag:NAME and notify; empty for a search") {
      .strings($0.actions.map(\.word))
    },
  ]

  static func texts(_ rule: StoryRule) -> [String] {
    let flags = [
      ("text", !rule.grep.isEmpty), ("unread", rule.isUnread), ("starred", rule.isStarred),
    ]
    return [
      rule.name, rule.actions.map(\.word).joined(separator: ","),
      rule.feeds.map { WebURL.redacted($0) }.joined(separator: " "),
      rule.grep.joined(separator: " "), flags.filter(\.1).map(\.0).joined(separator: " "),
    ]
  }
}

/// The words that say what `news rules` is to do; no rule has such a name.
package enum RuleVerb: String, CaseIterable {
  case add, remove, apply
}
