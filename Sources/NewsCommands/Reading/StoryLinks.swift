import FeedModel

/// The links of a story, numbered from 1: its own, those in its text, those of its enclosures.
struct StoryLinks: Hashable, Sendable {
  /// Safe URLs, none twice.
  private(set) var urls: [String] = []

  init(_ item: Item) {
    add(item.link)
    for url in TextLinks.urls(in: item.summary ?? "") { add(url) }
    for enclosure in item.enclosures { add(enclosure.url) }
  }

  /// The number of a URL; nil when it is none of the story's.
  func number(of url: String) -> Int? {
    urls.firstIndex(of: url).map { $0 + 1 }
  }

  private mutating func add(_ url: String) {
    if SafeLink.isSafe(url), !urls.contains(url) { urls.append(url) }
  }
}

/// The web addresses that stand in plain text.
enum TextLinks {
  /// The http and https URLs, in order.
  static func urls(in text: String) -> [String] {
    text.split(separator: " ").compactMap { url(in: $0) }
  }

  /// The first URL in a word, without the punctuation of the sentence around it.
  static func url(in word: Substring) -> String? {
    let starts = word.indices.lazy.filter { index in
      word[index...].hasPrefix("https://") || word[index...].hasPrefix("http://")
    }
    guard word.utf8.count > 8, let start = starts.first else { return nil }
    var url = word[start...].prefix { $0.isASCII && !"<>\"`".contains($0) }
    while let last = url.last {
      guard ".,;:!?'".contains(last) || isUnopened(last, in: url) else {
        break
      }
      url.removeLast()
    }
    return SafeLink.isSafe(String(url)) ? String(url) : nil
  }

  /// A closing bracket whose opening one stands before the URL: "(see https://example.com/)".
  private static func isUnopened(_ character: Character, in url: Substring) -> Bool {
    let pairs: [Character: Character] = [")": "(", "]": "[", "}": "{"]
    guard let opening = pairs[character] else { return false }
    return url.count { $0 == opening } < url.count { $0 == character }
  }
}
