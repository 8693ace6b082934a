import System

enum ReaderOrder: RecordValue {
  case fetch(batch: Int, FetchOptions, [FetchRequest])
  case cancel(batch: Int)
  case stop(batch: Int, index: Int)
  /// A job with the content of the message.
  case perform(number: Int, job: [UInt8], ResponseHead?)

  static let blank = ReaderOrder.cancel(batch: 0)

  mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    var kind = kind
    coder.code(&kind, in: 0...3)
    switch kind {
    case 0:
      var (batch, options, requests) = (0, FetchOptions(), [FetchRequest]())
      if case .fetch(let own, let how, let all) = self {
        (batch, options, requests) = (own, how, all)
      }
      coder.code(&batch, in: 0...Int.max)
      coder.code(&options)
      coder.code(&requests)
      self = .fetch(batch: batch, options, requests)
    case 1:
      var batch = 0
      if case .cancel(let own) = self { batch = own }
      coder.code(&batch, in: 0...Int.max)
      self = .cancel(batch: batch)
    case 2:
      var (batch, index) = (0, 0)
      if case .stop(let own, let place) = self { (batch, index) = (own, place) }
      coder.code(&batch, in: 0...Int.max)
      coder.code(&index, in: 0...Int.max)
      self = .stop(batch: batch, index: index)
    case 3:
      var (number, job, head) = (0, [UInt8](), ResponseHead?.none)
      if case .perform(let own, let what, let from) = self {
        (number, job, head) = (own, what, from)
      }
      coder.code(&number, in: 0...Int.max)
      coder.code(&job) { _ in true }
      // A document that is at hand may come from a file or a command.
      var source = head?.url ?? ""
      coder.code(&source, .own)
      coder.code(&head)
      head?.url = source
      self = .perform(number: number, job: job, head)
    default: break
    }
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

  private var kind: Int {
    switch self {
    case .fetch: 0
    case .cancel: 1
    case .stop: 2
    case .perform: 3
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
