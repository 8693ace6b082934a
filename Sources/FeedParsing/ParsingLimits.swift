/// How much of a document a parser takes before it refuses it.
///
/// The limits grow with `maximumBytes`, so that whoever allows a large document gets its stories.
package struct ParsingLimits: Hashable, Sendable {
  /// Bytes as received and bytes after decoding, each.
  package let maximumBytes: Int
  /// Elements inside one another.
  package let maximumDepth: Int
  package let maximumElements: Int
  /// Values of a JSON document, which are all kept until it has ended.
  package let maximumValues: Int
  /// Different names of elements and attributes, prefixes and namespaces: libxml2 keeps each in its
  /// dictionary, which slows down with each.
  package let maximumNames: Int
  /// Namespaces declared by the elements that are open: libxml2 looks through them at each prefix.
  package let maximumNamespaces: Int
  /// Attributes of one element: libxml2 compares each with each.
  package let maximumAttributes: Int
  /// Stories taken; the ones after them in the document are left out.
  package let maximumItems: Int

  /// What the design promises: documents of up to 32 MiB.
  package static let standard = ParsingLimits(maximumBytes: 32 << 20)

  package init(maximumBytes: Int) {
    self.maximumBytes = max(maximumBytes, 1)
    maximumDepth = 256
    maximumElements = max(self.maximumBytes / 12, 250_000)
    maximumValues = maximumElements / 4
    maximumNames = 20_000
    maximumNamespaces = 200
    maximumAttributes = 250
    maximumItems = max(self.maximumBytes / 256, 10_000)
  }
}
