/// A subscription list (OPML 2.0) with everything in it that is no feed.
package struct OutlineDocument: Hashable, Sendable {
  /// The root element's attributes, without `version`.
  package var attributes: [OutlineAttribute] = []
  package var head: [OutlineElement] = []
  package var body: [OutlineElement] = []

  package init() {}
}

/// An element of a subscription list; its children follow it, one level deeper.
package struct OutlineElement: Hashable, Sendable {
  package var depth: Int
  /// The name with its prefix; `outline` for folders and feeds.
  package var name: String
  /// The attributes in document order and with prefixes, whose `xmlns:` attributes are among them.
  package var attributes: [OutlineAttribute]
  /// Text between child elements, trimmed; empty in an `outline`.
  package var text: String
  /// The feed's URL as it was listed (`Subscription.listedURL`); nil for all that is no feed.
  package var feed: String?

  package init(
    depth: Int = 0,
    name: String = "outline",
    attributes: [OutlineAttribute] = [],
    text: String = "",
    feed: String? = nil,
  ) {
    self.depth = depth
    self.name = name
    self.attributes = attributes
    self.text = text
    self.feed = feed
  }

  package var isOutline: Bool {
    name.lowercased() == "outline"
  }

  /// Returns an attribute's value; the case of its name does not matter, and an empty one is nil.
  package func value(_ name: String) -> String? {
    let found = attributes.first { $0.name.lowercased() == name }
    guard let value = found?.value, !value.isEmpty else { return nil }
    return value
  }
}

package struct OutlineAttribute: Hashable, Sendable {
  package var name: String
  package var value: String

  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}
