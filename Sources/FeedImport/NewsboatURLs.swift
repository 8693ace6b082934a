import CommandLine
import FeedModel

/// Newsboat's `urls` file: a feed a line, then its tags; `~` begins its title.
enum NewsboatURLs {
  private static let maximumLines = 100_000

  private static let kinds = [
    ("query:", "a query of newsboat's, not a feed"),
    ("exec:", "a program that prints a feed, which is not run"),
    ("filter:", "a program that changes a feed, which is not run"),
  ]

  static func read(_ bytes: [UInt8], _ permission: ImportedURL.Permission) -> ImportedList {
    var list = ImportedList()
    // A byte order mark is not part of the first word.
    let text = String(decoding: bytes, as: UTF8.self).drop { $0 == "\u{feff}" }
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, line) in lines.prefix(maximumLines).enumerated() {
      let words = words(line)
      guard let first = words.first, !first.hasPrefix("#") else { continue }
      do throws(WordFault) {
        let url = try ImportedURL.read(first, permission)
        let new = ImportedURL.subscription(url, permission)
        list.subscriptions.append(subscription(new, words.dropFirst()))
      } catch {
        list.refuse("line \(index + 1): \(first)", reason(first) ?? error.reason)
      }
    }
    return list
  }

  /// Why what newsboat takes for a feed is none; nil for a URL.
  static func reason(_ word: String) -> String? {
    kinds.first { word.hasPrefix($0.0) }?.1
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
      } else if word != "!" {
        let tag = FolderTag.tag([word])
        if !subscription.tags.contains(tag) { subscription.tags.append(tag) }
      }
    }
    return subscription
  }

  /// Words between white space; in quotation marks one may have spaces, and `\"` in it.
  private static func words(_ line: Substring) -> [String] {
    var words: [String] = []
    var word = ""
    var isQuoted = false
    var isEscaped = false
    var hasWord = false
    for character in line {
      if isEscaped {
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
