/// Feed names in a narrow column: shortened so that each still says which feed it is.
///
/// A name that fits stays. Of a longer one goes, until it fits, what says little: words such as
/// "RSS feed" at its end, then the part of a compound name ("Reuters: World News") that other
/// feeds have too. A URL loses its scheme, a path its folders. What is still too long is cut, in the
/// middle where the beginnings are the same.
struct ShortFeedNames {
  /// The widest of them; 0 when there are none.
  let columns: Int
  private let short: [String: String]

  private static let separators = [": ", " - ", " – ", " — ", " | ", " · ", " • ", " » ", " / "]
  private static let fillers = [
    " rss feed", " atom feed", " news feed", " rss", " atom", " feed", " (rss)", " (atom)",
    " [rss]", " rss 2.0",
  ]

  /// Names for a column of at most so many columns.
  init(_ names: Set<String>, columns limit: Int) {
    let parts = names.flatMap { Set(Self.parts($0)) }
    let counts = Dictionary(parts.map { ($0, 1) }, uniquingKeysWith: +)
    var short: [String: String] = [:]
    for name in names where TerminalText.width(name) > limit {
      short[name] = Self.shortened(name, limit) { counts[$0] == 1 }
    }
    for name in Self.confused(names, short, limit) {
      short[name] = Self.cutMiddle(Self.withoutFiller(name), to: limit)
    }
    self.short = short
    columns = names.map { TerminalText.width(short[$0] ?? $0) }.max() ?? 0
  }

  func name(_ whole: String) -> String {
    short[whole] ?? whole
  }

  private static func shortened(
    _ name: String,
    _ limit: Int,
    isUnique: (String) -> Bool,
  ) -> String {
    if name.hasPrefix("/") {
      return cut(name.split(separator: "/").last.map(String.init) ?? name, limit)
    }
    let bare = withoutFiller(withoutScheme(name))
    if TerminalText.width(bare) <= limit { return bare }
    let own = parts(name).filter(isUnique).map(withoutFiller)
    return own.first { TerminalText.width($0) <= limit } ?? own.first.map { cut($0, limit) }
      ?? cut(bare, limit)
  }

  private static func cut(_ name: String, _ limit: Int) -> String {
    TerminalText.cut(name, to: limit)
  }

  /// The names that now look like another one.
  private static func confused(
    _ names: Set<String>,
    _ short: [String: String],
    _ limit: Int,
  ) -> [String] {
    let shown = Dictionary(grouping: names) { short[$0] ?? $0 }
    return shown.values.filter { $0.count > 1 }.joined()
      .filter { TerminalText.width($0) > limit }
  }

  /// `Reuters: World News` in its parts; a name without separators is one.
  private static func parts(_ name: String) -> [String] {
    var parts = [name[...]]
    for separator in separators {
      parts = parts.flatMap { $0.split(separator: separator, omittingEmptySubsequences: true) }
    }
    return parts.map { part in
      String(part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }.filter { !$0.isEmpty }
  }

  private static func withoutFiller(_ name: String) -> String {
    let lower = name.lowercased()
    guard let filler = fillers.first(where: { lower.hasSuffix($0) }),
      name.count > filler.count, lower.count == name.count
    else { return name }
    var bare = name.dropLast(filler.count)
    while let last = bare.last, " -–—|·:".contains(last) { bare.removeLast() }
    return bare.isEmpty ? name : String(bare)
  }

  /// A URL in place of a title says most with its host.
  private static func withoutScheme(_ name: String) -> String {
    for scheme in ["https://www.", "http://www.", "https://", "http://"]
    where name.hasPrefix(scheme) {
      return String(name.dropFirst(scheme.count))
    }
    return name
  }

  /// The beginning and the end, with "…" between them.
  static func cutMiddle(_ text: String, to columns: Int) -> String {
    guard TerminalText.width(text) > columns, columns > 2 else {
      return TerminalText.cut(text, to: columns)
    }
    let tail = String(TerminalText.prefix(String(text.reversed()), (columns - 1) / 2).reversed())
    let head = TerminalText.prefix(text, columns - 1 - TerminalText.width(tail))
    return head + "…" + tail
  }
}
