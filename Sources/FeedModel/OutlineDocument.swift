/// A subscription list (OPML 2.0) as some program wrote it: what is in it besides the feeds.
package struct OutlineDocument: Hashable, Sendable {
  /// Attributes of the root element, `version` apart.
  package var attributes: [OutlineAttribute] = []
  /// The elements of the `head`, in document order.
  package var head: [OutlineElement] = []
  /// The elements of the `body`, in document order: folders, feeds and whatever else.
  package var body: [OutlineElement] = []

  package init() {}
}

/// An element of a subscription list; those inside it follow it, one level deeper.
package struct OutlineElement: Hashable, Sendable {
  /// Levels below `head` or `body`: 0 at the top.
  package var depth: Int
  /// With its prefix; `outline` for folders and feeds.
  package var name: String
  /// In the document's order, their names with prefixes; for a prefix that stands for a namespace
  /// there is an `xmlns:` attribute, too.
  package var attributes: [OutlineAttribute]
  /// What stands in it beside other elements, white space around it removed; empty in an `outline`.
  package var text: String
  /// The feed that it lists, by the URL with which that was listed (`Subscription.listedURL`); nil
  /// for everything that is no feed.
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

  /// The value of an attribute, whatever the case of its name; nil when absent or empty.
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
