/// A subscription list (OPML 2.0) with everything in it that is no feed.
package struct OutlineDocument: Hashable, Sendable {
  /// The root element's attributes, without `version`.
  package var attributes: [OutlineAttribute] = []
  package var head: [OutlineElement] = []
  package var body: [OutlineElement] = []
  /// True of a document that broke off; not stored.
  package var isCutShort = false

  package init() {}
}

/// An element of a subscription list, with those inside it.
package struct OutlineElement: Hashable, Sendable {
  /// The name with its prefix; `outline` for folders and feeds.
  package var name: String
  /// The attributes in document order and with prefixes, whose `xmlns:` attributes are among them.
  package var attributes: [OutlineAttribute]
  /// Text between child elements, trimmed; empty in an `outline`.
  package var text: String
  /// The feed's URL as it was listed (`Subscription.listedURL`); nil for all that is no feed.
  package var feed: String?
  package var children: [OutlineElement]

  package init(
    name: String = "outline",
    attributes: [OutlineAttribute] = [],
    text: String = "",
    feed: String? = nil,
    children: [OutlineElement] = [],
  ) {
    self.name = name
    self.attributes = attributes
    self.text = text
    self.feed = feed
    self.children = children
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
