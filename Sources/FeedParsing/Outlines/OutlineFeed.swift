/// A feed in a subscription list (OPML 2.0, `outline` with `xmlUrl`).
package struct OutlineFeed: Hashable, Sendable {
  /// The folders that it is in, the outermost first; empty at the top.
  package var folders: [String] = []
  /// `xmlUrl` as the document has it.
  package var url: String
  /// The attributes in the document's order, `xmlUrl` apart, their names with prefixes; for a
  /// prefix that stands for a namespace there is an `xmlns:` attribute, too.
  package var attributes: [OutlineAttribute] = []

  /// The value of an attribute, whatever the case of its name; nil when absent or empty.
  package func value(_ name: String) -> String? {
    let found = attributes.first { $0.name.lowercased() == name.lowercased() }
    guard let value = found?.value, !value.isEmpty else { return nil }
    return value
  }
}

/// An attribute of an outline.
package struct OutlineAttribute: Hashable, Sendable {
  package var name: String
  package var value: String
}
