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
