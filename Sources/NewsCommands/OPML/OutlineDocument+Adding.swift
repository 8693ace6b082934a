import FeedModel

extension OutlineDocument {
  /// The list with what another one has, too.
  ///
  /// Of the head and the root the first list decides, and of elements the last one: a head is about
  /// the list, an attribute of a feed what its program thinks of it now. Elements of feeds that are
  /// not `listed` go.
  func adding(_ other: OutlineDocument, listed: Set<String>) -> OutlineDocument {
    var document = self
    let attributes = Set(attributes.map(\.name))
    document.attributes += other.attributes.filter { !attributes.contains($0.name) }
    document.head += Self.elements(of: other.head, without: Set(head.map(\.name)))
    var merge = OutlineMerge(body)
    merge.add(other.body)
    document.body = merge.elements(listed: listed)
    return document
  }

  /// The elements at the top whose names are not among `known`, with those inside them.
  private static func elements(
    of head: [OutlineElement],
    without known: Set<String>,
  ) -> [OutlineElement] {
    var isWanted = false
    return head.filter { element in
      if element.depth == 0 { isWanted = !known.contains(element.name) }
      return isWanted
    }
  }
}
