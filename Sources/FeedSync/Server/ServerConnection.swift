package import FeedFetching
internal import FeedModel
package import FeedParsing
internal import FeedStorage
internal import FeedUpdating
internal import Synchronization
internal import System

/// Asks a server, as long as a run has time.
package struct ServerConnection: Sendable {
  package typealias Answer = Result<[UInt8], FetchError>

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

  /// What servers said of being left in peace.
  var retryTimes: [String: RetryTime] { busy.noted.withLock { $0.retryTimes } }

  /// Asks for several things at once.
  package func ask(_ requests: [FetchRequest]) -> [Answer] {
    let (busy, now) = (busy, context.now())
    let answers = context.makeFetcher().answers(
      to: requests,
      options: options,
      cancellation: cancellation,
      make: { request, outcome, body in
        busy.noted.withLock { $0.note(outcome, to: request.url, now: now) }
        // `FetchOptions.maximumBytes` bounds it.
        return outcome.error.map(Answer.failure) ?? .success(body.withBytes { Array($0) })
      },
    )
    return answers.map { $0 ?? .failure(.deadline) }
  }

  /// The JSON object that was asked for; `what` is what people call it.
  package static func json(
    _ answer: Answer,
    of what: some StringProtocol,
  ) throws(ServerError) -> JSONValue {
    let bytes = try bytes(answer)
    do throws(FeedParsingError) {
      let value = try bytes.withUnsafeBufferPointer { bytes throws(FeedParsingError) in
        try JSONDocument(UnsafeRawBufferPointer(bytes)).value()
      }
      if let value, case .object = value { return value }
    } catch {
      throw .answer("the answer to \(what): \(error)")
    }
    throw .answer("the answer to \(what) is no JSON, or breaks off")
  }

  package static func bytes(_ answer: Answer) throws(ServerError) -> [UInt8] {
    switch answer {
    case .success(let bytes): return bytes
    case .failure(let error): throw .request(error)
    }
  }
}
