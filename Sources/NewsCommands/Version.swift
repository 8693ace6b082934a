/// The version of the program, as `--version` and `User-Agent` have it.
package enum Version {
  package static let number = "0.1.0"

  /// Where servers' operators can read what this program is.
  package static let page = "https://news.example/"
}

enum VersionText {
  static func print(_ context: CommandContext) -> ExitStatus {
    context.environment.output.printLine("news \(Version.number)")
    return .done
  }
}
