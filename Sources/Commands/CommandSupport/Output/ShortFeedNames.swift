import CommandLine

/// Feed names shortened for a narrow column, so that they still differ.
///
/// A name that fits stays. A longer one loses, until it fits: words such as "RSS feed" at its end,
/// then the part of a compound name ("Reuters: World News") that other feeds have, too. A URL loses
/// its scheme, a path its folders. What is still too long is cut, in the middle where the
/// beginnings are equal.
package struct ShortFeedNames {
  let columns: Int
  private let short: [String: String]

  private static let fillers = [
    " rss feed", " atom feed", " news feed", " rss", " atom", " feed", " (rss)", " (atom)",
    " [rss]", " rss 2.0",
  ]

  /// Shortens names to `limit` columns.
  ///
  /// `others` are the names of all feeds: a feed should be called the same in every list.
  package init(
    _ names: Set<String>,
    among others: @autoclosure () -> Set<String>,
    columns limit: Int,
  ) {
    let long = names.filter { TerminalText.width($0) > limit }
    var short: [String: String] = [:]
    if !long.isEmpty {
      let counts = Self.counts(others().union(names))
      for name in long { short[name] = Self.shortened(name, limit, counts) }
      for name in Self.confused(names, short) {
        short[name] = Self.cutMiddle(Self.bare(name), to: limit)
      }
    }
    self.short = short
    columns = min(names.map { TerminalText.width(short[$0] ?? $0, .apart) }.max() ?? 0, limit)
  }

  package func name(_ whole: String) -> String {
    short[whole] ?? whole
  }

  private static func counts(_ names: Set<String>) -> [String: Int] {
    var counts: [String: Int] = [:]
    for name in names {
      for part in Set(parts(bare(name))) { counts[part, default: 0] += 1 }
    }
    return counts
  }

  private static func shortened(_ name: String, _ limit: Int, _ counts: [String: Int]) -> String {
    let bare = bare(name)
    if TerminalText.width(bare) <= limit { return bare }
    let own = parts(bare).filter { counts[$0] == 1 }
    let best = own.first { TerminalText.width($0) <= limit } ?? own.first ?? bare
    return TerminalText.cut(best, to: limit)
  }

  private static func confused(_ names: Set<String>, _ short: [String: String]) -> [String] {
    let shown = Dictionary(grouping: names) { short[$0] ?? $0 }
    return shown.values.filter { $0.count > 1 }.joined().filter { short[$0] != nil }
  }

  private static func bare(_ name: String) -> String {
    if name.hasPrefix("/") { return name.split(separator: "/").last.map(String.init) ?? name }
    for scheme in ["https://www.", "http://www.", "https://", "http://"]
    where name.hasPrefix(scheme) {
      return String(name.dropFirst(scheme.count))
    }
    let lower = name.lowercased()
    guard let filler = fillers.first(where: { lower.hasSuffix($0) }), lower.count == name.count
    else { return name }
    var bare = name.dropLast(filler.count)
    while let last = bare.last, " -–—|·:".contains(last) { bare.removeLast() }
    return bare.isEmpty ? name : String(bare)
  }

  /// Returns the parts of `Reuters: World News`; a name without separators is one part.
  ///
  /// PERF NOTES: one pass, since a list may have to look at the names of a thousand feeds.
  private static func parts(_ name: String) -> [String] {
    var parts: [String] = []
    var part = ""
    for word in name.split(separator: " ") {
      let isSeparator = word.count == 1 && "-–—|·•»:/".contains(word)
      if !isSeparator {
        part += (part.isEmpty ? "" : " ") + (word.hasSuffix(":") ? word.dropLast() : word)
      }
      if isSeparator || word.hasSuffix(":"), !part.isEmpty {
        parts.append(part)
        part = ""
      }
    }
    return part.isEmpty ? parts : parts + [part]
  }

  private static func cutMiddle(_ text: String, to columns: Int) -> String {
    guard TerminalText.width(text) > columns, columns > 2 else {
      return TerminalText.cut(text, to: columns)
    }
    let tail = String(TerminalText.prefix(String(text.reversed()), (columns - 1) / 2).reversed())
    let head = TerminalText.prefix(text, columns - 1 - TerminalText.width(tail))
    return head + "…" + tail
  }
}
