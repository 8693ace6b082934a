/// The version of the program, as `--version` and `User-Agent` have it.
package enum Version {
  package static let number = "0.1.0"

  /// The day of the last change that users can see, as mdoc(7) has it.
  static let day = "November 23, 2026"

  /// The line of `--version`, of a program that was built from a commit or from nobody knows which.
  static func text(commit: String?) -> String {
    "news \(number)" + (commit.map { " (\($0))" } ?? "")
  }
}
