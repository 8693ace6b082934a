import FeedFetching
import FeedModel
import FeedParsing
import FeedStorage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Hands a body to a parser as it arrives, and takes its digest on the way.
final class FeedReceiver: BodyReceiver {
  private let maximumBytes: Int
  private let spool: StorySpool
  private let onBegin: () -> Void
  private let started = ContinuousClock.now
  private var parser: FeedParser?
  private var digest = BodyDigest()
  private var error: FeedParsingError?

  /// - Parameters:
  ///   - maximumBytes: of a body.
  ///   - spool: where the stories are to wait.
  ///   - onBegin: is called when the content begins.
  init(maximumBytes: Int, spool: StorySpool, onBegin: @escaping () -> Void) {
    self.maximumBytes = maximumBytes
    self.spool = spool
    self.onBegin = onBegin
  }

  func begin(_ head: ResponseHead) {
    onBegin()
    let limits = ParsingLimits(maximumBytes: maximumBytes)
    parser = FeedParser(url: head.url, charset: head.charset, limits: limits)
  }

  func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
    digest.update(bytes)
    do throws(FeedParsingError) {
      try parser?.parse(bytes)
      return true
    } catch {
      self.error = error
      return false
    }
  }

  /// What the request came to; to be called once, at its end.
  func finish(_ subscription: Subscription, _ outcome: FetchOutcome, now: Date) -> FetchedFeed {
    let answer = answer(outcome, of: subscription, now: now)
    var fetched = FetchedFeed(subscription, answer: answer, at: now)
    fetched.seconds = (outcome.response?.duration ?? elapsed).inSeconds
    guard let feed = finished else { return fetched }
    fetched.notes = feed.notes
    fetched.stories = feed.items.count
    if !feed.isComplete {
      fetched.notes.append("the document is cut off; its whole stories are kept")
    }
    if fetched.digest == nil || fetched.digest != subscription.state.bodyDigest {
      fetched.delivery = FeedDelivery(
        feed: subscription.url,
        items: feed.items,
        isComplete: feed.isComplete,
        spool: spool,
      )
    }
    return fetched
  }

  private var finished: Feed?
  private var elapsed: Duration { ContinuousClock.now - started }

  private func answer(
    _ outcome: FetchOutcome,
    of subscription: Subscription,
    now: Date,
  ) -> FeedAnswer {
    switch outcome {
    case .notModified(let response): return .notModified(response)
    case .content(let response): return document(response, now: now)
    case .failed(.stoppedByReceiver, let response): return refused(response)
    case .failed(let error, let response):
      finishPart(after: error)
      // A second is more than any local queue makes a request wait between its start and its end.
      return .failed(FeedFailure(error, response, hadItsTurn: elapsed >= .seconds(1)), response)
    }
  }

  private func document(_ response: FetchResponse, now: Date) -> FeedAnswer {
    do throws(FeedParsingError) {
      guard let feed = try parser?.finish() else { return refused(response) }
      finished = feed
      let rhythm = RefreshSchedule.rhythm(of: feed.items.compactMap(\.date), now: now)
      return .document(
        DocumentFacts(feed, digest: digest.hexadecimal(), rhythm: rhythm),
        response,
      )
    } catch {
      self.error = error
      return refused(response)
    }
  }

  private func refused(_ response: FetchResponse?) -> FeedAnswer {
    .failed(FeedFailure(error ?? .empty), response)
  }

  /// Keeps the stories that had come whole before the transfer failed.
  ///
  /// What was refused for its size stays refused.
  private func finishPart(after error: FetchError) {
    if case .bodyTooLarge = error { return }
    // Without a single story to keep, why the transfer failed says more than why the part is no feed.
    guard var feed = try? parser?.finish(), !feed.items.isEmpty else { return }
    feed.isComplete = false
    finished = feed
  }
}
