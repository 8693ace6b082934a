package import CommandLine
import FeedLibrary

extension StoryJSON {
  package static let number = JSONField<NamedStory>(
    "n",
    "the number to open it by; null where it was named by its id",
  ) { .number($0.number) }
  package static let named: [JSONField<NamedStory>] = [number] + fields.map { $0.of(\.story) }
  package static let listed: [JSONField<NamedStory>] =
    named + [
      JSONField("similar", "with --group, the ids of the other stories of its row") {
        .strings($0.similar)
      }
    ]
}
