import FeedFetching
import FeedModel
import Synchronization

/// A fetcher that runs the commands that print the documents of some feeds, or change them, while the
/// others are asked.
struct CommandFetcher: FeedFetcher {
  let base: any FeedFetcher
  /// Why commands are not run that stand in the home's files; nil where they are.
  let refusal: @Sendable () -> String?

  private static let mostAtOnce = 4

  func fetch(_ batch: FetchBatch) {
    var asked = batch
    asked.requests.removeAll(where: \.runsCommand)
    let own = batch.requests.filter(\.runsCommand)
    guard !own.isEmpty else { return base.fetch(batch) }
    let answers = CommandAnswers(base: base, batch: batch, refusal: refusal())
    let next = Atomic<Int>(0)
    let work: @Sendable () -> Void = {
      while true {
        let index = next.add(1, ordering: .relaxed).oldValue
        guard index < own.count else { return }
        answers.answer(own[index])
      }
    }
    let workers = Array(repeating: work, count: min(Self.mostAtOnce, own.count))
    WorkerThreads([{ [asked] in base.fetch(asked) }] + workers).wait(until: nil, orReadable: nil)
  }
}

/// The requests of one fetch that run commands.
private struct CommandAnswers: Sendable {
  let base: any FeedFetcher
  let batch: FetchBatch
  let refusal: String?

  private static let longest = Duration.seconds(30)

  func answer(_ request: FetchRequest) {
    let body = batch.body(request)
    let outcome: FetchOutcome
    do throws(FetchError) {
      if let ending { throw ending == .deadline ? .notBegun : ending }
      outcome = try document(request, body)
    } catch {
      outcome = .failed(error, nil)
    }
    batch.completion(request, outcome, body)
  }

  private func document(
    _ request: FetchRequest,
    _ body: ReceivedBody,
  ) throws(FetchError) -> FetchOutcome {
    guard let filter = request.filter else { return try source(request, body) }
    let whole = ReceivedBody()
    let outcome = try source(request, whole)
    guard case .content(let response) = outcome, let url = whole.head?.url else { return outcome }
    body.begin(ResponseHead(status: response.status, url: url))
    let limit = request.maximumBytes(batch.options)
    do throws(FetchError) {
      _ = try whole.withBytes { (bytes) throws(FetchError) in
        try run(filter, on: bytes, maximumBytes: limit, body) { .filter($0) }
      }
    } catch {
      return .failed(error, response)
    }
    return outcome
  }

  /// The document before the filter: what the feed's command prints, or its server sends.
  private func source(
    _ request: FetchRequest,
    _ body: ReceivedBody,
  ) throws(FetchError) -> FetchOutcome {
    guard let command = CommandURL.command(of: request.url) else { return fetched(request, body) }
    var response = FetchResponse(status: nil, url: request.url)
    // Whoever wrote what it prints, it may have come from the internet.
    response.trust = .internet
    body.begin(ResponseHead(status: nil, url: request.url))
    let limit = request.maximumBytes(batch.options)
    response.bytes = try run(command, on: .init(start: nil, count: 0), maximumBytes: limit, body) {
      .feedCommand($0)
    }
    response.duration = body.elapsed
    return .content(response)
  }

  private func fetched(_ request: FetchRequest, _ body: ReceivedBody) -> FetchOutcome {
    let outcome = Mutex<FetchOutcome>(.failed(.notBegun, nil))
    base.fetch(
      [request],
      options: batch.options,
      cancellation: batch.cancellation,
      body: { _ in body },
      completion: { _, answer, _ in outcome.withLock { $0 = answer } },
    )
    return outcome.withLock(\.self)
  }

  /// Has a command print into a body; gives how many bytes.
  private func run(
    _ command: String,
    on input: UnsafeRawBufferPointer,
    maximumBytes limit: Int,
    _ body: ReceivedBody,
    failure: (CommandFailure) -> FetchError,
  ) throws(FetchError) -> Int {
    if let refusal { throw failure(.refused(refusal)) }
    let time = Self.longest
    var (count, isTooLarge) = (0, false)
    let end = PrintingProgram.run(
      DocumentCommand.words(command),
      input: input,
      until: [batch.options.deadline, .now + time].compactMap(\.self).min(),
      orReadable: batch.cancellation.descriptor,
    ) { piece in
      count += piece.count
      isTooLarge = count > limit
      return !isTooLarge && body.receive(piece)
    }
    switch end {
    case nil: throw failure(.notStarted)
    case .refused: throw isTooLarge ? .bodyTooLarge(maximumBytes: limit) : .stoppedByReceiver
    case .timedOut: throw ending ?? failure(.timedOut(time))
    case .ended(0, _) where count > 0: return count
    case .ended(0, _): throw failure(.noAnswer)
    case .ended(let status, let said): throw failure(.status(status, said: said))
    }
  }

  private var ending: FetchError? { batch.options.ending(batch.cancellation) }
}
