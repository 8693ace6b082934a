internal import FeedFetching
import FeedLibrary
internal import FeedModel
internal import FeedParsing
internal import FeedStorage
internal import FeedUpdating
internal import Synchronization
internal import System

struct ServerConnection: Sendable {
  typealias Answer = Result<[UInt8], FetchError>

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

  func ask(_ requests: [FetchRequest]) -> [Answer] {
    ask(requests, atMost: Self.maximumBytes) { Array($0) }
  }

  /// Sends requests concurrently, and keeps only the value that `make` gives for each answer.
  func ask<Value: Sendable>(
    _ requests: [FetchRequest],
    atMost limit: Int,
    _ make: @escaping @Sendable (UnsafeRawBufferPointer) -> Value,
  ) -> [Result<Value, FetchError>] {
    let (busy, now) = (busy, context.now())
    let answers = context.makeFetcher().answers(
      to: requests.map { request in
        var request = request
        request.maximumBytes = limit
        return request
      },
      options: options,
      cancellation: cancellation,
      make: { request, outcome, body in
        busy.noted.withLock { $0.note(outcome, to: request.url, now: now) }
        return outcome.error.map(Result.failure) ?? .success(body.withBytes(make))
      },
    )
    return answers.map { $0 ?? .failure(.deadline) }
  }

  static func json(
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

  /// Parses a JSON object, passes the elements of the array `name` to `body` one by one, and
  /// returns the object without the elements of its arrays.
  static func forEachElement(
    of name: String,
    in bytes: UnsafeRawBufferPointer,
    _ what: some StringProtocol,
    _ body: (JSONValue) throws(ServerError) -> Void,
  ) throws(ServerError) -> JSONValue {
    var failure: ServerError?
    let value: JSONValue?
    do throws(FeedParsingError) {
      value = try JSONDocument(bytes).forEachElement(of: name) { element in
        guard failure == nil else { return }
        do throws(ServerError) { try body(element) } catch { failure = error }
      }
    } catch {
      throw .answer("the answer to \(what): \(error)")
    }
    guard let value else { throw .answer("the answer to \(what) is no JSON, or breaks off") }
    if let failure { throw failure }
    return value
  }

  static func bytes(_ answer: Answer) throws(ServerError) -> [UInt8] {
    switch answer {
    case .success(let bytes): return bytes
    case .failure(let error): throw .request(error)
    }
  }
}
