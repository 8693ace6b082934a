internal import FeedFetching
internal import FeedModel
internal import FeedStorage
internal import System

package enum DownloadOutcome: Hashable, Sendable {
  case saved(path: String, bytes: Int)
  case present(path: String)
  /// Carries the number of bytes that are kept for the next attempt.
  case failed(reason: String, kept: Int)
}

/// Asks for one episode, or for the rest of it, until all has come or nothing comes any more.
struct EpisodeDownload {
  let episode: Episode
  let request: FetchRequest
  let fetcher: any FeedFetcher
  let now: Date
  let cancellation: FetchCancellation
  let progress: @Sendable (_ count: Int, _ size: Int?) -> Void

  private static let mostAttempts = 20
  /// The most answers that began the file anew, as servers do that do not send the rest alone.
  private static let mostBeginnings = 3

  /// Returns also the answer, if any, after which its server wants to be left in peace.
  func run(
    into folder: DownloadFolder,
    _ options: FetchOptions,
  ) -> (DownloadOutcome, FetchOutcome?) {
    do {
      let file = try folder.file(
        of: episode.story.id,
        from: episode.enclosure.url,
        name: episode.fileName,
      )
      if file.isWhole { return (.present(path: file.path), nil) }
      do {
        try file.checkRoom()
      } catch {
        // No server is asked for what cannot be kept, and this is no failed attempt.
        try file.giveUp(failed: nil)
        return (.failed(reason: "\(error)", kept: file.count), nil)
      }
      return try fetch(file, options)
    } catch {
      return (.failed(reason: "\(error)", kept: 0), nil)
    }
  }

  private func fetch(
    _ file: DownloadedFile,
    _ options: FetchOptions,
  ) throws -> (DownloadOutcome, FetchOutcome?) {
    var (request, attempts, beginnings) = (self.request, 0, 0)
    while file.count == 0 || file.count != file.size {
      request.file = file.validator.map { FileRequest(from: file.count, of: $0) } ?? FileRequest()
      let answer = ask(request, for: file, options)
      if answer.isWhole { break }
      attempts += 1
      if answer.begins { beginnings += 1 }
      let mayAsk = attempts < Self.mostAttempts && beginnings < Self.mostBeginnings
      let isUseful = !answer.isFinal && answer.bytes > 0 && file.validator != nil
      // The part that was kept is of a file that the server has no longer.
      if mayAsk, answer.isOther, file.count > 0 {
        try file.restart(size: nil, validator: nil)
      } else if !mayAsk || !isUseful {
        try file.giveUp(failed: answer.isUnasked ? nil : now)
        return (.failed(reason: answer.reason, kept: file.count), answer.outcome)
      }
    }
    try file.finish()
    return (.saved(path: file.path, bytes: file.count), nil)
  }

  private func ask(
    _ request: FetchRequest,
    for file: DownloadedFile,
    _ options: FetchOptions,
  ) -> EpisodeAnswer {
    let answer = EpisodeAnswer(file, episode.enclosure, progress)
    fetcher.fetch(
      [request],
      options: options,
      cancellation: cancellation,
      body: { _ in ReceivedBody(isWanted: answer.begin, into: answer.receive) },
      completion: { _, outcome, _ in answer.outcome = outcome },
    )
    return answer
  }
}

/// Writes one answer's body into the episode's file as it comes.
///
/// Safe to pass between threads: the fetch calls it on one at a time, and nobody else does before
/// it has returned.
private final class EpisodeAnswer: @unchecked Sendable {
  private let file: DownloadedFile
  private let enclosure: Enclosure
  private let progress: @Sendable (Int, Int?) -> Void
  private var head: ResponseHead?
  private var refusal: String?
  private var isTooLong = false
  var outcome = FetchOutcome.failed(.cancelled, nil)
  private(set) var bytes = 0

  init(
    _ file: DownloadedFile,
    _ enclosure: Enclosure,
    _ progress: @escaping @Sendable (Int, Int?) -> Void,
  ) {
    (self.file, self.enclosure, self.progress) = (file, enclosure, progress)
  }

  func begin(_ head: ResponseHead) -> Bool {
    self.head = head
    if let type = head.contentType, isDocument(type), !isDocument(enclosure.type ?? "") {
      refusal = "its server sends a document (\(type)), and no \(enclosure.type ?? "recording")"
    } else if begins {
      write {
        try file.restart(size: head.file?.size, validator: head.file?.validator)
      }
    } else {
      write { try file.learn(size: head.file?.size) }
    }
    return refusal == nil
  }

  var begins: Bool { head.map { $0.file?.start ?? 0 == 0 } ?? false }

  func receive(_ piece: UnsafeRawBufferPointer) -> Bool {
    if bytes == 0, begins, isPage(piece), !isDocument(enclosure.type ?? "") {
      refusal = refusal ?? "its server sends a web page, and no \(enclosure.type ?? "recording")"
    }
    isTooLong = file.size.map { file.count + piece.count > $0 } ?? false
    guard refusal == nil, !isOther else { return false }
    write {
      try file.append(piece)
      bytes += piece.count
      progress(file.count, file.size)
    }
    return refusal == nil
  }

  private func write(_ body: () throws -> Void) {
    do { try body() } catch { refusal = "\(error)" }
  }

  // MARK: - What it says of the file

  /// Returns true for the types of error pages and login pages.
  ///
  /// Plain text is none of them: some servers call every file so whose type they do not know.
  private func isDocument(_ type: String) -> Bool {
    ["html", "xml", "json"].contains { type.lowercased().contains($0) }
  }

  private func isPage(_ piece: UnsafeRawBufferPointer) -> Bool {
    let start = String(decoding: piece.prefix(64), as: UTF8.self).lowercased()
      .drop { $0.isWhitespace || $0 == "\u{feff}" }
    return start.hasPrefix("<!doctype html") || start.hasPrefix("<html")
  }

  /// True if the server's rest, present or not, belongs to another file than the part that is kept.
  var isOther: Bool {
    if let error = outcome.error, [.restRefused, .status(416)].contains(error) { return !isWhole }
    guard refusal == nil, let size = head?.file?.size, let known = file.size else { return false }
    return size != known || isTooLong
  }

  var isWhole: Bool {
    if outcome.error == .status(416) {
      return file.count > 0 && outcome.response?.fileSize == file.count
        && file.size ?? file.count == file.count
    }
    guard case .content = outcome, refusal == nil, file.count > 0 else { return false }
    return file.size.map { $0 == file.count } ?? !isCutShort
  }

  /// True if the file is shorter than its feed says; asked where no answer told its size.
  private var isCutShort: Bool {
    head?.file?.isOpenEnded == true && file.count < enclosure.length ?? 0
  }

  var isFinal: Bool { refusal != nil || isUnasked || outcome.error?.status != nil }

  var isUnasked: Bool {
    refusal == nil && (outcome.error?.isUnasked ?? false || outcome.whyBusy != nil)
  }

  var reason: String {
    if let refusal { return refusal }
    if outcome.error == .cancelled { return EpisodeDownloads.stopped }
    if let error = outcome.error { return "\(error)" }
    if file.count == 0 { return "its server sends an empty file" }
    let size = file.size ?? enclosure.length.map { Int(clamping: $0) } ?? 0
    return "it ended after \(file.count) of \(size) bytes"
  }
}
