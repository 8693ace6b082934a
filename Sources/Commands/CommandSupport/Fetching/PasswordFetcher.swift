import FeedFetching
import FeedModel

/// A fetcher that runs the commands for passwords and headers, while `base` asks the other feeds.
struct PasswordFetcher: FeedFetcher {
  let base: any FeedFetcher
  let commands: @Sendable () -> OwnWords

  func fetch(_ batch: FetchBatch) {
    var asked = batch
    asked.requests.removeAll(where: \.waitsForCommands)
    let waiting = batch.requests.filter(\.waitsForCommands)
    guard !waiting.isEmpty else { return base.fetch(asked) }
    let work = WorkerThreads([
      { [asked] in base.fetch(asked) },
      {
        var commands = PasswordCommands(batch, commands())
        var known = batch
        known.requests = []
        for request in waiting {
          do throws(FetchError) {
            known.requests.append(try commands.answer(request))
          } catch {
            batch.completion(request, .failed(error, nil), batch.body(request))
          }
        }
        base.fetch(known)
      },
    ])
    work.wait(until: nil, orReadable: nil)
  }
}

/// The commands of one fetch, one after the other, as each may ask the user something.
private struct PasswordCommands {
  let options: FetchOptions
  let cancellation: FetchCancellation
  private let commands: OwnWords
  private var answers: [String: Result<String, CommandFailure>] = [:]

  init(_ batch: FetchBatch, _ commands: OwnWords) {
    (options, cancellation) = (batch.options, batch.cancellation)
    self.commands = commands
  }

  /// Returns a request with its password and headers; a command that several feeds share runs once.
  mutating func answer(_ request: FetchRequest) throws(FetchError) -> FetchRequest {
    var request = request
    if let command = request.passwordCommand {
      do throws(CommandFailure) {
        request.password = try password(text(of: command))
      } catch {
        throw ending ?? .passwordCommand(error)
      }
    }
    if let command = request.headers.command {
      do throws(CommandFailure) {
        for field in try fields(text(of: command)) { request.headers.set(field) }
      } catch {
        throw ending ?? .headerCommand(error)
      }
    }
    (request.passwordCommand, request.headers.command) = (nil, nil)
    return request
  }

  private func password(_ text: String) throws(CommandFailure) -> String {
    let line = text.unicodeScalars.prefix { !["\n", "\r", "\0"].contains($0) }
    guard !line.isEmpty else { throw .noAnswer }
    return String(String.UnicodeScalarView(line))
  }

  private func fields(_ text: String) throws(CommandFailure) -> [RequestHeader] {
    let lines = text.split(whereSeparator: \.isNewline)
    let fields = lines.prefix(RequestHeader.most).compactMap { RequestHeader($0) }
    guard !fields.isEmpty, fields.count == lines.count else { throw .noAnswer }
    return fields
  }

  private mutating func text(of command: String) throws(CommandFailure) -> String {
    guard let own = commands.command(command) else { throw commands.failure }
    let answer = answers[command] ?? run(own)
    answers[command] = answer
    return try answer.get()
  }

  /// Drops what the command prints on standard error, which may be the password as well.
  private func run(_ command: OwnCommand) -> Result<String, CommandFailure> {
    let limit = options.transferTimeout
    let end = [options.deadline, .now + limit].compactMap(\.self).min()
    guard ending == nil else { return .failure(.timedOut(limit)) }
    let answer = POSIX.run(
      command.shell,
      output: .answerWithoutErrors,
      until: end,
      orReadable: cancellation.descriptor,
    )
    guard let answer else { return .failure(.notStarted) }
    guard let status = answer.status else { return .failure(.timedOut(limit)) }
    return status == 0 ? .success(answer.text) : .failure(.status(status))
  }

  private var ending: FetchError? { options.ending(cancellation) }
}

extension FetchOptions {
  /// Returns the reason to start no more commands and to wait for none; nil to go on.
  func ending(_ cancellation: FetchCancellation) -> FetchError? {
    if cancellation.isCancelled { return .cancelled }
    return deadline.map { $0 <= .now } ?? false ? .deadline : nil
  }
}
