package import FeedModel

struct OutlineMerge {
  private enum Kind: Hashable {
    case feed(String)
    case folder(String)
    case other(OutlineElement)
  }

  private struct Key: Hashable {
    let parent: Int?
    let kind: Kind
    /// Keeps apart folders of one name, and other elements that are there more than once.
    var number = 0
  }

  private struct Numbering {
    private var counts: [Key: Int] = [:]

    mutating func key(_ element: OutlineElement, in parent: Int?) -> Key {
      var key = Key(parent: parent, kind: OutlineMerge.kind(element))
      if case .feed = key.kind { return key }
      let number = counts[key, default: 0]
      counts[key] = number + 1
      key.number = number
      return key
    }
  }

  private var tree: OutlineTree
  private var indices: [Key: Int] = [:]

  init(_ elements: [OutlineElement]) {
    tree = OutlineTree(elements)
    var numbering = Numbering()
    for (index, parent) in tree.parents.enumerated() {
      indices[numbering.key(tree.elements[index], in: parent)] = index
    }
  }

  mutating func add(_ elements: [OutlineElement]) {
    var numbering = Numbering()
    var open: [Int] = []
    for element in elements {
      open.removeSubrange(min(max(element.depth, 0), open.count)...)
      let key = numbering.key(element, in: open.last)
      if let index = indices[key] {
        tree.replace(index, with: Self.united(tree.elements[index], element))
        open.append(index)
      } else {
        let index = tree.append(element, to: open.last)
        indices[key] = index
        open.append(index)
      }
    }
  }

  func elements(listed: Set<String>) -> [OutlineElement] {
    tree.flattened { index in tree.elements[index].feed.map(listed.contains) ?? true }
  }

  private static func kind(_ element: OutlineElement) -> Kind {
    if let feed = element.feed { return .feed(feed) }
    if element.isOutline, let title = element.displayTitle { return .folder(title) }
    var content = element
    content.depth = 0
    return .other(content)
  }

  private static func united(_ old: OutlineElement, _ new: OutlineElement) -> OutlineElement {
    var united = old
    for attribute in new.attributes { united.replace(attribute.name, with: attribute.value) }
    return united
  }
}

extension OutlineDocument {
  /// Returns the list with the elements of another.
  ///
  /// The first list decides on head and root, the last one on attributes: a head is about the list,
  /// an attribute of a feed is its program's latest word. Feeds that are not `listed` are left out.
  package func adding(_ other: OutlineDocument, listed: Set<String>) -> OutlineDocument {
    var document = self
    let attributes = Set(attributes.map(\.name))
    document.attributes += other.attributes.filter { !attributes.contains($0.name) }
    document.head += Self.elements(of: other.head, without: Set(head.map(\.name)))
    var merge = OutlineMerge(body)
    merge.add(other.body)
    document.body = merge.elements(listed: listed)
    return document
  }

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

struct OutlineTree {
  /// The depth that is believed of a foreign file.
  private static let maximumDepth = 128

  private(set) var elements: [OutlineElement] = []
  /// The index of the element around each; a parent comes before its children.
  private(set) var parents: [Int?] = []
  private var inner: [[Int]] = []
  private var top: [Int] = []

  init(_ elements: [OutlineElement]) {
    self.elements.reserveCapacity(elements.count)
    var open: [Int] = []
    for element in elements {
      let depth = min(max(element.depth, 0), open.count, Self.maximumDepth)
      open.removeSubrange(depth...)
      open.append(append(element, to: open.last))
    }
  }

  func children(of parent: Int?) -> [Int] {
    parent.map { inner[$0] } ?? top
  }

  @discardableResult
  mutating func append(_ element: OutlineElement, to parent: Int?) -> Int {
    let index = elements.count
    elements.append(element)
    parents.append(parent)
    inner.append([])
    if let parent { inner[parent].append(index) } else { top.append(index) }
    return index
  }

  package mutating func replace(_ index: Int, with element: OutlineElement) {
    elements[index] = element
  }

  /// Returns the elements in document order; the children of one that is left out take its place.
  func flattened(where isKept: (Int) -> Bool) -> [OutlineElement] {
    var flat: [OutlineElement] = []
    var rest = top.reversed().map { (index: $0, depth: 0) }
    while let next = rest.popLast() {
      let isKept = isKept(next.index)
      if isKept {
        var element = elements[next.index]
        element.depth = next.depth
        flat.append(element)
      }
      let depth = next.depth + (isKept ? 1 : 0)
      rest += inner[next.index].reversed().map { ($0, depth) }
    }
    return flat
  }
}
