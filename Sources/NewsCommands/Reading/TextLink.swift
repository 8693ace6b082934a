/// A web address that stands in a word of plain text.
struct TextLink: Hashable, Sendable {
  /// Safe to print and to open.
  let url: String
  /// What stands before and after it, such as brackets and the full stop.
  let before: Substring
  let after: Substring

  /// The first http or https URL of a word; nil when there is none.
  init?(in word: Substring) {
    guard let start = Self.start(in: word) else { return nil }
    var url = word[start...].prefix { $0.isASCII && !"<>\"`".contains($0) }
    while let last = url.last, ".,;:!?'".contains(last) || Self.isUnopened(last, in: url) {
      url.removeLast()
    }
    guard SafeLink.isSafe(String(url)) else { return nil }
    self.url = String(url)
    before = word[..<start]
    after = word[url.endIndex...]
  }

  private static func start(in word: Substring) -> Substring.Index? {
    guard word.utf8.count > 8 else { return nil }
    return word.indices.first { index in
      word[index] == "h"
        && (word[index...].hasPrefix("https://") || word[index...].hasPrefix("http://"))
    }
  }

  /// A closing bracket whose opening one stands before the URL: "(see https://example.com/)".
  private static func isUnopened(_ character: Character, in url: Substring) -> Bool {
    let pairs: [Character: Character] = [")": "(", "]": "[", "}": "{"]
    guard let opening = pairs[character] else { return false }
    return url.count { $0 == opening } < url.count { $0 == character }
  }
}
