import FeedModel
import Synchronization
import System

enum FileFetcher {
  static func workers(for jobs: [FetchJob], run: FetchRun) -> [@Sendable () -> Void] {
    let next = Atomic<Int>(0)
    let work: @Sendable () -> Void = {
      let inHand = BodiesInHand(run)
      defer { inHand.wait() }
      while run.ending == nil {
        let index = next.add(1, ordering: .relaxed).oldValue
        guard index < jobs.count else { return }
        FileReading(job: jobs[index], run: run).perform(inHand)
      }
    }
    let count = min(run.options.workers ?? min(POSIX.processors, 4), jobs.count)
    return Array(repeating: work, count: count)
  }
}

private final class BodiesInHand: Sendable {
  private let places = BlockingQueue<Void>()
  private let run: FetchRun

  /// More bodies at once would only take memory.
  private static let most = 8
  /// A longer body takes all places.
  private static let longBody = 1 << 20

  init(_ run: FetchRun) {
    self.run = run
    for _ in 0..<Self.most { places.push(()) }
  }

  /// Ends the job after its content was read: that of `file`, or what the job has received.
  func complete(_ job: FetchJob, _ outcome: FetchOutcome, _ file: PassedFile?) {
    guard job.isReadElsewhere, let reading = reading(of: job, file) else {
      return job.complete(outcome)
    }
    let wanted = reading.content.count > Self.longBody ? Self.most : 1
    for _ in 0..<wanted { _ = places.pop() }
    reading.begin { [places] result in
      job.take { $0.result = result }
      job.complete(outcome)
      for _ in 0..<wanted { places.push(()) }
    }
  }

  /// Returns the content that is to be read; nil where there is none, and where the run is over.
  ///
  /// The job gets a failure first, in case that it ends before its content is read: no thread may
  /// wait for the other process under the job's lock.
  private func reading(of job: FetchJob, _ file: PassedFile?) -> ReaderJob? {
    let order = job.request.reading
    let found = job.take { body -> ReaderJob? in
      guard let head = body.head else { return nil }
      body.result = .failure(.exhausted)
      guard run.ending == nil else { return nil }
      let content = file.map(ReaderContent.file) ?? .bytes(body.allBytes)
      return ReaderJob(order: order, content: content, head: head)
    }
    return found ?? nil
  }

  func wait() {
    for _ in 0..<Self.most { _ = places.pop() }
  }
}

extension FetchJob {
  fileprivate var isReadElsewhere: Bool { ReaderJobs.areRemote && !request.reading.isEmpty }
}

enum FileSource: Hashable, Sendable {
  case standardInput
  case path(String)

  /// Returns true for `-`, a `file:` URL, and a path (no scheme at all).
  static func isFile(_ url: String) -> Bool {
    URLReference(url).scheme.map { $0 == "file" } ?? true
  }

  /// Reads a request's URL; throws `invalidURL` for a `file:` URL of another machine, without an
  /// absolute path, or with a NUL (RFC 8089).
  init(_ url: String) throws(FileFailure) {
    guard url != "-" else {
      self = .standardInput
      return
    }
    var path = url
    if URLReference(url).scheme == "file" {
      path = try Self.path(fileURL: url.dropFirst(5))
    }
    guard !path.isEmpty, !path.utf8.contains(0) else { throw .invalidURL }
    self = .path(path)
  }

  private static func path(fileURL rest: Substring) throws(FileFailure) -> String {
    var path = rest.prefix { $0 != "?" && $0 != "#" }
    if path.hasPrefix("//") {
      let authority = path.dropFirst(2).prefix { $0 != "/" }
      guard authority.isEmpty || authority.lowercased() == "localhost" else { throw .invalidURL }
      path = path.dropFirst(2 + authority.count)
    }
    guard path.hasPrefix("/"),
      let decoded = String(validating: path.utf8.percentDecoded(), as: UTF8.self)
    else { throw .invalidURL }
    return decoded
  }
}

private struct FileReading {
  let job: FetchJob
  let run: FetchRun
  private let started = ContinuousClock.now

  private static let chunkBytes = 64 << 10

  func perform(_ inHand: BodiesInHand) {
    guard job.start() else { return }
    do throws(FetchError) {
      let (outcome, file) = try read()
      inHand.complete(job, outcome, file)
    } catch {
      inHand.complete(job, .failed(error, nil), nil)
    }
  }

