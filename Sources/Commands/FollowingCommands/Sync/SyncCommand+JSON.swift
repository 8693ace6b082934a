import CommandLine
import CommandSupport
import FeedModel
import FeedStorage
import FeedSync

extension SyncCommand {
  func printJSON(_ reports: [SyncReport]) {
    if context.isJSON { context.output.printJSON(reports, Self.fields) }
  }

  private static let machineFields: [JSONField<SyncFolder.Machine>] = [
    JSONField("id", "what its file is named after") { .string("\($0.id)") },
    JSONField("name", "what it calls itself") { .text($0.name) },
    JSONField("written", "when it last had something to tell, or null") { .date($0.written) },
  ]

  private static let refusalFields: [JSONField<RefusedChange>] =
    [
      JSONField("feed", "the URL of the feed that it is about; null for a story") {
        if case .feed(let url) = $0.subject { .string(WebURL.redacted(url)) } else { .null }
      },
      JSONField("story", "the id of the story that it is about; null for a feed") {
        if case .story(let number, _) = $0.subject { .string(number.hexadecimal) } else { .null }
      },
      JSONField("change", "what the server is to do, in words") { .text($0.words) },
    ] + JSONField<RefusedChange>.refusal { $0.refusal }

  static let fields: [JSONField<SyncReport>] = [
    JSONField("name", "as it was added; null where it was named this once") {
      .text($0.isAdded ? $0.remote.name : nil)
    },
    JSONField("remote", "the folder, ssh:HOST, or the server's URL") {
      .string(WebURL.redacted($0.remote.address))
    },
    JSONField("error", "why it failed last, null when it did not") { .text($0.remote.failure) },
    JSONField("tried", "when it was tried last") { .date($0.remote.tried) },
    JSONField("done", "when it worked last") { .date($0.remote.done) },
    JSONField(
      "waiting",
      "changes here that a server does not know of, or that no machine was told; null but of status",
    ) {
      .number($0.waiting)
    },
    JSONField(
      "refused",
      "changes that a server has refused, and that are sent again later; of status",
      array: refusalFields,
    ) { $0.refused },
    JSONField(
      "machines",
      "of a folder or machine: who is known of, this one among them",
      array: machineFields,
    ) { $0.outcome?.machines ?? [] },
    count("marked", "stories that have other marks now; this and the next are null of status") {
      $0.marked
    },
    count("added", "feeds that are followed from now on") { $0.added },
    count("deleted", "stories that went, as they were deleted elsewhere") { $0.deleted },
    count("removed", "feeds that are followed no more") { $0.removed },
    count("changed", "feeds that have moved, or another title, tags or settings") { $0.changed },
    count("rules", "rules that are new, gone or changed") { $0.rules },
    count("stories", "stories that are new here, or back") { $0.stories },
    count("sent", "values that were changed here, and that the others are told") { $0.sent },
  ]

  private static func count(
    _ name: String,
    _ meaning: String,
    _ value: @escaping @Sendable (SyncResult) -> Int,
  ) -> JSONField<SyncReport> {
    JSONField(name, meaning) { .number(($0.outcome?.result).map(value)) }
  }
}
