import FeedModel

/// Newsboat's `urls` file: a feed a line, then its tags; `~` begins its title.
enum NewsboatURLs {
  static func read(_ bytes: [UInt8]) -> OPMLImport.Result {
    var result = OPMLImport.Result()
    let text = String(decoding: bytes, as: UTF8.self)
    for line in text.split(whereSeparator: \.isNewline).prefix(100_000) {
      let words = words(line)
      guard let first = words.first, !first.hasPrefix("#") else { continue }
      // Newsboat's own kinds of feeds: queries, filters, programs.
      guard let url = SubscriptionURL.web(first) else {
        result.refused.append(first)
        continue
      }
      result.subscriptions.append(subscription(url, words.dropFirst()))
    }
    return result
  }

  private static func subscription(_ url: String, _ words: ArraySlice<String>) -> Subscription {
    var subscription = Subscription(url: url)
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
