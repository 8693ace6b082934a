/// How a run tells of the feeds that failed.
enum FailureForm: Hashable, Sendable {
  /// A line each (design §2 "Output").
  case lines
  /// A line each, with what to do about it.
  case advice
  /// A few lines each, for a terminal.
  case blocks
}
