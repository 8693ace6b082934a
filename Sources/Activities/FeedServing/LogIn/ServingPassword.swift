internal import CCrypt
internal import CommandLine
internal import Synchronization
internal import System

/// Passwords for apps, and their stored hashes (crypt(3), yescrypt).
package enum ServingPassword {
  /// The letters and digits of passwords, without those that look alike.
  private static let letters = Array("abcdefghjkmnpqrstuvwxyz23456789")
  /// The form of a password: five groups of four letters, 99 bits.
  private static let (groups, groupLength) = (5, 4)
  /// The most bytes of a password: none made here is longer, and libcrypt takes 511.
  private static let mostBytes = 256

  /// Returns a random password.
  package static func new() -> String {
    var random = SystemRandomNumberGenerator()
    let words = (0..<groups).map { _ in String((0..<groupLength).map { _ in letter(&random) }) }
    return words.joined(separator: "-")
  }

  private static func letter(_ random: inout SystemRandomNumberGenerator) -> Character {
    letters[Int.random(in: letters.indices, using: &random)]
  }

  package static func prepare() throws {
    if let fault = LibraryFault.crypt { throw Failure(fault.sentence) }
  }

  package static func hash(of password: String) throws -> String {
    try prepare()
    guard let hash = text({ ccrypt_hash(password, $0) }) else {
      throw Failure("libcrypt has no method to keep a password by")
    }
    return hash
  }

  /// Returns true if a hash is the password's, after the same time for a wrong one.
  static func isRight(_ password: String, hash: String) -> Bool {
    guard password.utf8.count <= mostBytes, !password.utf8.contains(0), (try? prepare()) != nil,
      let other = hashing.withLock({ _ in text { ccrypt_hash_as(password, hash, $0) } })
    else { return false }
    return areEqual(other, hash)
  }

  /// The lock under which hashes are made: each takes 16 MiB of memory, and a processor.
  private static let hashing = Mutex(())

  private static func text(_ body: (UnsafeMutablePointer<CChar>) -> Bool) -> String? {
    var bytes = [CChar](repeating: 0, count: Int(CCRYPT_HASH_SIZE))
    guard bytes.withUnsafeMutableBufferPointer({ $0.baseAddress.map(body) ?? false }) else {
      return nil
    }
    return String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Compares texts in a time that does not depend on their first difference.
  static func areEqual(_ one: String, _ other: String) -> Bool {
    let (one, other) = (Array(one.utf8), Array(other.utf8))
    guard one.count == other.count else { return false }
    return zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
