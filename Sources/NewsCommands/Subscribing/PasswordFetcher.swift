import FeedFetching

/// A fetcher that has the commands run that say the passwords of some feeds, while the others are
/// asked.
struct PasswordFetcher: FeedFetcher {
  let base: any FeedFetcher

  func fetch<R: BodyReceiver>(
    _ requests: [FetchRequest],
    options: FetchOptions,
    cancellation: FetchCancellation,
    receiver: @escaping @Sendable (FetchRequest) -> R,
    completion: @escaping @Sendable (FetchRequest, FetchOutcome, R) -> Void,
  ) {
    let fetch: @Sendable ([FetchRequest]) -> Void = { [base] requests in
      base.fetch(
        requests,
        options: options,
        cancellation: cancellation,
        receiver: receiver,
        completion: completion,
      )
    }
    let waiting = requests.filter { $0.passwordCommand != nil }
    guard !waiting.isEmpty else { return fetch(requests) }
    let work = WorkerThreads([
      { fetch(requests.filter { $0.passwordCommand == nil }) },
      {
        var commands = PasswordCommands(options: options, cancellation: cancellation)
        var known: [FetchRequest] = []
        for request in waiting {
          do throws(FetchError) {
            known.append(try commands.answer(request))
          } catch {
            completion(request, .failed(error, nil), receiver(request))
          }
        }
        fetch(known)
      },
    ])
    while !work.haveEnded { work.wait(until: nil, orReadable: nil) }
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
    let collected = Collected<ShellCommand.Answer>()
    let reading = WorkerThreads([{ collected.add(shell.answer(), at: 0) }])
    reading.wait(until: end, orReadable: cancellation.descriptor)
    guard let answer = collected.inOrder.first else {
      shell.kill()
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
