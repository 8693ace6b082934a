internal import CommandLine
internal import FeedModel
import FeedParsing
package import FeedUpdating
import System

/// Newsboat's `urls` file, or its `config`, which has the name of a setting in a line.
///
/// A line of `urls` has a feed, then its tags; `~` begins its title.
package enum NewsboatURLs {
  private static let maximumLines = 100_000

  package static func read(
    _ bytes: [UInt8],
    _ permission: ImportedURL.Permission,
    isSetting: (String) -> Bool = { _ in false },
  ) -> ImportedList {
    var list = ImportedList()
    // A byte order mark is not part of the first word.
    let text = String(decoding: bytes, as: UTF8.self).drop { $0 == "\u{feff}" }
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    let all = lines.prefix(maximumLines).map(words)
    let isConfig = all.contains { words in
      filter(of: words, "") != nil || words.first.map(isSetting) ?? false
    }
    for (index, words) in all.enumerated() {
      guard let first = words.first, !first.hasPrefix("#") else { continue }
      if let filter = filter(of: words, "line \(index + 1)") ?? query(first, "line \(index + 1)") {
        list.filters.append(filter)
        continue
      }
      if isConfig {
        list.settings.append(ImportedList.Setting(place: "line \(index + 1)", words: words))
        continue
      }
      do {
        let (filter, word) = try ImportedURL.filtered(Self.withShell(first), permission)
        let url = try ImportedURL.read(word, permission)
        var new = ImportedURL.subscription(url, permission)
        new.filter = filter
        list.subscriptions.append(subscription(new, words.dropFirst()))
      } catch {
        list.refuse("line \(index + 1): \(first)", ImportedURL.kind(first) ?? error.line)
      }
    }
    return list
  }

  /// Returns a feed's URL with `sh -c` around its command where that needs a shell: newsboat runs
  /// each in one, `news` does not.
  static func withShell(_ url: String) -> String {
    if let line = CommandURL.command(of: url) { return CommandURL.url(inShell(line)) }
    let start = "filter:"
    guard url.hasPrefix(start) else { return url }
    let rest = url.dropFirst(start.count)
    let filter = rest.prefix { $0 != ":" }
    return start + inShell(String(filter)) + rest.dropFirst(filter.count)
  }

  private static func inShell(_ line: String) -> String {
    needsShell(line) ? "sh -c \(ShellWord.quoted(line))" : line
  }

  package static func needsShell(_ line: String) -> Bool {
    line.contains(where: "|&;<>()$`*?~#".contains)
  }

  /// Reads `ignore-article FEED FILTER` and `define-filter NAME FILTER`.
  private static func filter(of words: [String], _ place: String) -> ImportedList.Filter? {
    guard words.count >= 3 else { return nil }
    switch words[0] {
    case "ignore-article":
      let feed = words[1] == "*" ? nil : words[1]
      return ImportedList.Filter(place: place, feed: feed, text: words[2])
    case "define-filter": return ImportedList.Filter(place: place, name: words[1], text: words[2])
    default: return nil
    }
  }

  /// Reads `query:NAME:FILTER`.
  private static func query(_ word: String, _ place: String) -> ImportedList.Filter? {
    let parts = word.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0] == "query" else { return nil }
    return ImportedList.Filter(place: place, name: String(parts[1]), text: String(parts[2]))
  }

  private static func subscription(
    _ new: Subscription,
    _ words: ArraySlice<String>,
  ) -> Subscription {
    var subscription = new
    for word in words.map({ SafeText.line($0) }) where !word.isEmpty {
      if word.hasPrefix("~") {
        let title = String(word.dropFirst())
        subscription.title = title.isEmpty ? nil : title
        continue
      }
      // Newsboat hides feeds that have any tag with `!` before it.
      let isHidden = word.hasPrefix("!")
      if isHidden { subscription.settings.isHidden = true }
      let tag = FolderTag.tag([isHidden ? String(word.dropFirst()) : word])
      if !tag.isEmpty, !subscription.tags.contains(tag) { subscription.tags.append(tag) }
    }
    return subscription
  }

  /// Splits a line at white space; quotation marks keep spaces, and `\"` and `\\` are escapes in
  /// them.
  private static func words(_ line: Substring) -> [String] {
    var words: [String] = []
    var word = ""
    var isQuoted = false
    var isEscaped = false
    var hasWord = false
    for character in line {
      if isEscaped {
        if character != "\"", character != "\\" { word.append("\\") }
        word.append(character)
        isEscaped = false
      } else if isQuoted, character == "\\" {
        isEscaped = true
      } else if character == "\"" {
        isQuoted.toggle()
        hasWord = true
      } else if !isQuoted, character.isWhitespace {
        if hasWord { words.append(word) }
        (word, hasWord) = ("", false)
      } else if !isQuoted, !hasWord, character == "#", !words.isEmpty {
        break
      } else {
        word.append(character)
        hasWord = true
      }
    }
    return hasWord ? words + [word] : words
  }
}
