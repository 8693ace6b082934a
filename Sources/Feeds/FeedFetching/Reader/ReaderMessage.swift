import System

struct ReaderOrder: RecordValue {
  enum Kind: CaseIterable {
    case fetch
    case cancel
    case stop
    /// A job with the content of the message.
    case perform
    /// A job with the file of the message.
    case performOnFile
  }

  var kind: Kind
  /// The number of the fetch, or of the job.
  var number: Int
  var index = 0
  var options = FetchOptions()
  var requests: [FetchRequest] = []
  var job: [UInt8] = []
  var head: ResponseHead?

  static let blank = ReaderOrder(kind: .cancel, number: 0)

  mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    coder.code(&kind, among: Kind.allCases)
    coder.code(&number, in: 0...Int.max)
    coder.code(&index, in: 0...Int.max)
    coder.code(&options)
    coder.code(&requests)
    coder.code(&job) { _ in true }
    // A document that is at hand may come from a file or a command.
    var source = head?.url ?? ""
    coder.code(&source, .own)
    coder.code(&head)
    head?.url = source
  }

  /// The most bytes of a body that the order has the process read itself.
  var maximumBytes: Int {
    requests.map { $0.maximumBytes(options) }.max() ?? head?.size ?? 0
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
