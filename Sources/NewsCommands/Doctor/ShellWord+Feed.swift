import FeedModel

extension ShellWord {
  /// How to name a feed: by its URL, or by its title where the URL holds a password.
  static func feed(_ subscription: Subscription) -> String {
    let url = FeedName.printableURL(subscription.url)
    let isWhole = WebURL.redacted(subscription.url) == subscription.url
    return asNeeded(isWhole ? url : FeedName.printable(subscription))
  }
}
