import System

extension HTMLTreeBuilder {
  var current: Int32 { open[open.count - 1] }

  /// The current node, or the context element of a fragment (HTML §13.2.4.2).
  var adjusted: Int32 { open.count == 1 && context != Self.none ? context : current }

  /// Returns `unknown` for a foreign element.
  @inline(__always)
  func htmlTag(_ index: Int32) -> HTMLTag {
    tree[index].space == .html ? tree[index].tag ?? .unknown : .unknown
  }

  func isOpen(_ tag: HTMLTag) -> Bool { open.contains { htmlTag($0) == tag } }

  mutating func pop() {
    if open.count > 1 || context == Self.none { open.removeLast() }
  }

  mutating func pop(through isLast: (HTMLTag) -> Bool) {
    while open.count > 1 { if isLast(htmlTag(open.removeLast())) { return } }
  }

  mutating func pop(through tag: HTMLTag) { pop(through: { $0 == tag }) }

  /// Clears the stack back to a table, table body or table row context (HTML §13.2.6.4.9 to 14).
  mutating func clear(to isContext: (HTMLTag) -> Bool) {
    while !isContext(htmlTag(current)), htmlTag(current) != .template, htmlTag(current) != .html {
      open.removeLast()
    }
  }

  mutating func endImplied(except tag: HTMLTag = .unknown) {
    while htmlTag(current).hasImpliedEnd, htmlTag(current) != tag { open.removeLast() }
  }

  // MARK: Scopes

  func hasInScope(
    _ isWanted: (HTMLTag) -> Bool,
    alsoEnding isEnd: (HTMLTag) -> Bool = { _ in false },
  ) -> Bool {
    for index in open.reversed() {
      let tag = htmlTag(index)
      if isWanted(tag) { return true }
      if tag.endsScope || isEnd(tag) || isScopeEnd(foreign: index) { return false }
    }
    return false
  }

  func hasInScope(_ tag: HTMLTag) -> Bool { hasInScope { $0 == tag } }

  func hasInTable(_ isWanted: (HTMLTag) -> Bool) -> Bool {
    for index in open.reversed() {
      let tag = htmlTag(index)
      if isWanted(tag) { return true }
      if tag == .table || tag == .template || tag == .html { return false }
    }
    return false
  }

  func hasInTable(_ tag: HTMLTag) -> Bool { hasInTable { $0 == tag } }

  var hasParagraph: Bool { hasInScope({ $0 == .p }, alsoEnding: { $0 == .button }) }

  mutating func endParagraph() {
    guard hasParagraph else { return }
    endImplied(except: .p)
    pop(through: .p)
  }

  private func isScopeEnd(foreign index: Int32) -> Bool {
    switch tree[index].space {
    case .html: false
    case .math: isTextPoint(index) || tree[index].tag == .annotationXML
    case .svg: isMarkupPoint(index)
    }
  }

  func isSpecial(_ index: Int32) -> Bool {
    tree[index].space == .html ? htmlTag(index).isSpecial : isScopeEnd(foreign: index)
  }

  // MARK: Insertion

  /// Returns the appropriate place for inserting a node (HTML §13.2.6.1).
  func place(in wanted: Int32? = nil) -> (parent: Int32, before: Int32) {
    let target = wanted ?? current
    guard isFostering, htmlTag(target).isFostering else { return (target, Self.none) }
    guard let table = open.lastIndex(where: { [.table, .template].contains(htmlTag($0)) }) else {
      return (open[0], Self.none)
    }
    if htmlTag(open[table]) == .template { return (open[table], Self.none) }
    let parent = tree[open[table]].parent
    return parent == Self.none ? (open[table - 1], Self.none) : (parent, open[table])
  }

  mutating func insert(text: UnsafeRawBufferPointer) {
    let place = place()
    // The document has no text outside of its root element.
    if place.parent != 0 { tree.append(text, in: place.parent, before: place.before) }
  }

  mutating func insertReplacement() {
    "\u{FFFD}".utf8.withContiguousStorageIfAvailable {
      insert(text: UnsafeRawBufferPointer($0))
    }
  }

  @discardableResult
  mutating func insert(_ node: HTMLTree.Node) -> Int32 {
    let index = tree.add(node)
    if open.isEmpty {
      tree.insert(index, in: 0)
    } else {
      let place = place()
      tree.insert(index, in: place.parent, before: place.before)
    }
    open.append(index)
    return index
  }

  @discardableResult
  mutating func insert(synthetic tag: HTMLTag) -> Int32 { insert(HTMLTree.Node(tag: tag)) }

  @discardableResult
  mutating func insert(_ tag: HTMLTag, space: HTMLTree.Space = .html) -> Int32 {
    var node = HTMLTree.Node(tag: tag, space: space)
    node.name = Int32(tokenizer.name.lowerBound)..<Int32(tokenizer.name.upperBound)
    let start = Int32(tree.attributes.count)
    for attribute in tokenizer.attributes {
      tree.attributes.append(
        (
          Int32(attribute.name.lowerBound)..<Int32(attribute.name.upperBound),
          Int32(attribute.value.lowerBound)..<Int32(attribute.value.upperBound),
        )
      )
    }
    node.content = start..<Int32(tree.attributes.count)
    return insert(node)
  }

  mutating func insertVoid(_ tag: HTMLTag) {
    insert(tag)
    open.removeLast()
  }

  mutating func insertRaw(_ tag: HTMLTag) {
    insert(tag)
    enter(tag, until: tag.rawValue)
    skipsLineFeed = tag == .textarea
    if tag != .plaintext { (outerMode, mode) = (mode, .inText) }
  }

  /// Sets the tokenizer to the kind of content of an element; a fragment's context has no end tag.
  mutating func enter(_ tag: HTMLTag, until name: String) {
    switch tag {
    case .title, .textarea: tokenizer.enter(.escapableText, until: name.utf8)
    case .style, .xmp, .iframe, .noembed, .noframes: tokenizer.enter(.rawText, until: name.utf8)
    case .script: tokenizer.enter(.script, until: name.utf8)
    case .plaintext: tokenizer.enter(.plainText)
    default: break
    }
  }

  /// Resets the insertion mode appropriately (HTML §13.2.4.1).
  mutating func resetMode() {
    for (position, index) in open.enumerated().reversed() {
      let isLast = position == 0
      let tag = htmlTag(isLast && context != Self.none ? context : index)
      if let found = mode(inside: tag, isLast: isLast) {
        mode = found
        return
      }
    }
  }

  private func mode(inside tag: HTMLTag, isLast: Bool) -> Mode? {
    switch tag {
    case .td where !isLast, .th where !isLast: .inCell
    case .tr: .inRow
    case .tbody, .thead, .tfoot: .inTableBody
    case .caption: .inCaption
    case .colgroup: .inColumnGroup
    case .table: .inTable
    case .template: templateModes.last ?? .inTemplate
    case .head where !isLast: .inHead
    case .body: .inBody
    case .frameset: .inFrameset
    case .html: head == Self.none ? .beforeHead : .afterHead
    default: isLast ? .inBody : nil
    }
  }
}
