package import FeedFetching
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
    var form = text
    form.bytes = []
    let reading = StoryReading(form: form, link: link)
    return try text.bytes.withUnsafeBufferPointer { (bytes) throws(FeedParsingError) in
      try reading.value(of: UnsafeRawBufferPointer(bytes))
    }
  }

  package static var blank: StoryReading { StoryReading(form: .blank, link: "") }

  package var kind: ReadingJob.Kind { .story }

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    coder.code(&form)
    coder.code(&link, .own)
  }

  package func read(
    _ bytes: UnsafeRawBufferPointer,
    _ head: ResponseHead?,
  ) throws(FeedParsingError) -> StoryDocument {
    var text = form
    text.bytes = Array(bytes)
    return StoryDocumentReader.document(text, link: link)
  }
}
