import FeedFetching
import FeedLibrary
import FeedModel
import FeedStorage
import System

/// The answer of one feed, before the decision on it.
///
/// A class, since a run of many feeds holds each in several lists, and all of it takes two
/// kilobytes.
final class FetchedFeed: Sendable {
  let subscription: Subscription
  let answer: FeedAnswer
  /// The feed's stories; nil if none came, or the body is the last one again.
  let delivery: FeedDelivery?
  let stories: Int
  let seconds: Double
  let answered: Date
  let notes: [String]

  init(
    _ subscription: Subscription,
    _ document: FetchedDocument,
    _ spool: StorySpool,
    at answered: Date,
  ) {
    let (answer, feed) = document.answer(now: answered)
    (self.subscription, self.answered) = (subscription, answered)
    self.answer = answer.ofFeed(at: subscription.url)
    seconds = (document.outcome.response?.duration ?? document.elapsed).inSeconds
    stories = feed?.items.count ?? 0
    // A failed transfer is reported by its failure.
    let isCutOff = feed?.isComplete == false && answer.failure == nil
    notes = (feed?.notes ?? []) + (isCutOff ? [FeedState.cutOffWords] : [])
    let isKnown = answer.digest != nil && answer.digest == subscription.state.bodyDigest
    delivery = (isKnown ? nil : feed).map { feed in
      FeedDelivery(
        feed: subscription.url,
        items: feed.items,
        texts: feed.texts,
        isComplete: feed.isComplete,
        spool: spool,
      )
    }
  }

  private init(_ feed: FetchedFeed, answer: FeedAnswer) {
    (subscription, answered) = (feed.subscription, feed.answered)
    (delivery, stories, seconds) = (feed.delivery, feed.stories, feed.seconds)
    (self.answer, notes) = (answer, feed.notes)
  }

  func judged(_ verdict: NetworkVerdict) -> FetchedFeed {
    guard case .failed(let failure, let response) = answer else { return self }
    return FetchedFeed(self, answer: .failed(failure.judged(verdict), response))
  }

  /// Returns a delivery without stories for a feed that is unchanged, where the merge has more to do
  /// than to take stories.
  func nothing(of subscription: Subscription) -> FeedDelivery? {
    guard subscription.settings.readAfter != nil, answer.failure == nil else { return nil }
    return FeedDelivery(feed: subscription.url, items: [], isComplete: false)
  }

  var wasCancelled: Bool {
    answer.failure?.isCancelled == true && delivery == nil
  }

  /// True if the decision does not depend on other feeds: it answered, or a part came.
  var isAnswer: Bool {
    answer.failure == nil || delivery != nil
  }

  /// Returns true where the answer means "unchanged" against a state that was cleared or refreshed
  /// since the feed was asked.
  func isOutdated(by state: FeedState) -> Bool {
    switch answer {
    case .notModified: state.validators != subscription.state.validators
    case .document: delivery == nil && state.bodyDigest != subscription.state.bodyDigest
    case .failed: false
    }
  }
}

extension NetworkWitness {
  init(_ feed: FetchedFeed) {
    self.init(
      host: WebURL.host(of: feed.subscription.url),
      failure: feed.answer.failure,
      wasUnreachable: feed.subscription.state.wasUnreachable(now: feed.answered),
    )
  }
}
