internal import System

/// Seconds in three decimals, whatever the locale.
package enum Seconds {
  package static func text(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds > 0 else { return "0.000" }
    let milliseconds = Int(min(seconds, 1e12) * 1000 + 0.5)
    return "\(milliseconds / 1000).\((milliseconds % 1000).padded(to: 3))"
  }

  package static func text(_ duration: Duration) -> String {
    text(duration / .seconds(1))
  }
}

/// Sizes for people: `831 bytes`, `14 kB`, `12.3 MB`.
package enum ByteCount {
  package static func text(_ bytes: Int) -> String {
    guard bytes >= 1_000_000 else {
      return bytes >= 1000 ? "\(bytes / 1000) kB" : Count.of(bytes, "byte")
    }
    return "\(bytes / 1_000_000).\(bytes / 100_000 % 10) MB"
  }
}

package enum Spelling {
  /// Returns the known word within the fewest slips of `word`, if they are few for its length.
  ///
  /// A known word that begins with `word` will do, too.
  package static func nearest(to word: String, among known: [String]) -> String? {
    let typed = Array(word.lowercased().prefix(64))
    let ranked = known.map { (word: $0, slips: editDistance(typed, Array($0))) }
    guard let best = ranked.min(by: { $0.slips < $1.slips }) else { return nil }
    // One slip in three letters: more is another word ("foo" is no "log").
    let allowed = max(1, best.word.drop { $0 == "-" }.count / 3)
    let begins = word.count > 2 && best.word.hasPrefix(word)
    // A word of one letter is one slip from every other one.
    let isClose = best.slips <= min(allowed, 3) && best.slips < best.word.count
    return isClose || begins
      ? best.word
      : known.first { word.drop { $0 == "-" }.count > 1 && $0.hasPrefix(word) }
  }

  package static func hint(_ word: String, among known: [String], before: String = "") -> String {
    nearest(to: word, among: known).map { "; did you mean \(before)\($0)?" } ?? ""
  }

  /// Returns a user's word for a message: safe, without password, at most 80 characters.
  package static func quoted(_ word: String) -> String {
    let text = SafeText.prefix(WebURL.redacted(word: SafeText.line(word)), maximumCharacters: 80)
    return text.isEmpty ? "\"\"" : text
  }
}
