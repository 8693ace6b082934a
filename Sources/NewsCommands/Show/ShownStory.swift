import FeedModel
import FeedParsing
import FeedReading
import FeedStorage
import HTMLText

/// A story with its whole text or what is said in it; all are nil where the summary is all that can be had.
struct ShownStory: Hashable, Sendable {
  private(set) var named: NamedStory
  private(set) var text: StoryText?
  let transcript: StoryText?
  /// Of the transcript, or else of the text.
  private(set) var document: StoryDocument?

  /// With the text that it is to have from now on.
  ///
  /// Of a text that cannot be read the summary is left, and it is said why.
  init(
    _ story: NamedStory,
    _ choice: TextChoice? = nil,
    transcript: StoryText? = nil,
    in store: LibraryStore,
    _ context: CommandContext,
  ) {
    (named, self.transcript) = (story, transcript)
    if let choice { named.story.article = choice.applied(to: story.story.article) }
    do {
      text = if let new = choice?.newText { new } else { try store.text(of: named.story) }
      document = try (transcript ?? text).map {
        try StoryReading.document($0, link: story.story.item.link).findingLinks()
      }
    } catch {
      context.complain("\(story.name): \(error); its summary is shown")
    }
  }

  /// Returns it with the picture that its feed declares above its text, where that shows none.
  func withPicture() -> ShownStory {
    let item = named.story.item
    guard !item.pictures.isEmpty else { return self }
    let summary = StoryText(isHTML: false, bytes: Array((item.summary ?? "").utf8))
    var story = self
    let text = document ?? (try? StoryReading.document(summary, link: item.link).findingLinks())
    story.document = text?.belowPicture(of: item)
    return story
  }

  /// As it is stored; the summary where there is no more.
  var raw: String { text?.string ?? named.story.item.summary ?? "" }

  var links: StoryLinks { StoryLinks(named.story.item, document) }
}
