package enum Version {
  package static let number = "0.1.0"

  /// The day of the last change that users can see, in the form of mdoc(7).
  package static let day = "November 23, 2026"

  package static func text(commit: String?) -> String {
    "news \(number)" + (commit.map { " (\($0))" } ?? "")
  }
}
