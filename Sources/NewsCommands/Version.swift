/// The version of the program, as `--version` and `User-Agent` have it.
package enum Version {
  package static let number = "0.1.0"

  /// The day of the last change that users can see, as mdoc(7) has it.
  static let day = "November 21, 2026"

  /// Where servers' operators can read what this program is.
  package static let page = "https://news.example/"
}

enum VersionText {
  static func print(_ context: CommandContext) -> ExitStatus {
    let version = JSONValue.object([JSONMember("version", .string(Version.number))])
    context.output.printLine(context.isJSON ? version.description : "news \(Version.number)")
    return .done
  }
}
