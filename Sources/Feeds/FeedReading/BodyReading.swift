package import FeedFetching
package import FeedParsing
package import System

/// A way to read bytes that came from strangers.
///
/// A confined process reads them, where there is one; its answer is a record, which is taken whole
/// or not at all. Else, as in tests, this process reads them itself.
package protocol BodyReading: RecordValue {
  associatedtype Value: RecordValue

  var kind: ReadingJob.Kind { get }

  func read(_ body: ForeignBytes) throws(FeedParsingError) -> Value

  /// The most elements that a list of the value has.
  var maximumCount: Int { get }
}

/// Bytes that came from strangers; `head` is nil where they did not come from a server.
package struct ForeignBytes {
  let bytes: UnsafeRawBufferPointer
  let head: ResponseHead?

  package init(_ bytes: UnsafeRawBufferPointer, _ head: ResponseHead? = nil) {
    (self.bytes, self.head) = (bytes, head)
  }
}

extension BodyReading {
  private typealias Answer = Result<Value, FeedParsingError>

  package var maximumCount: Int { 1 << 20 }

  package var job: [UInt8] { ReadingJob(self).record }

  /// Returns what was read of the body where it was received, else reads it here.
  package func value(of body: ReceivedBody) throws(FeedParsingError) -> Value {
    if let result = body.result { return try value(of: result) }
    return try body.withBytes { (bytes) throws(FeedParsingError) in
      try value(of: ForeignBytes(bytes, body.head))
    }
  }

  package func value(of body: ForeignBytes) throws(FeedParsingError) -> Value {
    guard ReaderJobs.areRemote else { return try read(body) }
    return try value(
      of: Result { () throws(ReaderFailure) in
        try ReaderJobs.perform(job, on: body.bytes, body.head)
      }
    )
  }

  private func value(
    of result: Result<[UInt8], ReaderFailure>
  ) throws(FeedParsingError) -> Value {
    let record: [UInt8]
    do throws(ReaderFailure) {
      record = try result.get()
    } catch {
      throw error == .ended ? FeedParsingError.readerEnded : .resourcesExhausted
    }
    guard let answer = Answer(record: record, maximumCount: maximumCount) else {
      throw .readerEnded
    }
    return try answer.get()
  }

  fileprivate func record(_ body: ForeignBytes) -> [UInt8] {
    // What is read is rarely longer than what it is read from.
    Answer { () throws(FeedParsingError) in try read(body) }.record(reserving: body.bytes.count)
  }
}

package struct ReadingJob: RecordValue {
  package enum Kind: Int, CaseIterable {
    case document, page, transcript, outlines, story, database, serverAnswer, namedAnswer
    case confinement
  }

  private var kind: Kind
  private var reading: [UInt8]

  package static var blank: ReadingJob { ReadingJob(OutlineReading()) }

  fileprivate init(_ reading: some BodyReading) {
    (kind, self.reading) = (reading.kind, reading.record)
  }

  private init(_ kind: Kind) {
    (self.kind, reading) = (kind, [])
  }

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    coder.code(&kind, among: Kind.allCases)
    coder.code(&reading) { _ in true }
  }

  /// Asks the process that reads how it is confined; nil where there is none or it does not answer.
  package static func confinement() -> WallNames? {
    guard ReaderJobs.areRemote else { return nil }
    let answer = try? ReaderJobs.perform(
      ReadingJob(.confinement).record,
      on: .init(start: nil, count: 0),
      nil,
    )
    return answer.flatMap { WallNames(record: $0) }
  }

  /// Returns a record of the answer, empty where `job` or its reading is not a sound record.
  ///
  /// `confinement` says how this process was confined.
  package static func perform(
    _ job: [UInt8],
    _ head: ResponseHead?,
    _ bytes: UnsafeRawBufferPointer,
    confinement: WallNames,
  ) -> [UInt8] {
    guard let job = ReadingJob(record: job) else { return [] }
    let body = ForeignBytes(bytes, head)
    return switch job.kind {
    case .document: job.record(DocumentReading.self, body)
    case .page: job.record(PageReading.self, body)
    case .transcript: job.record(TranscriptReading.self, body)
    case .outlines: job.record(OutlineReading.self, body)
    case .story: job.record(StoryReading.self, body)
    case .database: job.record(DatabaseReading.self, body)
    case .serverAnswer: job.record(ServerAnswerReading.self, body)
    case .namedAnswer: job.record(NamedAnswerReading.self, body)
    case .confinement: confinement.record
    }
  }

  private func record<Reading: BodyReading>(_: Reading.Type, _ body: ForeignBytes) -> [UInt8] {
    Reading(record: reading)?.record(body) ?? []
  }
}

/// The names of the walls around the process that reads (`on`), and why others do not stand
/// (`off`).
package struct WallNames: RecordValue {
  package var on: [String]
  package var off: [String]

  package init(on: [String], off: [String]) {
    (self.on, self.off) = (on, off)
  }

  /// A sentence for each wall that is missing: which one, why, and what that means.
  package var faults: [String] {
    let rest =
      on.isEmpty
      ? "a feed that takes over the process that reads it has your files"
      : "\(on.joined(separator: ", ")) alone holds a feed that takes over the process that reads it"
    return off.map { "a wall is missing: \($0); \(rest)" }
  }

  package static var blank: WallNames { WallNames(on: [], off: []) }

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    coder.code(&on, .line)
    coder.code(&off, .line)
  }
}
