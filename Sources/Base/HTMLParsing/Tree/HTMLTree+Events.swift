import System

package protocol HTMLEventHandler: AnyObject {
  var isReading: Bool { get }

  func startElement(_ name: String, _ attributes: HTMLAttributes)
  func endElement(_ name: String)
  func text(_ utf8: UnsafeBufferPointer<UInt8>)
}

extension HTMLTree {
  package func tell(_ handler: some HTMLEventHandler) {
    let hasFormulas = hasFormulas
    tell(handler) { standIn(for: $0, hasFormulas: hasFormulas) }
  }

  func tell(_ handler: some HTMLEventHandler, standIn: (Int32) -> HTMLStandIn?) {
    text.withUnsafeBufferPointer { text in
      var index = self[root].first
      while index != Node.none, handler.isReading {
        let node = self[index]
        if node.tag == nil {
          let range = Int(node.content.lowerBound)..<Int(node.content.upperBound)
          handler.text(UnsafeBufferPointer(rebasing: text[range]))
        } else if let standIn = standIn(index) {
          standIn.tell(handler, HTMLAttributes(self, node.content))
        } else if isTold(node) {
          handler.startElement(name(node), HTMLAttributes(self, node.content))
          if node.first != Node.none {
            index = node.first
            continue
          }
          handler.endElement(name(node))
        }
        index = next(behind: index, handler)
      }
    }
  }

  /// Flattened elements only separate the words around them.
  private func isTold(_ node: Node) -> Bool {
    !node.isFlattened || node.tag?.isSpecial == true
  }

  private func next(behind index: Int32, _ handler: some HTMLEventHandler) -> Int32 {
    var index = index
    while self[index].next == Node.none {
      index = self[index].parent
      guard index != root, index != Node.none else { return Node.none }
      handler.endElement(name(self[index]))
    }
    return self[index].next
  }
}

package struct HTMLAttributes {
  private let tree: HTMLTree
  private let range: Range<Int32>
  private static let maximumData = 1024

  init(_ tree: HTMLTree, _ range: Range<Int32>) {
    (self.tree, self.range) = (tree, range)
  }

  /// Returns the decoded value, empty where the attribute has none; nil where there is no such
  /// attribute.
  package subscript(name: StaticString) -> String? {
    tree.source.withUnsafeBytes { source in
      for index in range {
        let attribute = tree.attributes[Int(index)]
        guard attribute.name.count == name.utf8CodeUnitCount,
          source.hasASCII(name, at: Int(attribute.name.lowerBound))
        else { continue }
        let value = source[Int(attribute.value.lowerBound)..<Int(attribute.value.upperBound)]
        // Pictures inside the document are of no use here, and long.
        if value.count > Self.maximumData, value.starts(with: "data:".utf8) { return "data:" }
        return HTMLReference.decoded(UnsafeRawBufferPointer(rebasing: value))
      }
      return nil
    }
  }

  package var areHidden: Bool {
    if self["hidden"] != nil { return true }
    let style = style
    return ["display:none", "visibility:hidden", "left:-999"].contains(where: style.contains)
  }

  /// True where the style keeps line breaks; nil where it does not mention them.
  package var keepLines: Bool? {
    let style = style
    guard let start = style.firstRange(of: "white-space:")?.upperBound else { return nil }
    return ["pre", "break-spaces"].contains(where: style[start...].hasPrefix)
  }

  /// True where the style shows the text as it is written, without wrapping lines, like `pre`.
  package var arePreformatted: Bool {
    style.split(separator: ";").contains { $0.hasPrefix("white-space:pre") && !$0.contains("pre-") }
  }

  /// The style in lower case, without spaces.
  package var style: String {
    self["style"]?.lowercased().filter { $0 != " " } ?? ""
  }
}
