package import FeedStorage
package import FeedUpdating

/// A sync with a folder, a machine or a server.
///
/// Whatever breaks off between the three steps leaves both sides as they are, or one further than the
/// other: the next time does the rest.
package protocol SyncSession {
  associatedtype Reading
  associatedtype Merged

  /// Reads what is there.
  mutating func read() throws(SyncError) -> Reading

  /// Takes what is new there into the home, and saves that.
  mutating func merge(_ reading: Reading) throws(SyncError) -> (Merged, SyncOutcome)

  /// Leaves there what is ours, and adds to `outcome` what comes of that.
  mutating func send(_ merged: Merged, _ outcome: inout SyncOutcome) throws(SyncError)

  /// Lets go of it, whether or not it failed.
  ///
  /// - Returns: why it failed, as it is to be said.
  mutating func end(_ failure: SyncError?) -> SyncError?

  /// The stories that it has brought, though something may have failed behind that.
  var fromServer: RefreshReport { get }
}

extension SyncSession {
  package var fromServer: RefreshReport { RefreshReport() }

  package mutating func end(_ failure: SyncError?) -> SyncError? { failure }

  /// Merges the home with it.
  package mutating func synchronize() throws(SyncError) -> SyncOutcome {
    do throws(SyncError) {
      var (merged, outcome) = try merge(read())
      try send(merged, &outcome)
      _ = end(nil)
      return outcome
    } catch {
      throw end(error) ?? error
    }
  }
}

/// What a sync came to.
package struct SyncOutcome: Sendable {
  package var result: SyncResult
  /// The machines that are known of, this one as the last.
  package var machines: [SyncFolder.Machine] = []
  /// Why something was left out, a line each.
  package var faults: [String] = []
  /// What there was no room for, where the rest was taken, a line each.
  package var omissions: [String] = []
  /// The number of the last change of this home that was sent.
  var lastSent: UInt32?

  package init(result: SyncResult = SyncResult()) {
    self.result = result
  }
}
