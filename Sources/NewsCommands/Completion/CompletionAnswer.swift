/// What can be typed at the cursor.
enum CompletionAnswer: Hashable, Sendable {
  case words([CompletionCandidate])
  /// The shell knows its files best.
  case files
  case folders
}
