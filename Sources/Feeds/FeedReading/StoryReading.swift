package import FeedModel
package import FeedParsing
package import HTMLText
package import System

package struct StoryReading: BodyReading {
  /// The text without its bytes, which go beside the job.
  private var form: StoryText
  private var link: String

  package static func document(
    _ text: StoryText,
    link: String,
  ) throws(FeedParsingError) -> StoryDocument {
    // Plain text has nothing to be read.
    guard text.isHTML else { return StoryDocumentReader.document(text, link: link) }
    var form = text
    form.bytes = []
    let reading = StoryReading(form: form, link: link)
    return try text.bytes.withUnsafeBufferPointer { (bytes) throws(FeedParsingError) in
      try reading.value(of: ForeignBytes(UnsafeRawBufferPointer(bytes)))
    }
  }

  /// Returns the text of a story as it is shown, or its summary: with links where it spells them,
  /// and without trackers.
  package static func shown(
    _ text: StoryText?,
    of story: StoredItem,
    _ removal: TrackerRemoval,
  ) throws(FeedParsingError) -> StoryDocument {
    let text = text ?? StoryText(isHTML: false, bytes: Array((story.item.summary ?? "").utf8))
    let document = try document(text, link: story.item.link).findingLinks()
    return removal.applies(to: story.feeds) ? document.withoutTrackers() : document
  }

  package static var blank: StoryReading { StoryReading(form: .blank, link: "") }

  package var kind: ReadingJob.Kind { .story }

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    coder.code(&form)
    coder.code(&link, .own)
  }

  package func read(_ body: ForeignBytes) throws(FeedParsingError) -> StoryDocument {
    var text = form
    text.bytes = Array(body.bytes)
    return StoryDocumentReader.document(text, link: link)
  }
}
