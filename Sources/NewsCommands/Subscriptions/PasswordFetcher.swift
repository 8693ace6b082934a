import FeedFetching

/// A fetcher that has the commands run that say the passwords of some feeds, while the others are
/// asked.
struct PasswordFetcher: FeedFetcher {
  let base: any FeedFetcher
  /// Why commands are not run that stand in the home's files; nil where they are.
  let refusal: @Sendable () -> String?

  func fetch(_ batch: FetchBatch) {
    var asked = batch
    asked.requests.removeAll { $0.passwordCommand != nil }
    let waiting = batch.requests.filter { $0.passwordCommand != nil }
    guard !waiting.isEmpty else { return base.fetch(asked) }
    let work = WorkerThreads([
      { [asked] in base.fetch(asked) },
      {
        var commands = PasswordCommands(options: batch.options, cancellation: batch.cancellation)
        commands.refusal = refusal()
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
  var refusal: String?
  private var answers: [String: Result<String, FetchError>] = [:]

  init(options: FetchOptions, cancellation: FetchCancellation) {
    self.options = options
    self.cancellation = cancellation
  }

  /// The request with its password; a command that several feeds share runs once.
  mutating func answer(_ request: FetchRequest) throws(FetchError) -> FetchRequest {
    guard let command = request.passwordCommand else { return request }
    if let refusal { throw .passwordCommand(.refused(refusal)) }
    let answer = answers[command] ?? run(command)
    answers[command] = answer
    var request = request
    request.passwordCommand = nil
    request.password = try answer.get()
    return request
  }

  /// Nobody sees what the command says on standard error, which may be the password just as well.
  private func run(_ command: String) -> Result<String, FetchError> {
    let limit = options.transferTimeout
    let end = [options.deadline, .now + limit].compactMap(\.self).min()
    if let ending { return .failure(ending) }
    let answer = POSIX.run(
      ["/bin/sh", "-c", command],
      output: .answerWithoutErrors,
      until: end,
      orReadable: cancellation.descriptor,
    )
    guard let answer else { return .failure(.passwordCommand(.notStarted)) }
    guard let status = answer.status else {
      return .failure(ending ?? .passwordCommand(.timedOut(limit)))
    }
    guard status == 0 else { return .failure(.passwordCommand(.status(status))) }
    let line = answer.text.unicodeScalars.prefix { !["\n", "\r", "\0"].contains($0) }
    return line.isEmpty
      ? .failure(.passwordCommand(.noPassword)) : .success(String(String.UnicodeScalarView(line)))
  }

  private var ending: FetchError? {
    if cancellation.isCancelled { return .cancelled }
    return options.deadline.map { $0 <= .now } ?? false ? .deadline : nil
  }
}
