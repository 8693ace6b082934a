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

  package init(url: String, validators: CacheValidators? = nil, index: Int = 0) {
    self.url = url
    self.validators = validators
    self.index = index
  }
}
