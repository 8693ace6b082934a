internal import System

enum RefusedCall {
  private static let maximumBytes = 1_000

  /// Returns the first line of a text, or a whole JSON object as a line; nil for markup, for an
  /// empty page, and for a line with a word of the secrets in it.
  static func answer(_ page: [UInt8], hiding secrets: [String]) -> String? {
    line(page).flatMap { line in
      secrets.flatMap(words).contains { line.contains($0) } ? nil : line
    }
  }

  private static let shortestSecret = 6

  private static func words(_ secret: String) -> [Substring] {
    let words = secret.split { !$0.isLetter && !$0.isNumber && $0 != "-" && $0 != "_" }
    return [secret[...]].filter { !$0.isEmpty } + words.filter { $0.count >= shortestSecret }
  }

  private static func line(_ page: [UInt8]) -> String? {
    let text = String(decoding: page.prefix(maximumBytes), as: UTF8.self)
    let lines = text.split(whereSeparator: \.isNewline).map { SafeText.line(String($0)) }
    guard let first = lines.first(where: { !$0.isEmpty }), !first.hasPrefix("<") else { return nil }
    return first.hasPrefix("{") ? SafeText.line(text) : first
  }
}
