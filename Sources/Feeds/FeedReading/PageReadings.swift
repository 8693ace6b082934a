import FeedFetching
package import FeedModel
package import FeedParsing
package import HTMLText
package import System

package protocol PlainReading: BodyReading {
  init()
}

extension PlainReading {
  package static var blank: Self { Self() }

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {}
}

package struct PageReading: BodyReading {
  /// The beginning of the story in its feed, empty where that is not known.
  private var teaser: String

  package struct Value: RecordValue {
    package var article: StoryText?
    package var description: PageDescription
    /// True if `</html>` stands near the end: else the rest of the answer may be missing.
    package var isWhole = true

    package static var blank: Value { Value(article: nil, description: .blank) }

    package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
      coder.code(&article)
      coder.code(&description)
      coder.code(&isWhole)
    }
  }

  package init(teaser: String = "") {
    self.teaser = teaser
  }

  package static var blank: PageReading { PageReading() }

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    coder.code(&teaser, .own)
  }

  package var kind: ReadingJob.Kind { .page }

  package func read(_ body: ForeignBytes) throws(FeedParsingError) -> Value {
    let (bytes, head) = (body.bytes, body.head)
    let decoder = try DocumentDecoder(bytes, charset: head?.charset)
    if Self.isPlain(bytes, head?.contentType) {
      let text = decoder.withBytes(of: bytes) { Array($0) }
      let article = StoryText(isHTML: false, base: head?.url, bytes: text)
      return Value(article: article, description: PageDescription(), isWhole: false)
    }
    let (article, description) = decoder.withBytes(of: bytes) { page in
      ArticleReader.read(page, url: head?.url ?? "", teaser: teaser)
    }
    return Value(article: article, description: description, isWhole: Self.isClosed(bytes))
  }

  private static let plainTypes: Set = ["text/plain", "text/markdown"]
  private static let maximumText = 1 << 20

  /// True of a text that is not a page under a wrong name.
  private static func isPlain(_ bytes: UnsafeRawBufferPointer, _ type: String?) -> Bool {
    guard let type, plainTypes.contains(type), bytes.count <= maximumText,
      let first = bytes.first(where: { !$0.isASCIISpace })
    else { return false }
    return first != UInt8(ascii: "<")
  }

  private static let tail = 4_096

  private static func isClosed(_ bytes: UnsafeRawBufferPointer) -> Bool {
    String(decoding: bytes.suffix(tail), as: UTF8.self).lowercased().contains("</html>")
  }
}

package struct TranscriptReading: PlainReading {
  package init() {}

  package var kind: ReadingJob.Kind { .transcript }

  package func read(_ body: ForeignBytes) throws(FeedParsingError) -> StoryText {
    try TranscriptReader.text(
      body.bytes,
      url: body.head?.url ?? "",
      charset: body.head?.charset,
      isHTML: body.head?.contentType?.contains("html") ?? false,
    )
  }
}

package struct OutlineReading: PlainReading {
  package init() {}

  package var kind: ReadingJob.Kind { .outlines }

  package func read(_ body: ForeignBytes) throws(FeedParsingError) -> OutlineDocument {
    try OutlineParser.read(Array(body.bytes))
  }
}

extension PageDescription: RecordValue {
  package static var blank: PageDescription { PageDescription() }

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    coder.code(&title, .line)
    coder.code(&site, .line)
    coder.code(&summary, .line)
    coder.code(&icon, .webURL)
  }
}

extension OutlineDocument: RecordValue {
  package static var blank: OutlineDocument { OutlineDocument() }

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    coder.code(&attributes)
    coder.code(&head)
    coder.code(&body)
    coder.code(&isCutShort)
  }
}

extension OutlineElement: RecordValue {
  package static var blank: OutlineElement { OutlineElement() }

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    coder.code(&name, .source)
    coder.code(&attributes)
    coder.code(&text, .source)
    coder.nest { $0.code(&children) }
  }
}

extension OutlineAttribute: RecordValue {
  package static var blank: OutlineAttribute { OutlineAttribute("", "") }

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    coder.code(&name, .source)
    coder.code(&value, .source)
  }
}
