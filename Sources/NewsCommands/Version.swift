internal import CVersion

/// The version of the program, as `--version` and `User-Agent` have it.
package enum Version {
  package static let number = "0.1.0"

  /// The day of the last change that users can see, as mdoc(7) has it.
  static let day = "November 23, 2026"

  /// The commit that the program was built from; nil where the build was not told.
  static let commit: String? = {
    let commit = String(cString: cversion_commit())
    return commit.isEmpty ? nil : commit
  }()

  /// The line of `--version`.
  package static let text = "news \(number)" + (commit.map { " (\($0))" } ?? "")
}