  private func read() throws(FetchError) -> (FetchOutcome, PassedFile?) {
    do throws(FileFailure) {
      let source = try FileSource(job.request.url)
      guard case .path(let path) = source else {
        return try read(0, isStandardInput: true)
      }
      let descriptor = POSIX.openForReading(path)
      guard descriptor >= 0 else { throw FileFailure(errno) }
      defer { _ = close(descriptor) }
      return try read(descriptor, isStandardInput: false)
    } catch {
      throw error.isExhaustion ? .resourcesExhausted : .file(error)
    }
  }

  private func read(
    _ descriptor: Int32,
    isStandardInput: Bool,
  ) throws(FileFailure) -> (FetchOutcome, PassedFile?) {
    guard let status = FileStatus(of: descriptor) else { throw FileFailure(errno) }
    guard status.kind != .folder else { throw .isDirectory }
    var response = FetchResponse(status: nil, url: job.request.url)
    // A file may have come from the internet, whoever wrote it.
    response.trust = .internet
    let validators = validators(status)
    if let validators, validators == job.request.validators {
      response.validators = validators
      response.duration = started.duration(to: .now)
      return (.notModified(response), nil)
    }
    var head = ResponseHead(status: nil, url: job.request.url)
    if status.kind == .file { head.size = min(status.size, job.request.maximumBytes(run.options)) }
    job.begin(head)
    // Standard input may have been read in part; files of the system itself say that they are empty.
    let isPassedOn = status.kind == .file && status.size > 0 && !isStandardInput
    let file = isPassedOn && job.isReadElsewhere ? PassedFile(descriptor, size: status.size) : nil
    let error =
      file == nil
      ? try copy(descriptor, status, isStandardInput, &response.bytes)
      : check(status, &response.bytes)
    response.duration = started.duration(to: .now)
    if let error { return (.failed(error, response), nil) }
    // A file that changes meanwhile is of another version the next time.
    response.validators = validators
    return (.content(response), file)
  }

  private func check(_ status: FileStatus, _ bytes: inout Int) -> FetchError? {
    bytes = status.size
    let limit = job.request.maximumBytes(run.options)
    if bytes > limit { return .bodyTooLarge(maximumBytes: limit) }
    return job.receive(MessageConnection.noContent) ? nil : .stoppedByReceiver
  }

  private func copy(
    _ descriptor: Int32,
    _ status: FileStatus,
    _ isStandardInput: Bool,
    _ bytes: inout Int,
  ) throws(FileFailure) -> FetchError? {
    let waits = status.kind != .file
    let timeout = waits && !isStandardInput ? run.options.stallTimeout : nil
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.chunkBytes, alignment: 1)
    defer { buffer.deallocate() }
    while true {
      if let ending = run.ending { return ending }
      if waits, let error = wait(for: descriptor, timeout) { return error }
      let count = POSIX.readPart(of: descriptor, into: buffer)
      if count < 0, errno == EAGAIN { continue }
      guard count >= 0 else { throw FileFailure(errno) }
      guard count > 0 else { return nil }
      bytes += count
      let limit = job.request.maximumBytes(run.options)
      guard bytes <= limit else {
        return .bodyTooLarge(maximumBytes: limit)
      }
      guard job.receive(UnsafeRawBufferPointer(rebasing: buffer[..<count])) else {
        return .stoppedByReceiver
      }
    }
  }

  private func wait(for descriptor: Int32, _ timeout: Duration?) -> FetchError? {
    let lastEnd = started + run.options.transferTimeout
    let timeoutEnd = timeout.map { min(ContinuousClock.now + $0, lastEnd) }
    let end = [timeoutEnd, run.options.deadline].compactMap(\.self).min()
    let descriptors = [descriptor] + (run.cancellation.descriptor.map { [$0] } ?? [])
    while true {
      let ready = POSIX.wait(on: descriptors, until: end)
      if let ending = run.ending { return ending }
      if ready[0] { return nil }
      if let timeout, let timeoutEnd, timeoutEnd <= .now {
        return lastEnd <= .now ? .transferTimeout(run.options.transferTimeout) : .stalled(timeout)
      }
    }
  }

  /// Returns a file's own version as an entity tag, so that an unchanged file need not be parsed.
  ///
  /// A file that was changed in the last two seconds has none, as it could change again within the
  /// clock's resolution; nor has a pipe.
  private func validators(_ status: FileStatus) -> CacheValidators? {
    let age = Int(Date().timeIntervalSince1970) - status.modified / 1_000_000_000
    guard status.kind == .file, age >= 2 else { return nil }
    return CacheValidators(etag: version(status), lastModified: nil, url: job.request.url)
  }

  private func version(_ status: FileStatus) -> String {
    "\"\(status.inode)-\(status.size)-\(status.modified)\""
  }
}
