import System

enum HTMLStandIn {
  case nothing
  case line(String, isBlock: Bool)
  case element(String)
}

extension HTMLTree {
  var hasFormulas: Bool {
    nodes.contains { $0.tag == .math || $0.tag == .script && isTeX($0) }
  }

  package var formula: String? {
    firstFormula(in: root).map { FormulaText.text(of: $0, in: self) }
  }

  func standIn(for index: Int32, hasFormulas: Bool) -> HTMLStandIn? {
    let node = self[index]
    switch node.tag {
    case .input: return box(index)
    case .object: return object(node)
    case .math: return isFormula(index) ? formula(index, in: index) : nil
    case .script: return isTeX(node) ? script(index) : nil
    default:
      if node.first == Node.none { return nil }
      return isLineNumber(index) ? .nothing : hasFormulas ? container(index) : nil
    }
  }

  /// True of a number in code that is hidden from all who listen, or copy.
  private func isLineNumber(_ index: Int32) -> Bool {
    let node = self[index]
    guard node.first == node.last, self[node.first].tag == nil,
      self[node.first].content.count < 16,
      Int(SafeText.line(string(node.first))).map({ $0 >= 0 }) ?? false
    else { return false }
    let attributes = HTMLAttributes(self, node.content)
    if attributes["data-line-number"] != nil { return true }
    return (attributes["aria-hidden"] == "true" || attributes.style.contains("user-select:none"))
      && isInside([.pre, .code, .table], index)
  }

  // MARK: Formulas

  private func script(_ index: Int32) -> HTMLStandIn? {
    let type = HTMLAttributes(self, self[index].content)["type"] ?? ""
    let source = children(of: index).map(string).joined()
    guard type.hasPrefix("math/mml") else {
      return .line(FormulaText.tex(source), isBlock: type.contains("display"))
    }
    let inner = HTMLTree.fragment(Array(source.utf8))
    return inner.firstFormula(in: inner.root).flatMap { inner.formula($0, in: $0) }
  }

  private func isTeX(_ node: Node) -> Bool {
    HTMLAttributes(self, node.content)["type"]?.hasPrefix("math/") == true
  }

  private func formula(_ math: Int32, in container: Int32) -> HTMLStandIn {
    let isBlock = [math, container].contains { index in
      let attributes = HTMLAttributes(self, self[index].content)
      let display = attributes["display"] ?? ""
      let kind = attributes["class"]?.lowercased() ?? ""
      return display == "block" || display == "true" || kind.contains("display")
        || kind.contains("math-element-block")
    }
    return .line(FormulaText.text(of: math, in: self), isBlock: isBlock)
  }

  /// Returns one formula from KaTeX, MathJax and MediaWiki, which write it several times.
  private func container(_ index: Int32) -> HTMLStandIn? {
    let kind = HTMLAttributes(self, self[index].content)["class"] ?? ""
    if kind.hasPrefix("katex-html") { return isBesideFormula(index) ? .nothing : nil }
    let isMathJax = kind.hasPrefix("MathJax") || name(self[index]) == "mjx-container"
    guard isMathJax || kind.hasPrefix("katex") || kind.hasPrefix("mwe-math-element") else {
      return nil
    }
    if isMathJax, isBeforeTeX(index) { return .nothing }
    guard !hasMore(than: 1, in: index) else { return nil }
    return firstFormula(in: index).map { formula($0, in: index) }
  }

  /// True where an element has more formulas, or paragraphs: then it is none of theirs.
  private func hasMore(than formulas: Int, in outer: Int32) -> Bool {
    var count = 0
    return first(in: outer, among: 1_000) { index in
      guard let tag = self[index].tag else { return false }
      count += tag == .math ? 1 : 0
      return count > formulas || [.p, .ul, .ol, .table, .blockquote, .pre].contains(tag)
    } != nil
  }

  private func isBesideFormula(_ index: Int32) -> Bool {
    let previous = self[index].previous
    return previous != Node.none && firstFormula(in: previous) != nil
  }

  private func isBeforeTeX(_ index: Int32) -> Bool {
    var next = self[index].next
    for _ in 0..<4 where next != Node.none {
      let node = self[next]
      if node.tag == .script { return isTeX(node) }
      guard
        node.tag == nil
          || HTMLAttributes(self, node.content)["class"]?.hasPrefix("MathJax") == true
      else { return false }
      next = node.next
    }
    return false
  }

  private func firstFormula(in outer: Int32) -> Int32? {
    let index = first(in: outer, among: 1_000) { self[$0].tag == .math }
    return index.flatMap { isFormula($0) ? $0 : nil }
  }

  /// False of a formula with HTML in it: one without an end tag contains the rest of the text.
  private func isFormula(_ math: Int32) -> Bool {
    !self[math].isFlattened
      && first(in: math, among: 20_000) {
        self[$0].space == .html && self[$0].tag?.isSpecial == true
      }
        == nil
  }

  private func first(in outer: Int32, among count: Int, _ isWanted: (Int32) -> Bool) -> Int32? {
    var index = outer
    for _ in 0..<count {
      if isWanted(index) { return index }
      if self[index].first != Node.none {
        index = self[index].first
        continue
      }
      while self[index].next == Node.none || index == outer {
        if index == outer || self[index].parent == Node.none { return nil }
        index = self[index].parent
      }
      index = self[index].next
    }
    return nil
  }

  // MARK: Boxes and objects

  private func box(_ index: Int32) -> HTMLStandIn? {
    let attributes = HTMLAttributes(self, self[index].content)
    guard attributes["type"]?.lowercased() == "checkbox", !attributes.areHidden,
      attributes["disabled"] != nil || isInside([.li], index, levels: 4)
    else { return nil }
    return .line(attributes["checked"] == nil ? "[ ] " : "[x] ", isBlock: false)
  }

  private func isInside(_ tags: [HTMLTag], _ index: Int32, levels: Int = 8) -> Bool {
    var parent = self[index].parent
    for _ in 0..<levels where parent != Node.none {
      if let tag = self[parent].tag, tags.contains(tag) { return true }
      parent = self[parent].parent
    }
    return false
  }

  private func object(_ node: Node) -> HTMLStandIn? {
    let attributes = HTMLAttributes(self, node.content)
    guard let data = attributes["data"] else { return nil }
    let type = attributes["type"]?.lowercased() ?? ""
    let path = data.prefix { $0 != "?" && $0 != "#" }.lowercased()
    if type.hasPrefix("image/") || type.isEmpty && Self.pictures.contains(where: path.hasSuffix) {
      return .element("img")
    }
    if type.hasPrefix("video/") { return .element("video") }
    if type.hasPrefix("audio/") { return .element("audio") }
    let isPage = type == "text/html" || type == "application/pdf"
    return isPage && node.first == Node.none ? .element("iframe") : nil
  }

  private static let pictures = [".png", ".jpg", ".jpeg", ".gif", ".webp", ".avif", ".svg"]
}

extension HTMLStandIn {
  func tell(_ handler: some HTMLEventHandler, _ attributes: HTMLAttributes) {
    switch self {
    case .nothing: break
    case .line(let line, let isBlock):
      let name = isBlock ? "div" : "span"
      handler.startElement(name, attributes)
      var line = line
      line.withUTF8 { handler.text($0) }
      handler.endElement(name)
    case .element(let name):
      handler.startElement(name, attributes)
      handler.endElement(name)
    }
  }
}
