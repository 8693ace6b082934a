import System

package struct HTMLTree: Sendable {
  package enum Space: UInt8, Sendable {
    case html, svg, math
  }

  struct Node: Sendable {
    /// The element; nil for a text.
    var tag: HTMLTag?
    var space = Space.html
    /// True of an element nested too deeply, which has no content.
    var isFlattened = false
    var parent: Int32 = none
    var first: Int32 = none
    var last: Int32 = none
    var next: Int32 = none
    var previous: Int32 = none
    var name: Range<Int32> = 0..<0
    /// A range in `attributes`; for a text, in `text`.
    var content: Range<Int32> = 0..<0

    static let none: Int32 = -1
  }

  var nodes = [Node(tag: .unknown)]
  var attributes: [(name: Range<Int32>, value: Range<Int32>)] = []
  var text: [UInt8] = []
  var source: [UInt8]
  /// True where something was left out at a limit.
  package internal(set) var isCut = false

  /// The document, or the root element of a fragment.
  var root: Int32 = 0

  package static func page(_ html: UnsafeRawBufferPointer) -> HTMLTree { build(html) }

  /// Parses the content of a page's body, such as a story's text.
  package static func fragment(_ html: [UInt8]) -> HTMLTree {
    html.withUnsafeBytes { html in
      guard let start = ByteScan.first("<![CDATA[", in: html, from: 0) else {
        return build(html, in: .body)
      }
      return unwrapped(html, start).withUnsafeBytes { build($0, in: .body) }
    }
  }

  /// Removes the marks of CDATA sections: feeds that have some here have wrapped the text twice.
  private static func unwrapped(_ html: UnsafeRawBufferPointer, _ start: Int) -> [UInt8] {
    var result: [UInt8] = []
    var (section, rest): (Int?, Int) = (start, 0)
    while let start = section {
      let end = ByteScan.first("]]>", in: html, from: start) ?? html.count
      result += html[rest..<start]
      result += html[min(start + 9, end)..<end]
      rest = min(end + 3, html.count)
      section = ByteScan.first("<![CDATA[", in: html, from: rest)
    }
    result += html[rest...]
    return result
  }

  static func build(
    _ html: UnsafeRawBufferPointer,
    in context: HTMLTreeBuilder.Context? = nil,
  ) -> HTMLTree {
    let source = normalized(html)
    return source.withUnsafeBytes { bytes in
      var builder = HTMLTreeBuilder(bytes, tree: HTMLTree(source: source), context: context)
      builder.build()
      return builder.tree
    }
  }

  /// Replaces all line ends by line feeds (HTML §13.2.3.5).
  static func normalized(_ html: UnsafeRawBufferPointer) -> [UInt8] {
    let carriageReturn = UInt8(ascii: "\r")
    guard var found = ByteScan.first(carriageReturn, in: html, from: 0) else { return Array(html) }
    var result: [UInt8] = []
    result.reserveCapacity(html.count)
    var start = 0
    while true {
      result += html[start..<found]
      result.append(UInt8(ascii: "\n"))
      start = found + 1
      if start < html.count, html[start] == UInt8(ascii: "\n") { start += 1 }
      guard let next = ByteScan.first(carriageReturn, in: html, from: start) else { break }
      found = next
    }
    result += html[start...]
    return result
  }
}

// MARK: - Nodes

extension HTMLTree {
  mutating func add(_ node: Node) -> Int32 {
    nodes.append(node)
    return Int32(nodes.count - 1)
  }

  /// Inserts a detached node at the end of another, or before one of its children.
  mutating func insert(_ index: Int32, in parent: Int32, before next: Int32 = Node.none) {
    let previous = next == Node.none ? self[parent].last : self[next].previous
    self[index].parent = parent
    self[index].next = next
    self[index].previous = previous
    if previous == Node.none { self[parent].first = index } else { self[previous].next = index }
    if next == Node.none { self[parent].last = index } else { self[next].previous = index }
  }

  mutating func remove(_ index: Int32) {
    let node = self[index]
    guard node.parent != Node.none else { return }
    if node.previous == Node.none {
      self[node.parent].first = node.next
    } else {
      self[node.previous].next = node.next
    }
    if node.next == Node.none {
      self[node.parent].last = node.previous
    } else {
      self[node.next].previous = node.previous
    }
    self[index].parent = Node.none
  }

  mutating func append(
    _ bytes: UnsafeRawBufferPointer,
    in parent: Int32,
    before next: Int32 = Node.none,
  ) {
    let start = Int32(text.count)
    text.append(contentsOf: bytes)
    let end = Int32(text.count)
    let last = next == Node.none ? self[parent].last : self[next].previous
    if last != Node.none, self[last].tag == nil, self[last].content.upperBound == start {
      self[last].content = self[last].content.lowerBound..<end
    } else {
      insert(add(Node(tag: nil, content: start..<end)), in: parent, before: next)
    }
  }

  subscript(index: Int32) -> Node {
    @inline(__always) get { nodes[Int(index)] }
    @inline(__always) _modify { yield &nodes[Int(index)] }
  }
}

// MARK: - Names and values

extension HTMLTree {
  func children(of node: Int32) -> [Int32] {
    var children: [Int32] = []
    var child = self[node].first
    while child != Node.none {
      children.append(child)
      child = self[child].next
    }
    return children
  }

  func string(_ node: Int32) -> String {
    let content = self[node].content
    return String(decoding: text[Int(content.lowerBound)..<Int(content.upperBound)], as: UTF8.self)
  }

  func slice(_ range: Range<Int32>) -> ArraySlice<UInt8> {
    source[Int(range.lowerBound)..<Int(range.upperBound)]
  }

  func name(_ node: Node) -> String {
    guard let tag = node.tag else { return "" }
    guard tag == .unknown else { return tag.rawValue }
    return String(decoding: slice(node.name).map(\.asciiLowercased), as: UTF8.self)
  }
}
