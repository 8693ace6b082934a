package import CommandLine
package import FeedLibrary
package import FeedModel
import HTMLText

extension StoryJSON {
  package static let textFields: [JSONField<StoryText?>] = [
    JSONField("html", "the whole text as it was published, where that is HTML and stored") {
      .text($0.flatMap { $0.isHTML ? $0.string : nil })
    },
    JSONField("text", "the same, where it is plain text") {
      .text($0.flatMap { $0.isHTML ? nil : $0.string })
    },
    JSONField("base", "what relative links in it are against; null for the story's link") {
      .text($0?.base)
    },
    JSONField(
      "cut",
      "whether not all of it is there: its page shows only the beginning, or it is too deep or too long",
    ) {
      .boolean($0?.isShortened ?? false)
    },
  ]
}
