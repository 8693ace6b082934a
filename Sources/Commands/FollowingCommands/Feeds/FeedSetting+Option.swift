import CommandLine
import CommandSupport
import FeedLibrary
import FeedModel
import Searching

extension FeedSetting {
  var options: [CommandOption] {
    switch self {
    case .interval:
      option("TIME", "how often to fetch it, such as 6h; '' for as often as it posts")
    case .keep: option("N", "keep N stories that it no longer carries; '' for the default")
    case .maxSize: option("MIB", "refuse documents larger than MIB; '' for the default")
    case .userAgent: option("NAME", "send this User-Agent; '' for the default")
    case .full:
      flag("fetch whole articles from the pages of new stories", "stop fetching pages")
    case .download: option("K", "keep its K newest episodes downloaded; '' for none")
    case .downloadLimit: option("MIB", "use at most MIB for its episodes; '' for 1024")
    case .pause:
      [
        CommandOption(
          word,
          optionalValue: "UNTIL",
          takesNextTime: true,
          help: "set: stop fetching it, until --resume or UNTIL: 2026-12-24, 3d",
        ),
        CommandOption("resume", help: "set: fetch it again"),
      ]
    case .http: option("1.1", "ask its server with HTTP/1.1 alone; '' for the newest both have")
    case .hide: flag("show its stories only if you ask for the feed", "show its stories in lists")
    case .keepTracking:
      flag("leave trackers such as utm_source in its links", "show its links without trackers")
    case .readAfter:
      option("TIME", "mark its stories as read when older, such as 7d; '' for never")
    case .unreadWhenEdited:
      flag("mark its stories as unread when it changes their text", "leave them as they are")
    case .oldestFirst:
      flag("list its stories with the oldest first", "list its stories with the newest first")
    case .open:
      option("browser|page|feed", "what Enter shows in browse: the browser, its page, its text")
    }
  }

  private func flag(_ on: String, _ off: String) -> [CommandOption] {
    [CommandOption(word, help: "set: \(on)"), CommandOption("no-\(word)", help: "set: \(off)")]
  }

  private func option(_ value: String, _ help: String) -> [CommandOption] {
    [CommandOption(word, value: value, help: "set: \(help)")]
  }

  /// The option's name: `max-size` of `maxSize`.
  private var word: String {
    rawValue.reduce(into: "") { $0 += $1.isUppercase ? "-\($1.lowercased())" : String($1) }
  }

  /// Returns the value to set; nil without the option, `SyncValue.none` where it is empty.
  func value(_ context: CommandContext) throws -> SyncValue? {
    guard !isFlag else { return try flag(context) }
    guard self != .pause else { return try pause(context) }
    guard let text = context.arguments.value(word) else { return nil }
    guard !text.isEmpty else { return SyncValue.none }
    switch self {
    case .interval, .readAfter: return .number(try seconds(text, context))
    case .maxSize, .downloadLimit: return .number(try number(context, shift: 20))
    case .keep, .download, .full, .pause, .hide, .keepTracking, .unreadWhenEdited, .oldestFirst:
      return .number(try number(context, shift: 0))
    case .userAgent:
      let line = SafeText.line(text)
      return line.isEmpty ? SyncValue.none : .text(line)
    case .open where text == "feed": return SyncValue.none
    case .http, .open:
      guard choices.contains(text) else {
        let all = choices + (self == .open ? ["feed"] : [])
        throw context.usage(
          "--\(word): \(Spelling.quoted(text)) is not \(all.joined(separator: " or "))"
        )
      }
      return .text(text)
    }
  }

  private func flag(_ context: CommandContext) throws -> SyncValue? {
    let (isOn, isOff) = (context.arguments.has(word), context.arguments.has("no-\(word)"))
    return isOn ? .yes : isOff ? SyncValue.none : nil
  }

  private func pause(_ context: CommandContext) throws -> SyncValue? {
    let (isOn, isOff) = (context.arguments.has(word), context.arguments.has("resume"))
    guard isOn else { return isOff ? SyncValue.none : nil }
    guard let text = context.arguments.value(word) else { return .number(0) }
    let end =
      TimeExpression.duration(text).map {
        Int(clamping: context.clock.now()) + Int($0 / .seconds(1))
      }
      ?? (text.lowercased() == "tomorrow"
        ? TimeExpression(clock: context.clock).seconds("today", edge: .end)
        : TimeExpression(clock: context.clock).seconds(text, edge: .start))
    guard let end, Double(end) > context.clock.now() else {
      throw context.usage(
        "--pause: \(Spelling.quoted(text)) is no time to come, such as 2026-12-24 or 3d"
      )
    }
    return .number(end)
  }

  /// Returns a number that is typed in units of two to the power of `shift`.
  private func number(_ context: CommandContext, shift: Int) throws -> Int {
    let range = range ?? 0...0
    return (try context.number(word, range.lowerBound >> shift...range.upperBound >> shift) ?? 0)
      << shift
  }

  private func seconds(_ text: String, _ context: CommandContext) throws -> Int {
    let range = range ?? 0...0
    if let time = TimeExpression.duration(text), range.contains(Int(time / .seconds(1))) {
      return Int(time / .seconds(1))
    }
    throw context.usage(
      "--\(word): \(Spelling.quoted(text)) is no time from \(Self.time(range.lowerBound)) to "
        + "\(Self.time(range.upperBound)), such as \(self == .interval ? "6h" : "7d")"
    )
  }

  private static func time(_ seconds: Int) -> String { TimeExpression.text(.seconds(seconds)) }

  // MARK: JSON

  static let fields: [JSONField<FeedSettings>] = allCases.map { setting in
    JSONField(setting.rawValue, setting.meaning) { setting.json($0[setting]) }
  }

  private var meaning: String {
    switch self {
    case .interval: "seconds from one visit to the next, in place of its own rhythm"
    case .keep: "stories kept that it no longer carries, 0 for all"
    case .maxSize: "bytes"
    case .userAgent: "what its server is told of who asks"
    case .full: "whether the pages of its new stories are fetched"
    case .download: "how many of its newest episodes fetch saves by itself"
    case .downloadLimit: "bytes that those may take"
    case .pause: "not asked until then, in seconds since 1970; 0 until it is resumed"
    case .hide: "whether its stories are shown only where it is asked for"
    case .http: "1.1 where its server is asked with that version of HTTP alone"
    case .keepTracking: "whether its stories' links are shown with their trackers"
    case .readAfter: "seconds after which its stories count as read"
    case .unreadWhenEdited: "whether its stories are unread again when it changes them"
    case .oldestFirst: "whether its stories are listed with the oldest first"
    case .open: "browser or page where Enter in browse shows that in place of the feed's text"
    }
  }

  private func json(_ value: SyncValue) -> PrintedJSON {
    isFlag ? .boolean(value == .yes) : value.text.map { .text($0) } ?? .number(value.number)
  }
}
