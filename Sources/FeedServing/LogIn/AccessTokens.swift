internal import FeedModel
package import System

/// The tokens of apps that have logged in: each says when it ends, and proves that this home has
/// made it.
///
/// None is stored, so that they outlive the process; a new password ends all of them.
package struct AccessTokens: Sendable {
  private let secret: String

  /// The seconds for which a token is valid.
  static let lifetime = 30 * 86_400
  private static let mostBytes = 128

  package init(secret: String) { self.secret = secret }

  package func new(at now: Date) -> String {
    let end = now.wholeSeconds + Self.lifetime
    let text = "\(end)-\(UInt64.random(in: 0...UInt64.max).hexadecimal)"
    return "\(text)-\(proof(of: text, "log-in"))"
  }

  package func isValid(_ token: String, at now: Date) -> Bool {
    guard token.utf8.count <= Self.mostBytes, let dash = token.lastIndex(of: "-") else {
      return false
    }
    let text = String(token[..<dash])
    guard ServingPassword.areEqual(String(token[dash...].dropFirst()), proof(of: text, "log-in"))
    else { return false }
    return text.split(separator: "-").first.flatMap { Int($0) }.map { $0 > now.wholeSeconds }
      ?? false
  }

  /// Returns the token that an app sends with each change besides, which ends with the other one.
  func editToken(of token: String) -> String { proof(of: token, "edit") }

  private func proof(of text: String, _ use: String) -> String {
    ["1", "2"].map { part in
      SHA256.prefix(joining: [secret, use, part, text, secret]).hexadecimal
    }.joined()
  }
}
