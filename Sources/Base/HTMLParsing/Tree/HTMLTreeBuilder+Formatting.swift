extension HTMLTreeBuilder {
  /// The most formatting elements that go on, the newest ones: a document with one unclosed element
  /// a line stays linear.
  private static let maximumFormatting = 16

  mutating func openFormatting(_ tag: HTMLTag) {
    let node = insert(tag)
    let start = (formatting.lastIndex(of: Self.none) ?? -1) + 1
    let alike = formatting.indices[start...].filter { isAlike(formatting[$0], node) }
    if alike.count >= 3 {
      formatting.remove(at: alike[0])
    } else if formatting.count - start >= Self.maximumFormatting {
      formatting.remove(at: start)
    }
    formatting.append(node)
  }

  private func isAlike(_ one: Int32, _ other: Int32) -> Bool {
    guard tree[one].tag == tree[other].tag else { return false }
    let (first, second) = (tree[one].content, tree[other].content)
    guard first.count == second.count else { return false }
    func texts(_ range: Range<Int32>) -> Set<[ArraySlice<UInt8>]> {
      Set(
        range.map { tree.attributes[Int($0)] }.map { [tree.slice($0.name), tree.slice($0.value)] }
      )
    }
    return first.isEmpty || texts(first) == texts(second)
  }

  mutating func beginFormatting() { formatting.append(Self.none) }

  mutating func endFormatting() {
    while let last = formatting.popLast(), last != Self.none {}
  }

  mutating func reopenFormatting() {
    guard let last = formatting.last, last != Self.none, !open.contains(last) else { return }
    var index = formatting.count - 1
    while index > 0, formatting[index - 1] != Self.none, !open.contains(formatting[index - 1]) {
      index -= 1
    }
    while index < formatting.count {
      // At most twice as many as there are tags are opened again.
      guard open.count < Self.maximumDepth, reopened < 2 * startTags + 64 else { return }
      reopened += 1
      formatting[index] = insert(copy(of: formatting[index]))
      index += 1
    }
  }

  private func copy(of index: Int32) -> HTMLTree.Node {
    HTMLTree.Node(tag: tree[index].tag, name: tree[index].name, content: tree[index].content)
  }

  /// Runs the adoption agency algorithm (HTML §13.2.6.4.7).
  mutating func endFormatting(_ tag: HTMLTag) {
    if htmlTag(current) == tag, !formatting.contains(current) { return pop() }
    for _ in 0..<8 {
      let start = (formatting.lastIndex(of: Self.none) ?? -1) + 1
      guard let listed = formatting[start...].lastIndex(where: { htmlTag($0) == tag }) else {
        return endAny(tag)
      }
      let element = formatting[listed]
      guard let place = open.lastIndex(of: element) else {
        formatting.remove(at: listed)
        return
      }
      guard isInScope(element) else { return }
      guard let block = open[place...].firstIndex(where: { isSpecial($0) }) else {
        open.removeSubrange(place...)
        formatting.remove(at: listed)
        return
      }
      adopt(element, at: place, block: block)
    }
  }

  private func isInScope(_ element: Int32) -> Bool {
    for index in open.reversed() {
      if index == element { return true }
      if htmlTag(index).endsScope || tree[index].space != .html && isSpecial(index) { return false }
    }
    return false
  }

  private mutating func adopt(_ element: Int32, at place: Int, block: Int) {
    let furthest = open[block]
    let ancestor = open[place - 1]
    guard var bookmark = formatting.lastIndex(of: element) else { return }
    var (last, index, count) = (furthest, block - 1, 0)
    while open[index] != element {
      defer { index -= 1 }
      count += 1
      let listed = formatting.lastIndex(of: open[index])
      guard let listed, count <= 3 else {
        if let listed {
          formatting.remove(at: listed)
          if listed < bookmark { bookmark -= 1 }
        }
        open.remove(at: index)
        continue
      }
      let copy = tree.add(copy(of: open[index]))
      (formatting[listed], open[index]) = (copy, copy)
      if last == furthest { bookmark = listed + 1 }
      move(last, in: copy)
      last = copy
    }
    let target = self.place(in: ancestor)
    tree.remove(last)
    tree.insert(last, in: target.parent, before: target.before)
    let copy = tree.add(copy(of: element))
    while tree[furthest].first != Self.none { move(tree[furthest].first, in: copy) }
    tree.insert(copy, in: furthest)
    if let old = formatting.lastIndex(of: element) {
      formatting.remove(at: old)
      if old < bookmark { bookmark -= 1 }
    }
    formatting.insert(copy, at: bookmark)
    open.removeAll { $0 == element }
    open.insert(copy, at: (open.lastIndex(of: furthest) ?? open.count - 1) + 1)
  }

  private mutating func move(_ index: Int32, in parent: Int32) {
    tree.remove(index)
    tree.insert(index, in: parent)
  }
}
