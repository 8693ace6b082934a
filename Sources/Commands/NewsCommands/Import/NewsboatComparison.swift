import CommandLine
import Searching

/// A comparison, in parts such as `title`, `=~` and `x`.
struct NewsboatComparison {
  let attribute: String
  let sign: String
  let value: String

  private static let texts: [String: SearchPlace] = [
    "title": .title, "content": .text, "author": .author, "link": .link,
  ]

  func condition() throws -> Condition<SearchTerm> {
    if let place = Self.texts[attribute] { return try text(in: place) }
    switch attribute {
    case "unread": return try unread()
    case "age": return try age()
    case "tags": return try tags()
    case "flags": return try flags()
    case "feedtitle", "rssurl": return try feed()
    case "enclosure_url": return try enclosure()
    default: throw Failure("no search can ask for newsboat's \(attribute)")
    }
  }

  private func unsaid() -> Failure {
    let quoted = Spelling.quoted("\(attribute) \(sign) \(value)")
    return Failure("no search can ask for \(quoted)")
  }

  private var isOpposite: Bool { sign.hasPrefix("!") }

  private func term(_ term: SearchTerm) -> Condition<SearchTerm> {
    isOpposite ? .not(.term(term)) : .term(term)
  }

  // MARK: Texts

  private func text(in place: SearchPlace) throws -> Condition<SearchTerm> {
    switch sign {
    case "=~", "!~":
      // Every text contains the empty one.
      if value.isEmpty, sign == "=~" { return .always }
      let source = Self.withWordBoundaries(value)
      return term(.text(place, .expression(try TextExpression(source))))
    case "=", "!=":
      return term(.text(place, .expression(try TextExpression("^\(Self.escaped(value))$"))))
    default: throw unsaid()
    }
  }

  private static let special = Set<Character>(#"\^$.[]|()*+?{}"#)

  private static func escaped(_ text: String) -> String {
    text.map { special.contains($0) ? "\\\($0)" : "\($0)" }.joined()
  }

  /// Replaces `\<` and `\>`, which begin and end a word in POSIX expressions, by `\b`.
  private static func withWordBoundaries(_ source: String) -> String {
    var text = ""
    var isEscaped = false
    for sign in source {
      let isBoundary = isEscaped && (sign == "<" || sign == ">")
      text.append(isBoundary ? "b" : sign)
      isEscaped = !isEscaped && sign == "\\"
    }
    return text
  }

  private var isPlain: Bool { !value.isEmpty && !value.contains(where: Self.special.contains) }

  // MARK: The rest

  private func unread() throws -> Condition<SearchTerm> {
    switch (sign, value) {
    case ("=", "yes"), ("!=", "no"): return .term(.state(.unread))
    case ("=", "no"), ("!=", "yes"): return .term(.state(.read))
    default: throw unsaid()
    }
  }

  /// Compares whole days since a story's date: less than 3 is younger than 72 hours.
  private func age() throws -> Condition<SearchTerm> {
    let days = value.split(separator: ":").map { Int($0) }
    let bounds = days.compactMap { $0.flatMap { (0..<100_000).contains($0) ? $0 : nil } }
    guard let first = bounds.first, let last = bounds.last,
      days.count == bounds.count, bounds.count == (sign == "between" ? 2 : 1)
    else { throw unsaid() }
    switch sign {
    case "<" where first > 0: return Self.younger(than: first)
    case "<=": return Self.younger(than: first + 1)
    case ">": return Self.older(than: first + 1)
    case ">=": return Self.older(than: first)
    case "=", "!=", "between":
      let days = Self.younger(than: max(first, last) + 1) && Self.older(than: min(first, last))
      return isOpposite ? .not(days) : days
    default: throw unsaid()
    }
  }

  private static func younger(than days: Int) -> Condition<SearchTerm> {
    .term(.since("\(days)d"))
  }

  private static func older(than days: Int) -> Condition<SearchTerm> {
    days == 0 ? .always : .term(.before("\(days)d"))
  }

  private func tags() throws -> Condition<SearchTerm> {
    guard sign == "#" || sign == "!#", !value.isEmpty, !value.contains("\"") else { throw unsaid() }
    return term(.tag(value))
  }

  /// Asks for the tag as which a flag of newsboat's is imported.
  private func flags() throws -> Condition<SearchTerm> {
    let asks = ["=~", "!~", "#", "!#"].contains(sign)
    guard asks, value.count == 1, value.first?.isLetter == true else { throw unsaid() }
    return term(.tag("flag-\(value)"))
  }

  private func feed() throws -> Condition<SearchTerm> {
    let isExact = sign == "=" || sign == "!="
    let isPart = (sign == "=~" || sign == "!~") && attribute == "feedtitle" && isPlain
    guard isExact || isPart, !value.isEmpty, !value.contains("\"") else { throw unsaid() }
    return term(.feed(value))
  }

  private func enclosure() throws -> Condition<SearchTerm> {
    switch (sign, value) {
    case ("!=", ""), ("=~", "."), ("=~", ".+"): return .term(.part(.enclosure))
    case ("=", ""), ("!~", "."), ("!~", ".+"): return .not(.term(.part(.enclosure)))
    default: throw unsaid()
    }
  }
}
