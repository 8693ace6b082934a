import FeedModel
import FeedParsing
import FeedStorage
import HTMLText

/// A story with its whole text or what is said in it; all are nil where the summary is all that can be had.
struct ShownStory: Hashable, Sendable {
  let named: NamedStory
  private(set) var text: StoryText?
  let transcript: StoryText?
  /// Of the transcript, or else of the text.
  private(set) var document: StoryDocument?

  /// With the text of its page, where that has just come.
  ///
  /// Of a text that cannot be read the summary is left, and it is said why.
  init(
    _ story: NamedStory,
    _ page: StoryText? = nil,
    transcript: StoryText? = nil,
    in store: LibraryStore,
    _ context: CommandContext,
  ) {
    (named, self.transcript) = (story, transcript)
    do {
      text = if let page { page } else { try store.text(of: story.story) }
      document = (transcript ?? text).map {
        StoryDocumentReader.document($0, link: story.story.item.link).findingLinks()
      }
    } catch {
      context.complain("\(story.name): \(error); its summary is shown")
    }
  }

  /// As it is stored; the summary where there is no more.
  var raw: String { text?.string ?? named.story.item.summary ?? "" }

  var links: StoryLinks { StoryLinks(named.story.item, document) }
}
