import CommandLine
import CommandSupport

/// The question to NetworkManager whether the network is metered (org.freedesktop.NetworkManager).
enum MeteredNetwork {
  static let option = CommandOption(
    "unmetered",
    help: "wait while NetworkManager says that the network is metered",
  )

  private static let manager = "org.freedesktop.NetworkManager"
  static let question = [
    "busctl", "get-property", manager, "/org/freedesktop/NetworkManager", manager, "Metered",
  ]
  static let otherQuestion = ["nmcli", "--get-values", "GENERAL.METERED", "device", "show"]

  /// Returns true where the network is metered, or where that is guessed; without NetworkManager
  /// never.
  static func isHere(_ context: CommandContext) -> Bool {
    if let answer = context.answer(question) { return ["u 1\n", "u 3\n"].contains(answer) }
    let answers = context.answer(otherQuestion)?.split(separator: "\n") ?? []
    return answers.contains { $0.hasPrefix("yes") }
  }
}
