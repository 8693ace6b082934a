package import FeedModel

/// One thing to ask for.
package struct FetchRequest: Hashable, Sendable {
  /// An http or https URL (user and password allowed), a `file:` URL, an absolute path, or `-`
  /// for standard input.
  package var url: String
  /// Sent only to the URL that they came from; nil asks without condition.
  package var validators: CacheValidators?
  /// The caller's own mark, such as the position of the subscription.
  package var index: Int
  package var trust = RequestTrust.reader
  /// The command that says the password; whoever runs it puts `password` in its place.
  package var passwordCommand: String?
  /// The password of the user in the URL, or without one a bearer token.
  package var password: String?

  package init(url: String, validators: CacheValidators? = nil, index: Int = 0) {
    self.url = url
    self.validators = validators
    self.index = index
  }

  /// Asks for what a subscription follows.
  package init(_ subscription: Subscription, validators: CacheValidators?, index: Int) {
    self.init(url: subscription.url, validators: validators, index: index)
    trust = RequestTrust(subscription)
    passwordCommand = subscription.passwordCommand
  }
}
