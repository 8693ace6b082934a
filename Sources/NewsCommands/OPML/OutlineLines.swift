import FeedModel

/// Elements as lines of XML.
struct OutlineLines {
  let namespaces: OutlineNamespaces

  func lines(_ elements: [OutlineElement]) -> [String] {
    var lines: [String] = []
    lines.reserveCapacity(elements.count + elements.count / 8)
    var open: [String] = []
    for (index, element) in elements.enumerated() {
      while open.count > element.depth, let name = open.popLast() {
        lines.append("\(Self.indent(open.count))</\(name)>")
      }
      let next = elements.indices.contains(index + 1) ? elements[index + 1].depth : 0
      lines.append(line(element, hasChildren: next > element.depth))
      if next > element.depth { open.append(Self.name(element)) }
    }
    while let name = open.popLast() { lines.append("\(Self.indent(open.count))</\(name)>") }
    return lines
  }

  private func line(_ element: OutlineElement, hasChildren: Bool) -> String {
    let attributes = XMLText.attributes(namespaces.withoutDeclared(element.attributes))
    let name = Self.name(element)
    let start = "\(Self.indent(element.depth))<\(name)\(attributes)"
    let text = XMLText.escaped(element.text)
    if hasChildren { return "\(start)>\(text)" }
    return text.isEmpty ? "\(start)/>" : "\(start)>\(text)</\(name)>"
  }

  /// The file that keeps the elements may have been changed by another program.
  private static func name(_ element: OutlineElement) -> String {
    XMLText.isName(element.name) ? element.name : "outline"
  }

  private static func indent(_ depth: Int) -> String {
    String(repeating: "  ", count: depth + 2)
  }
}
