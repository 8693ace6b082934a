import System

enum ReaderOrder: RecordValue, Codable {
  case fetch(batch: Int, FetchOptions, [FetchRequest])
  case cancel(batch: Int)
  case stop(batch: Int, index: Int)
  /// A job with the content of the message.
  case perform(number: Int, job: [UInt8], ResponseHead?)

  static let blank = ReaderOrder.cancel(batch: 0)

  mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    // A document that is at hand may come from a file or a command.
    var source = ""
    if case .perform(_, _, let head?) = self { source = head.url }
    coder.code(&source, .own)
    coder.code(cases: &self)
    guard case .perform(let number, let job, var head?) = self else { return }
    head.url = source
    self = .perform(number: number, job: job, head)
  }

  /// The most bytes of a body that the order has the process read itself.
  var maximumBytes: Int {
    switch self {
    case .fetch(_, let options, let requests):
      requests.map { $0.maximumBytes(options) }.max() ?? 0
    case .perform(_, _, let head): head?.size ?? 0
    case .cancel, .stop: 0
    }
  }
}

struct ReaderAnswer: RecordValue {
  enum Kind: Int, CaseIterable {
    case began
    case head
    case piece
    case ended
    case batchEnded
    case performed
    /// A sign that the process is at work.
    case alive
  }

  var kind: Kind
  /// The number of the fetch, or of the job.
  var number = 0
  var index = 0
  var head: ResponseHead?
  var outcome: FetchOutcome?
  /// True if the content is the result of a job, in place of a body.
  var isResult = false
  /// The content of its message, which is no part of its record.
  private(set) var content: [UInt8] = []

  init(_ kind: Kind, _ number: Int, index: Int = 0) {
    (self.kind, self.number, self.index) = (kind, number, index)
  }

  init?(_ message: MessageConnection.Message) {
    self.init(record: message.record)
    content = message.content
  }

  static let blank = ReaderAnswer(.began, 0)

  mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    coder.code(&kind, among: Kind.allCases)
    coder.code(&number, in: 0...Int.max)
    coder.code(&index, in: 0...Int.max)
    coder.code(&head)
    coder.code(&outcome)
    coder.code(&isResult)
  }
}
