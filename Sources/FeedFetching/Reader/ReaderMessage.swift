import System

/// A message to the process that reads.
enum ReaderOrder: RecordValue {
  /// To ask for some things; each is known by its place among them.
  case fetch(batch: Int, FetchOptions, [FetchRequest])
  /// To bring a fetch to its end.
  case cancel(batch: Int)
  /// To take no more of one answer.
  case stop(batch: Int, index: Int)
  /// To do a job with bytes that come from elsewhere; `head` says where, as far as that is known.
  case perform(number: Int, job: [UInt8], ResponseHead?, bytes: [UInt8])

  static let blank = ReaderOrder.cancel(batch: 0)

  mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    switch coder.code(constant: kind) {
    case 0:
      var (batch, options, requests) = (0, FetchOptions(), [FetchRequest]())
      if case .fetch(let own, let how, let all) = self {
        (batch, options, requests) = (own, how, all)
      }
      coder.code(&batch)
      coder.code(&options)
      coder.code(&requests)
      self = .fetch(batch: batch, options, requests)
    case 1:
      var batch = 0
      if case .cancel(let own) = self { batch = own }
      coder.code(&batch)
      self = .cancel(batch: batch)
    case 2:
      var (batch, index) = (0, 0)
      if case .stop(let own, let place) = self { (batch, index) = (own, place) }
      coder.code(&batch)
      coder.code(&index)
      self = .stop(batch: batch, index: index)
    case 3:
      var (number, job, head, bytes) = (0, [UInt8](), ResponseHead?.none, [UInt8]())
      if case .perform(let own, let what, let from, let all) = self {
        (number, job, head, bytes) = (own, what, from, all)
      }
      coder.code(&number)
      coder.code(&job)
      coder.code(&head)
      coder.code(&bytes)
      self = .perform(number: number, job: job, head, bytes: bytes)
    default: coder.fail()
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

/// A message of the process that reads.
struct ReaderAnswer: RecordValue {
  enum Kind: Int, CaseIterable {
    /// A request's turn has come.
    case began
    /// Its content begins.
    case head
    /// The next bytes of a body that is wanted as it comes.
    case piece
    case ended
    /// All requests of a fetch have ended.
    case batchEnded
    case performed
  }

  var kind: Kind
  /// Of the fetch, or of the job.
  var number = 0
  /// Of the request, among those of the fetch.
  var index = 0
  var head: ResponseHead?
  var outcome: FetchOutcome?
  /// Whether the bytes are what a job came to, in place of a body.
  var isResult = false
  var bytes: [UInt8] = []

  init(_ kind: Kind, _ number: Int, index: Int = 0) {
    (self.kind, self.number, self.index) = (kind, number, index)
  }

  static let blank = ReaderAnswer(.began, 0)

  mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    coder.code(&kind, among: Kind.allCases)
    coder.code(&number)
    coder.code(&index)
    coder.code(&head)
    coder.code(&outcome)
    coder.code(&isResult)
    coder.code(&bytes)
  }
}
