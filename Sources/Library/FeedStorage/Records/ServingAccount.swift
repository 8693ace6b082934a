package import System

/// The only user of a home that is served.
package struct ServingAccount: Hashable, Sendable {
  /// The hash of the password (crypt(3)); the password itself is stored nowhere.
  package private(set) var hash: String
  /// The key of the tokens of apps that have logged in, which changes with the password.
  package private(set) var secret: String
  /// The number by which apps know the home again after its password has changed.
  package private(set) var number: Int
  /// The successful log-ins with this password.
  package private(set) var logIns = 0
  package private(set) var lastLogIn: Date?

  private init(hash: String, secret: String, number: Int) {
    (self.hash, self.secret, self.number) = (hash, secret, number)
  }

  /// Returns the account with another password, given by its hash, or a new account.
  fileprivate static func with(hash: String, before old: ServingAccount?) -> ServingAccount {
    ServingAccount(
      hash: hash,
      secret: SiteKey.newSecret(),
      number: old?.number ?? Int.random(in: 1_000_000_000...9_999_999_999),
    )
  }

  fileprivate mutating func noteLogIn(at date: Date) {
    (logIns, lastLogIn) = (logIns + 1, date)
  }

  fileprivate static let table: PropertyListTable<ServingAccount> = .init(
    ServingAccount(hash: "", secret: "", number: 0),
    [
      .init("hash", { $1(&$0.hash) }, required: .string.accepting { $0.utf8.count <= 384 }),
      .init("secret", { $1(&$0.secret) }, required: .string.accepting { $0.utf8.count == 64 }),
      .init("number", { $1(&$0.number) }, required: .count),
      .init("logIns", { $1(&$0.logIns) }, .count),
      .init("lastLogIn", { $1(&$0.lastLogIn) }, .date),
    ],
  )
}

/// The account in `serving.plist`.
extension LibraryStore {
  private var servingFile: PropertyListFile<ServingAccount> {
    PropertyListFile(
      path: path(.serving),
      coding: .dictionary(ServingAccount.table),
      maximumSize: 1 << 16,
      damage: "it has no password",
    )
  }

  /// Returns the account, or nil before a password was made.
  package func servingAccount() throws -> ServingAccount? { try servingFile.read() }

  /// Stores the hash of a new password, which ends all log-ins by the last one.
  package func setServingPassword(hash: String) throws {
    try locked {
      let old = try? servingAccount()
      try servingFile.replace(by: .with(hash: hash, before: old))
    }
  }

  /// Counts a log-in, unless the password was changed meanwhile.
  package func noteLogIn(with account: ServingAccount, at date: Date) throws {
    try locked {
      guard var current = try servingAccount(), current.secret == account.secret else { return }
      current.noteLogIn(at: date)
      try servingFile.replace(by: current)
    }
  }
}
