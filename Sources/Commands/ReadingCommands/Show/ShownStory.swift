import CommandSupport
import FeedModel
import FeedReading
import FeedStorage
import HTMLText

/// A story with its whole text or its transcript; both are nil where only the summary is known.
struct ShownStory: Hashable, Sendable {
  private(set) var named: NamedStory
  /// The summary as it was published.
  private let summary: String?
  private(set) var text: StoryText?
  let transcript: StoryText?
  /// Made from the transcript, else from the text.
  private(set) var document: StoryDocument?

  /// Applies a choice of text and reads it.
  ///
  /// Complains of a text that cannot be read; the summary stands in for it.
  init(
    _ story: NamedStory,
    _ choice: TextChoice? = nil,
    transcript: StoryText? = nil,
    trackers removal: TrackerRemoval,
    in store: LibraryStore,
    _ context: CommandContext,
  ) {
    (named, summary, self.transcript) = (story, story.story.item.summary, transcript)
    if let choice { named.story.article = choice.applied(to: story.story.article) }
    do {
      text = if let new = choice?.newText { new } else { try store.text(of: named.story) }
      document = try (transcript ?? text).map {
        try StoryReading.shown($0, of: story.story, removal)
      }
    } catch {
      context.complain("\(story.name): \(error); its summary is shown")
    }
    named.story = removal.story(named.story)
  }

  var story: StoredItem { named.story }

  /// Returns the story with the picture of its feed above a text that shows none.
  func withPicture() -> ShownStory {
    let item = story.item
    guard !item.pictures.isEmpty else { return self }
    let summary = StoryText(isHTML: false, bytes: Array((item.summary ?? "").utf8))
    var shown = self
    let text = document ?? (try? StoryReading.document(summary, link: item.link).findingLinks())
    shown.document = text?.belowPicture(of: item)
    return shown
  }

  var raw: String { text?.string ?? summary ?? "" }

  var words: Int? { text?.words ?? StoryText.words(ofSummary: named.story.item.summary) }

  var links: StoryLinks { StoryLinks(story.item, document) }
}
