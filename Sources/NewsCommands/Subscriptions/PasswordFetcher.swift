import FeedFetching
import Synchronization

/// A fetcher that has the commands run that say the passwords of some feeds, while the others are
/// asked.
struct PasswordFetcher: FeedFetcher {
  let base: any FeedFetcher

  func fetch<R: BodyReceiver>(_ batch: FetchBatch<R>) {
    var asked = batch
    asked.requests.removeAll { $0.passwordCommand != nil }
    let waiting = batch.requests.filter { $0.passwordCommand != nil }
    guard !waiting.isEmpty else { return base.fetch(asked) }
    let work = WorkerThreads([
      { [asked] in base.fetch(asked) },
      {
        var commands = PasswordCommands(options: batch.options, cancellation: batch.cancellation)
        var known = batch
        known.requests = []
        for request in waiting {
          do throws(FetchError) {
            known.requests.append(try commands.answer(request))
          } catch {
            batch.completion(request, .failed(error, nil), batch.receiver(request))
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
  private var answers: [String: Result<String, FetchError>] = [:]

  init(options: FetchOptions, cancellation: FetchCancellation) {
    self.options = options
    self.cancellation = cancellation
  }

  /// The request with its password; a command that several feeds share runs once.
  mutating func answer(_ request: FetchRequest) throws(FetchError) -> FetchRequest {
    guard let command = request.passwordCommand else { return request }
    let answer = answers[command] ?? run(command)
    answers[command] = answer
    var request = request
    request.passwordCommand = nil
    request.password = try answer.get()
    return request
  }

  private func run(_ command: String) -> Result<String, FetchError> {
    let limit = options.transferTimeout
    let end = [options.deadline, .now + limit].compactMap(\.self).min()
    guard ending == nil, let shell = ShellCommand(command) else {
      return .failure(ending ?? .passwordCommand(.notStarted))
    }
    // On a thread of its own: what hangs is left to it at the end.
    let collected = Mutex<ShellCommand.Answer?>(nil)
    let reading = WorkerThreads([
      {
        let answer = shell.answer()
        collected.withLock { $0 = answer }
      }
    ])
    reading.wait(until: end, orReadable: cancellation.descriptor)
    guard let answer = collected.withLock({ $0 }) else {
      shell.end()
      return .failure(ending ?? .passwordCommand(.timedOut(limit)))
    }
    guard answer.status == 0 else { return .failure(.passwordCommand(.status(answer.status))) }
    return answer.firstLine.isEmpty
      ? .failure(.passwordCommand(.noPassword)) : .success(answer.firstLine)
  }

  private var ending: FetchError? {
    if cancellation.isCancelled { return .cancelled }
    return options.deadline.map { $0 <= .now } ?? false ? .deadline : nil
  }
}

/// A command of the user's, run by a shell for what it prints.
///
/// It reads nothing of our standard input, and nobody sees what it says on standard error, which
/// may be the password just as well.
struct ShellCommand: Sendable {
  struct Answer: Hashable, Sendable {
    let firstLine: String
    /// 128 and the number of the signal that ended it; 127 where there is no such program.
    let status: Int32
  }

  private static let maximumBytes = 4_096

  private let process: pid_t
  private let output: Int32
  private let isGroup: Bool

  init?(_ command: String) {
    guard let pipe = SystemPipe() else { return nil }
    let null = open("/dev/null", O_RDWR | O_CLOEXEC)
    defer { for end in [pipe.writeEnd, null] where end >= 0 { _ = close(end) } }
    // With a terminal it stays in our process group, without which it could not ask there.
    isGroup = isatty(0) == 0
    let process = POSIX.spawn(
      ["/bin/sh", "-c", command],
      copying: [(null, 0), (pipe.writeEnd, 1), (null, 2)],
      isGroup: isGroup,
    )
    guard null >= 0, let process else {
      _ = close(pipe.readEnd)
      return nil
    }
    (self.process, output) = (process, pipe.readEnd)
  }

  /// Reads all that it prints, and waits for its end; to be called once.
  func answer() -> Answer {
    var first: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: Self.maximumBytes)
    while true {
      let count = POSIX.retrying { read(output, &piece, piece.count) }
      guard count > 0 else { break }
      first += piece[..<min(count, Self.maximumBytes - first.count)]
    }
    _ = close(output)
    let line = first.prefix { $0 != 0x0A && $0 != 0x0D && $0 != 0 }
    return Answer(
      firstLine: String(decoding: line, as: UTF8.self),
      status: POSIX.waitForEnd(of: process),
    )
  }

  /// Ends it, with all that it has started where that is known.
  func end() {
    _ = kill(isGroup ? -process : process, SIGKILL)
  }
}
