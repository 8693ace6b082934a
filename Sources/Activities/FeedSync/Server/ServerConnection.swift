internal import FeedFetching
internal import FeedModel
internal import FeedParsing
internal import FeedReading
internal import FeedStorage
internal import FeedUpdating
internal import Synchronization

struct ServerConnection: Sendable {
  private let context: SyncContext
  private let options: FetchOptions
  private let cancellation: FetchCancellation
  private let busy = Notes()

  init(_ context: SyncContext, _ options: FetchOptions, _ cancellation: FetchCancellation) {
    (self.context, self.options, self.cancellation) = (context, options, cancellation)
  }

  private final class Notes: Sendable {
    let noted = Mutex(BusyServers())
  }

  var retryTimes: [String: RetryTime] { busy.noted.withLock { $0.retryTimes } }

  func complain(_ line: String) { context.complain(line) }

  private static let maximumBytes = 1 << 20

  func ask(
    _ requests: [FetchRequest],
    keeping most: Int = maximumBytes,
  ) -> [Result<[UInt8], ServerError>] {
    ask(requests, atMost: Self.maximumBytes) { _, body in
      .success(body.withBytes { Array($0.prefix(most)) })
    }
  }

  /// Sends requests concurrently, and has the process that reads take the lists of their answers.
  func read<Reading: ServerBodyReading & Sendable>(
    _ requests: [(FetchRequest, as: Reading)],
    atMost limit: Int,
  ) -> [Result<ServerAnswer, ServerError>] {
    let readings = requests.map(\.as)
    return ask(requests.map(\.0), atMost: limit, readings.map(\.job)) { index, body in
      Result { () throws(ServerError) in try Self.answer(readings[index], body) }
    }
  }

  private static func answer(
    _ reading: some ServerBodyReading,
    _ body: ReceivedBody,
  ) throws(ServerError) -> ServerAnswer {
    let answer: ServerAnswer
    do throws(FeedParsingError) { answer = try reading.value(of: body) } catch {
      throw .answer("\(reading.words): \(error)")
    }
    if let fault = answer.fault { throw .answer(fault) }
    return answer
  }

  private func ask<Value: Sendable>(
    _ requests: [FetchRequest],
    atMost limit: Int,
    _ jobs: [[UInt8]] = [],
    _ make: @escaping @Sendable (_ index: Int, ReceivedBody) -> Result<Value, ServerError>,
  ) -> [Result<Value, ServerError>] {
    let (busy, now) = (busy, context.now())
    let answers = context.makeFetcher().answers(
      to: requests.enumerated().map { index, request in
        request.changed {
          $0.maximumBytes = limit
          if !jobs.isEmpty { $0.reading = jobs[index] }
        }
      },
      options: options,
      cancellation: cancellation,
      make: { request, outcome, body in
        busy.noted.withLock { $0.note(outcome, to: request.url, now: now) }
        return outcome.error.map { .failure(.request($0)) } ?? make(request.index, body)
      },
    )
    return answers.map { $0 ?? .failure(.request(.deadline)) }
  }
}

extension ServerConnection {
  /// Tells of a story that the server cannot give, or in too many bytes.
  func complain(leftOut error: FetchError, by server: SyncServer, atMost bytes: Int) {
    let reason =
      error.isOfSize ? "it is larger than \(bytes) bytes" : "\(ServerError.request(error))"
    complain("\(server.name): a story is left out: \(reason)")
  }
}

extension FetchError {
  var isOfSize: Bool { if case .bodyTooLarge = self { true } else { false } }

  /// True for a refusal that one bad story among those that were asked for may have caused.
  var mayBeOfOneStory: Bool {
    !isUnasked && status.map { [400, 404, 410, 413, 500].contains($0) } ?? false
  }
}
