import CommandLine
import FeedFetching
import Synchronization

/// A fetcher that runs the commands and filters of feeds, while `base` asks the others.
struct CommandFetcher: FeedFetcher {
  let base: any FeedFetcher
  let commands: @Sendable () -> OwnWords

  private static let mostAtOnce = 4

  func fetch(_ batch: FetchBatch) {
    let own = batch.requests.filter(\.runsCommand)
    guard !own.isEmpty else { return base.fetch(batch) }
    var asked = batch
    asked.requests.removeAll(where: \.runsCommand)
    let answers = CommandAnswers(base: base, batch: batch, commands: commands())
    let printed = own.filter(\.isOfCommand)
    let filtered = own.filter { !$0.isOfCommand }
    WorkerThreads([
      { [asked] in base.fetch(asked) },
      { Self.each(printed) { answers.answer($0) } },
      { Self.each(answers.fetched(filtered)) { answers.answer($0.request, $0.source) } },
    ]).wait(until: nil, orReadable: nil)
  }

  /// Calls `body` with each thing, on at most four threads.
  private static func each<Thing: Sendable>(
    _ things: [Thing],
    _ body: @escaping @Sendable (Thing) -> Void,
  ) {
    let next = Atomic<Int>(0)
    let work: @Sendable () -> Void = {
      while true {
        let index = next.add(1, ordering: .relaxed).oldValue
        guard index < things.count else { return }
        body(things[index])
      }
    }
    guard !things.isEmpty else { return }
    let workers = Array(repeating: work, count: min(mostAtOnce, things.count))
    WorkerThreads(workers).wait(until: nil, orReadable: nil)
  }
}

extension OwnWords {
  /// The reason why a command is not run that is not among them.
  var failure: CommandFailure { .refused(refusal ?? "nobody has typed it") }
}

private struct CommandAnswers: Sendable {
  let base: any FeedFetcher
  let batch: FetchBatch
  let commands: OwnWords

  private static let longest = Duration.seconds(30)

  struct Source: Sendable {
    let outcome: FetchOutcome
    let body: ReceivedBody
  }

  /// Fetches the documents that filters are to read; what is no document is answered at once.
  ///
  /// They are asked for together: those of one host wait for one another, and a password's command
  /// runs once.
  func fetched(_ requests: [FetchRequest]) -> [(request: FetchRequest, source: Source)] {
    guard !requests.isEmpty else { return [] }
    let fetched = Mutex<[(request: FetchRequest, source: Source)]>([])
    // The output of a filter is read, not the document.
    base.fetch(
      requests.map { request in request.changed { $0.reading = [] } },
      options: batch.options,
      cancellation: batch.cancellation,
      completion: { request, outcome, whole in
        if case .content = outcome {
          fetched.withLock { $0.append((request, Source(outcome: outcome, body: whole))) }
        } else {
          batch.completion(request, outcome, batch.body(request))
        }
      },
    )
    return fetched.withLock(\.self)
  }

  /// Completes a request with its command's output, or with its filter's on the source.
  func answer(_ request: FetchRequest, _ source: Source? = nil) {
    let body = batch.body(request)
    let outcome: FetchOutcome
    do throws(FetchError) {
      if let ending { throw ending == .deadline ? .notBegun : ending }
      outcome = try document(request, source, body)
    } catch {
      outcome = .failed(error, nil)
    }
    batch.completion(request, outcome, body)
  }

  private func document(
    _ request: FetchRequest,
    _ source: Source?,
    _ body: ReceivedBody,
  ) throws(FetchError) -> FetchOutcome {
    guard let filter = request.filter else { return try printed(request, body) }
    let whole = source?.body ?? ReceivedBody()
    let outcome = if let source { source.outcome } else { try printed(request, whole) }
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

  private func printed(
    _ request: FetchRequest,
    _ body: ReceivedBody,
  ) throws(FetchError) -> FetchOutcome {
    let command = CommandURL.command(of: request.url) ?? ""
    var response = FetchResponse(status: nil, url: request.url)
    // The output may come from the internet, whoever wrote the command.
    response.trust = .internet
    body.begin(ResponseHead(status: nil, url: request.url))
    let limit = request.maximumBytes(batch.options)
    response.bytes = try run(command, on: .init(start: nil, count: 0), maximumBytes: limit, body) {
      .feedCommand($0)
    }
    response.duration = body.elapsed
    return .content(response)
  }

  /// Runs a command that prints into a body, for at most 30 seconds; returns the bytes.
  private func run(
    _ command: String,
    on input: UnsafeRawBufferPointer,
    maximumBytes limit: Int,
    _ body: ReceivedBody,
    failure: (CommandFailure) -> FetchError,
  ) throws(FetchError) -> Int {
    guard let command = commands.command(command) else { throw failure(commands.failure) }
    let time = Self.longest
    var (count, isTooLarge) = (0, false)
    let end = PrintingProgram.run(
      // No shell reads the line, unless it names one.
      ShellLine(command.line).words,
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
