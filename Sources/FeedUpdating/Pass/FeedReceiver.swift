import FeedFetching
import FeedModel
import FeedParsing
import FeedStorage
import Synchronization
import System

/// Collects a body, and makes stories of it when it is whole.
final class FeedReceiver: BodyReceiver {
  /// Held until a long body is parsed and its stories are in the spool: its copy in another encoding,
  /// or repaired, is as long again.
  private static let longBody = Mutex(())
  private static let longBodyBytes = 16 << 20

  private let limits: ParsingLimits
  private let spool: StorySpool
  private let onBegin: () -> Void
  private let started = ContinuousClock.now
  private let body = ReceivedBody()
  private var head: ResponseHead?

  init(_ limits: ParsingLimits, spool: StorySpool, onBegin: @escaping () -> Void) {
    self.limits = limits
    self.spool = spool
    self.onBegin = onBegin
  }

  func begin(_ head: ResponseHead) {
    onBegin()
    self.head = head
  }

  func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
    body.append(bytes)
    return true
  }

  /// To be called once, at the end of the request.
  func finish(_ subscription: Subscription, _ outcome: FetchOutcome, now: Date) -> FetchedFeed {
    guard body.count > Self.longBodyBytes else { return fetched(subscription, outcome, now) }
    return Self.longBody.withLock { _ in fetched(subscription, outcome, now) }
  }

  private func fetched(
    _ subscription: Subscription,
    _ outcome: FetchOutcome,
    _ now: Date,
  ) -> FetchedFeed {
    let (answer, feed) = answer(outcome, now: now)
    var fetched = FetchedFeed(subscription, answer: answer, at: now)
    fetched.seconds = (outcome.response?.duration ?? elapsed).inSeconds
    guard let feed else { return fetched }
    fetched.notes = feed.notes
    fetched.stories = feed.items.count
    if !feed.isComplete {
      fetched.notes.append("the document is cut off; its whole stories are kept")
    }
    if fetched.digest == nil || fetched.digest != subscription.state.bodyDigest {
      fetched.delivery = FeedDelivery(
        feed: subscription.url,
        items: feed.items,
        texts: feed.texts,
        isComplete: feed.isComplete,
        spool: spool,
      )
    }
    return fetched
  }

  private var elapsed: Duration { ContinuousClock.now - started }

  /// What came of the request, and the stories that came with it.
  private func answer(_ outcome: FetchOutcome, now: Date) -> (FeedAnswer, Feed?) {
    switch outcome {
    case .notModified(let response): return (.notModified(response), nil)
    case .content(let response):
      do throws(FeedParsingError) {
        let feed = try feed()
        return (.document(facts(of: feed, now: now), response), feed)
      } catch {
        return (.failed(FeedFailure(error), response), nil)
      }
    case .failed(let error, let response):
      // A second is more than any local queue makes a request wait between its start and its end.
      let failure = FeedFailure(error, response, hadItsTurn: elapsed >= .seconds(1))
      return (.failed(failure, response), part(after: error))
    }
  }

  private func facts(of feed: Feed, now: Date) -> DocumentFacts {
    let dates = feed.items.compactMap(\.date)
    return DocumentFacts(
      title: feed.title,
      link: feed.link,
      hints: feed.hints,
      isComplete: feed.isComplete,
      digest: body.withBytes(BodyDigest.hexadecimal),
      rhythm: RefreshSchedule.rhythm(of: dates, now: now),
      hasOneDate: RefreshSchedule.areOfTheDocument(dates),
    )
  }

  private func feed() throws(FeedParsingError) -> Feed {
    guard let head else { throw .empty }
    return try body.withBytes { (bytes) throws(FeedParsingError) in
      try FeedParser.feed(
        bytes,
        url: head.url,
        charset: head.charset,
        limits: limits,
      )
    }
  }

  /// The stories that had come whole before the transfer failed; what was refused for its size stays
  /// refused.
  private func part(after error: FetchError) -> Feed? {
    if case .bodyTooLarge = error { return nil }
    // Without a single story to keep, why the transfer failed says more than why the part is no feed.
    guard var feed = try? feed(), !feed.items.isEmpty else { return nil }
    feed.isComplete = false
    return feed
  }
}
