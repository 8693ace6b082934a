package struct Finding: Hashable, Sendable {
  package enum State: String, Sendable {
    case ok
    /// Worth knowing; nothing is wrong.
    case note
    case wrong
  }

  package let state: State
  /// The thing that was checked: `home`, a file, `clock`, a feed.
  package let subject: String
  package let text: String
  package let advice: String?
  /// The reason, in words that are equal for all findings of this reason.
  package var cause: String?
  /// The command that lists all feeds of the cause.
  package var command = "news feeds --failing"
  package var isFeed = false

  package static func ok(_ subject: String, _ text: String) -> Finding {
    Finding(state: .ok, subject: subject, text: text, advice: nil)
  }

  package static func note(_ subject: String, _ text: String, _ advice: String? = nil) -> Finding {
    Finding(state: .note, subject: subject, text: text, advice: advice)
  }

  package static func wrong(_ subject: String, _ text: String, _ advice: String) -> Finding {
    Finding(state: .wrong, subject: subject, text: text, advice: advice)
  }
}

extension Finding {
  /// Merges the findings of one cause into one that lists their feeds.
  package static func grouped(_ findings: [Finding]) -> [Finding] {
    let isPrinted = { (group: [Finding]) in
      group.count >= SharedCause.many
        || group.count > 1 && group.contains { $0.subject == "network" }
    }
    return SharedCause.groups(findings, by: \.cause, where: isPrinted).map { group in
      guard group.count > 1, let cause = group[0].cause else { return group[0] }
      return Finding(cause, group)
    }
  }

  private init(_ cause: String, _ group: [Finding]) {
    let feeds = group.filter(\.isFeed)
    let network = group.first { $0.subject == "network" }
    let names = feeds.isEmpty ? group : feeds
    let count = Count.of(names.count, feeds.isEmpty ? "host" : "feed")
    let list = SharedCause.names(names.map(\.subject))
    self.init(
      state: group.contains { $0.state == .wrong } ? .wrong : .note,
      subject: network?.subject ?? count,
      text: network.map { "\($0.text); \(count): \(list)" } ?? "\(cause): \(list)",
      advice: network?.advice
        ?? (feeds.isEmpty ? group[0].advice : "see each: \(group[0].command)"),
    )
  }
}
