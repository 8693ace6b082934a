import CommandLine
import CommandSupport
import FeedLibrary
import FeedModel
import FeedUpdating
import HTMLText

extension StoryJSON {
  static let wholeFields: [JSONField<ShownStory>] =
    named.map { $0.of(\.named) } + [
      stored.of(\.named.story),
      JSONField("categories", "what its feed files it under") {
        .strings($0.named.story.item.categories)
      },
      JSONField("links", "its link, those of its files and those in its text") {
        .strings($0.links.urls)
      },
      JSONField("words", "how many the text has; null where there is none") { .number($0.words) },
      JSONField(
        "minutes",
        "how long \(WordCount.wordsOfMinute) words each take, rounded up; null without words",
      ) { .number($0.words.map(WordCount.minutes)) },
      JSONField("transcript", "what is said in the episode, with --transcript") {
        .text($0.transcript?.string)
      },
    ] + textFields.map { $0.of(\.text) } + [pageText.of(\.named.story)]
}
