internal import FeedModel
package import System

/// The tokens of apps that have logged in: each says when it ends, and proves that this home has
/// made it.
///
/// None is stored, so that they outlive the process; a new password ends all of them.
package struct AccessTokens: Sendable {
  private let secret: String

  /// The seconds for which a token is valid: a year.
  ///
  /// Reeder, NetNewsWire and Capy Reader log in once, and disturb their users when a token has
  /// ended. Those of FreshRSS and Miniflux never do.
  static let lifetime = 365 * 86_400
  private static let mostBytes = 128

  package init(secret: String) { self.secret = secret }

  package func new(at now: Date) -> String {
    let end = now.wholeSeconds + Self.lifetime
    let text = "\(end)-\(UInt64.random(in: 0...UInt64.max).hexadecimal)"
    return "\(text)-\(Self.proof(of: text, for: "log-in", secret))"
  }

  package func isValid(_ token: String, at now: Date) -> Bool {
    guard token.utf8.count <= Self.mostBytes, let dash = token.lastIndex(of: "-") else {
      return false
    }
    let text = String(token[..<dash])
    let proof = Self.proof(of: text, for: "log-in", secret)
    guard ServingPassword.areEqual(String(token[dash...].dropFirst()), proof) else { return false }
    return text.split(separator: "-").first.flatMap { Int($0) }.map { $0 > now.wholeSeconds }
      ?? false
  }

  /// Returns 128 bits that nobody can tell without the secret.
  static func proof(of text: String, for purpose: String, _ secret: String) -> String {
    ["1", "2"].map { part in
      SHA256.prefix(joining: [secret, purpose, part, text, secret]).hexadecimal
    }.joined()
  }
}
