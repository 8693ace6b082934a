import FeedModel

/// Elements as a tree: each knows those inside it, by their places.
struct OutlineTree {
  /// However deep a foreign file says that an element stands.
  private static let maximumDepth = 128

  private(set) var elements: [OutlineElement] = []
  private var inner: [[Int]] = []
  private var top: [Int] = []

  /// The tree of elements that follow one another, those inside one behind it and deeper.
  init(_ elements: [OutlineElement]) {
    self.elements.reserveCapacity(elements.count)
    var open: [Int] = []
    for element in elements {
      let depth = min(max(element.depth, 0), open.count, Self.maximumDepth)
      open.removeSubrange(depth...)
      open.append(append(element, to: open.last))
    }
  }

  /// The elements inside one, or at the top.
  func children(of parent: Int?) -> [Int] {
    parent.map { inner[$0] } ?? top
  }

  /// Adds an element behind those inside `parent`.
  @discardableResult
  mutating func append(_ element: OutlineElement, to parent: Int?) -> Int {
    let place = elements.count
    elements.append(element)
    inner.append([])
    if let parent { inner[parent].append(place) } else { top.append(place) }
    return place
  }

  mutating func replace(_ place: Int, with element: OutlineElement) {
    elements[place] = element
  }

  /// The elements with those around them, from the outside in: a parent comes before its children.
  func parents() -> [Int?] {
    var parents = [Int?](repeating: nil, count: elements.count)
    for (parent, children) in inner.enumerated() {
      for child in children { parents[child] = parent }
    }
    return parents
  }

  /// The elements in document order; what is inside one that is left out takes its place.
  func flattened(where isKept: (Int) -> Bool) -> [OutlineElement] {
    var flat: [OutlineElement] = []
    var rest = top.reversed().map { (place: $0, depth: 0) }
    while let next = rest.popLast() {
      let isKept = isKept(next.place)
      if isKept {
        var element = elements[next.place]
        element.depth = next.depth
        flat.append(element)
      }
      let depth = next.depth + (isKept ? 1 : 0)
      rest += inner[next.place].reversed().map { ($0, depth) }
    }
    return flat
  }
}
