/// What a run of `refresh` or `fetch` was asked to do.
package struct RefreshOptions: Hashable, Sendable {
  /// The URLs of the subscriptions to ask, those that are gone included; nil asks all but the gone.
  package var feeds: [String]?
  /// Sends no validators, so that every feed comes whole.
  package var isForced = false
  /// Asks only feeds whose time has come.
  package var onlyDue = false
  /// Bounds the run, from its start until everything is saved; nil does not.
  package var deadline: Duration?
  /// What has arrived is saved at least so often, unless saving takes long.
  package var savingInterval = Duration.seconds(5)
  /// Stories kept of each feed that it no longer carries; 0 keeps all.
  package var keep = 1000
  /// The most bytes that a body may have after decompression.
  package var maximumBytes = 32 << 20
  /// The command as the record of runs names it, such as `fetch`.
  package var command: String

  package init(command: String) {
    self.command = command
  }
}

/// How far a run is, for the line that a terminal shows meanwhile.
package struct RefreshProgress: Hashable, Sendable {
  /// Feeds that have answered or failed.
  package var done: Int
  /// Feeds to be asked.
  package var total: Int
  /// Stories in the documents that have arrived.
  package var stories: Int
  /// Up to four of the hosts that are being asked now, in alphabetical order.
  package var hosts: [String]
  /// Since the start of the run.
  package var seconds: Double
}
