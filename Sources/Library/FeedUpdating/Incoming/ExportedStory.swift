package import CommandLine
import FeedLibrary
package import FeedModel
package import FeedStorage

/// A story with its whole texts, as `news export --json` prints it and `ReaderImport` reads it.
package struct ExportedStory {
  package var story: StoredItem
  package let text: StoryText?
  /// The text that is not shown: the feed's if the page's article is shown, or else the article.
  package let hiddenText: StoryText?

  package init(_ story: StoredItem, _ texts: StoryTextIndex?) throws {
    self.story = story
    text = try texts?.text(of: story)
    hiddenText = try texts?.hiddenText(of: story)
  }
}

extension ExportedStory {
  package static let fields: [JSONField<ExportedStory>] = {
    var fields = listedFields
    fields += feedFields
    fields += textFields
    fields += pageFields
    return fields
  }()

  private static let listedFields: [JSONField<ExportedStory>] =
    StoryJSON.fields.filter { $0.key.name != "feeds" }.map { $0.of(\.story) }

  private static let feedFields: [JSONField<ExportedStory>] = [
    JSONField(
      "feeds",
      "the URLs of its feeds, with users and passwords only by --with-passwords",
    ) { .strings($0.story.feeds) },
    StoryJSON.stored.of(\.story),
    JSONField("guidIsPermaLink", "whether the guid is its link") {
      .boolean($0.story.item.guidIsPermaLink)
    },
    JSONField("categories", "what its feed files it under") {
      .strings($0.story.item.categories)
    },
  ]

  private static let textFields: [JSONField<ExportedStory>] =
    StoryJSON.textFields.map { $0.of(\.text) }

  private static let pageFields: [JSONField<ExportedStory>] = [
    StoryJSON.pageText.of(\.story),
    JSONField(
      "hiddenText",
      "the other where both are kept: its feed's text or its page's article",
      array: StoryJSON.textFields,
    ) { [$0.hiddenText].compactMap(\.self) },
    JSONField("rules", "the names of the rules that did something to it") {
      .strings($0.story.rules)
    },
    JSONField("matched", "by what feeds' stories were taken for it", array: matchFields) {
      $0.story.matches
    },
    JSONField("changed", "when its feed changed what of it", array: changeFields) {
      $0.story.changes
    },
  ]

  private static let matchFields: [JSONField<StoryMatch>] = [
    JSONField("feed", "its URL") { .string($0.feed) },
    JSONField("by", "`guid`, `link`, `titleAndDate` or `id`") { .string($0.rule.rawValue) },
    JSONField("date", "when") { .date($0.date) },
  ]

  private static let changeFields: [JSONField<StoryChange>] = [
    JSONField("part", "such as `title`") { .string($0.part.rawValue) },
    JSONField("date", "when") { .date($0.date) },
    JSONField("was", "what it was before; null where that is not kept") { .text($0.was) },
  ]
}
