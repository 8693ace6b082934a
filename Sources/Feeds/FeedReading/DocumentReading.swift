import FeedFetching
package import FeedModel
package import FeedParsing
import Synchronization
package import System

package struct DocumentReading: BodyReading {
  package var limits: ParsingLimits
  /// True if links may be resolved against the address of a local file; false leaves them relative.
  package var isFileBase: Bool

  /// Held while a long body is read: its copy in another encoding, or repaired, is as long again.
  private static let longBody = Mutex(())
  private static let longBodyBytes = 16 << 20

  package init(_ limits: ParsingLimits, isFileBase: Bool = true) {
    (self.limits, self.isFileBase) = (limits, isFileBase)
  }

  package static var blank: DocumentReading { DocumentReading(.standard) }

  package var kind: ReadingJob.Kind { .document }

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    coder.code(&limits)
    coder.code(&isFileBase)
  }

  package func read(_ body: ForeignBytes) throws(FeedParsingError) -> ReadDocument {
    guard body.bytes.count > Self.longBodyBytes else { return document(body) }
    return Self.longBody.withLock { _ in document(body) }
  }

  private func document(_ body: ForeignBytes) -> ReadDocument {
    let feed = Result { () throws(FeedParsingError) in
      try FeedParser.feed(
        body.bytes,
        url: body.head.flatMap { isFileBase || WebURL.isWeb($0.url) ? $0.url : nil },
        charset: body.head?.charset,
        links: body.head?.links ?? [],
        refresh: body.head?.refresh,
        limits: limits,
      )
    }
    // Nobody compares what is only listed.
    let digest = limits.kept == .lines ? "" : FNV1a.hash(words: body.bytes).hexadecimal
    return ReadDocument(feed: feed, digest: digest)
  }

  package var maximumCount: Int { limits.maximumItems }
}

package struct ReadDocument: RecordValue {
  package var feed: Result<Feed, FeedParsingError>
  /// A hexadecimal hash, which only tells a body from its last version: who makes two bodies collide
  /// hides their own news.
  package var digest: String

  package static var blank: ReadDocument { ReadDocument(feed: .failure(.empty), digest: "") }

  package init(feed: Result<Feed, FeedParsingError>, digest: String) {
    (self.feed, self.digest) = (feed, digest)
  }

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    coder.code(&feed)
    coder.code(&digest, .field)
  }
}

extension ParsingLimits: RecordValue {
  package static var blank: ParsingLimits { .standard }

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    var bytes = maximumBytes
    coder.code(&bytes, in: 1...Int.max)
    var kept = kept
    coder.code(&kept, among: Kept.allCases)
    var year = latestYear
    coder.code(&year, in: 1970...9_998)
    self = ParsingLimits(maximumBytes: bytes)
    (self.kept, latestYear) = (kept, year)
  }
}
