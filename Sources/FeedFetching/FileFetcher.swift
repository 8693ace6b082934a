import Synchronization
import System

/// Reads `file:` URLs, paths, and standard input (`-`).
enum FileFetcher {
  static func workers(for jobs: [FetchJob], run: FetchRun) -> [any FetchWorker] {
    let queue = FileQueue(jobs)
    let count = min(run.options.workers ?? min(POSIX.processors, 4), jobs.count)
    return (0..<count).map { _ in FileWorker(queue: queue, run: run) }
  }
}

/// The files that wait, shared by the workers.
private final class FileQueue: Sendable {
  private let jobs: [FetchJob]
  private let next = Atomic<Int>(0)

  init(_ jobs: [FetchJob]) {
    self.jobs = jobs
  }

  func take() -> FetchJob? {
    let index = next.add(1, ordering: .relaxed).oldValue
    return index < jobs.count ? jobs[index] : nil
  }
}

private final class FileWorker: FetchWorker {
  private let queue: FileQueue
  private let run: FetchRun

  init(queue: FileQueue, run: FetchRun) {
    self.queue = queue
    self.run = run
  }

  func work() {
    while run.ending == nil, let job = queue.take() {
      FileReading(job: job, run: run).perform()
    }
  }
}

/// Where a request that is not for the web gets its bytes.
enum FileSource: Hashable, Sendable {
  case standardInput
  case path(String)

  /// Whether a request is for this machine: `-`, a `file:` URL, or a path (no scheme at all).
  static func isFile(_ url: String) -> Bool {
    URLScheme(url).map { $0.name == "file" } ?? true
  }

  /// Reads a request's URL; throws `invalidURL` for a `file:` URL of another machine, without an
  /// absolute path, or with a NUL (RFC 8089).
  init(_ url: String) throws(FileFailure) {
    guard url != "-" else {
      self = .standardInput
      return
    }
    var path = url
    if URLScheme(url)?.name == "file" {
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
