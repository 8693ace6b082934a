import FeedFetching
import FeedModel
import FeedStorage
import System

/// What asking one feed came to, before it is decided upon.
struct FetchedFeed: Sendable {
  /// As it was when it was asked.
  let subscription: Subscription
  var index = 0
  private(set) var answer: FeedAnswer
  /// Its stories; nil when none came, or when the body is the last one again.
  var delivery: FeedDelivery?
  var stories = 0
  var seconds = 0.0
  let answered: Date
  var notes: [String] = []

  /// What a feed answered, with its stories in the spool.
  init(
    _ subscription: Subscription,
    _ document: FetchedDocument,
    _ spool: StorySpool,
    at answered: Date,
  ) {
    let (answer, feed) = document.answer(now: answered)
    self.init(subscription, answer: answer, at: answered)
    seconds = (document.outcome.response?.duration ?? document.elapsed).inSeconds
    guard let feed else { return }
    notes = feed.notes
    stories = feed.items.count
    if !feed.isComplete { notes.append("the document is cut off; its whole stories are kept") }
    guard digest == nil || digest != subscription.state.bodyDigest else { return }
    delivery = FeedDelivery(
      feed: subscription.url,
      items: feed.items,
      texts: feed.texts,
      isComplete: feed.isComplete,
      spool: spool,
    )
  }

  init(_ subscription: Subscription, answer: FeedAnswer, at answered: Date) {
    self.answered = answered
    self.subscription = subscription
    self.answer = answer
    if case .failed(var failure, let response) = answer, !subscription.url.hasPrefix("http:") {
      failure.mayBePortal = false
      self.answer = .failed(failure, response)
    }
  }

  func judged(_ verdict: NetworkVerdict) -> FetchedFeed {
    guard case .failed(let failure, let response) = answer else { return self }
    var feed = self
    feed.answer = .failed(failure.judged(verdict), response)
    return feed
  }

  var digest: String? {
    guard case .document(let facts, _) = answer, facts.isComplete else { return nil }
    return facts.digest
  }

  var wasCancelled: Bool {
    answer.failure?.isCancelled == true && delivery == nil
  }

  /// Whether it can be decided upon whatever the others come to: it answered, or a part came.
  var isAnswer: Bool {
    answer.failure == nil || delivery != nil
  }

  /// Whether the answer stands for what the feed's state says was stored of it, and the state does
  /// not say so any more: someone has cleared the store, or refreshed, since the feed was asked.
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
