package import FeedStorage
package import FeedUpdating

/// A sync with a folder, a machine or a server.
///
/// An interruption between the three steps leaves both sides as they are, or one ahead of the
/// other. The next sync does the rest.
package protocol SyncSession {
  associatedtype Reading
  associatedtype Merged

  mutating func read() throws -> Reading

  mutating func merge(_ reading: Reading) throws -> (Merged, SyncOutcome)

  /// Sends the home's changes, and adds their number or faults to `outcome`.
  mutating func send(_ merged: Merged, _ outcome: inout SyncOutcome) throws

  /// Ends the session after success or failure, and returns the failure to report.
  mutating func end(_ failure: (any Error)?) -> (any Error)?

  /// The stories from a server, which stay even if the sync failed later.
  var fromServer: RefreshReport { get }

  /// The name of the interface by which the server was reached.
  var interface: String? { get }
}

extension SyncSession {
  package var fromServer: RefreshReport { RefreshReport() }
  package var interface: String? { nil }

  package mutating func end(_ failure: (any Error)?) -> (any Error)? { failure }

  package mutating func synchronize() throws -> SyncOutcome {
    do {
      var (merged, outcome) = try merge(read())
      try send(merged, &outcome)
      _ = end(nil)
      return outcome
    } catch {
      throw end(error) ?? error
    }
  }
}

package struct SyncOutcome: Sendable {
  package var result = SyncResult()
  /// The known machines, this one last.
  package var machines: [SyncFolder.Machine] = []
  /// Reasons for missing files or machines, a line each.
  package var faults: [String] = []
  /// Parts beyond a limit, a line each; the rest was taken.
  package var omissions: [String] = []
  var lastSent: UInt32?
}
