internal import System

/// A formula of MathML as a line that can be read back: `1/3`, `√x`, `e^(kt)`, `a₁₂`.
///
/// A formula that carries its TeX is that TeX.
package struct FormulaText {
  private let tree: HTMLTree

  private static let longest = 8_192

  private init(_ tree: HTMLTree) { self.tree = tree }

  static func text(of math: Int32, in tree: HTMLTree) -> String {
    FormulaText(tree).text(of: math)
  }

  /// Removes the style that only says how large a formula is set.
  package static func tex(_ text: String) -> String {
    var tex = SafeText.line(text)
    for style in ["{\\displaystyle", "{\\textstyle", "{\\scriptstyle"]
    where tex.hasPrefix(style) && isOneGroup(tex) {
      tex = SafeText.line(String(tex.dropFirst(style.count).dropLast()))
    }
    return tex
  }

  private static func isOneGroup(_ tex: String) -> Bool {
    var depth = 0
    for (index, byte) in tex.utf8.enumerated() {
      if byte == UInt8(ascii: "{") { depth += 1 }
      if byte == UInt8(ascii: "}") { depth -= 1 }
      if depth == 0 { return index == tex.utf8.count - 1 }
    }
    return false
  }

  private func text(of math: Int32) -> String {
    if let annotation = annotation(in: math) { return annotation }
    let alternative = Self.tex(attribute("alttext", of: math) ?? "")
    if !alternative.isEmpty { return alternative }
    let content = content(of: math)
    // Every enclosing element reads a text again, so a long one is not made a line.
    let isPlain = hasText(math) || content.utf8.count > Self.longest
    return SafeText.line(isPlain ? content : line(children(of: math)))
  }

  private func annotation(in math: Int32) -> String? {
    for child in children(of: math) {
      if tree[child].tag == .annotation,
        attribute("encoding", of: child)?.lowercased().contains("tex") == true
      {
        let tex = Self.tex(content(of: child))
        return tex.isEmpty ? nil : tex
      }
      if ["semantics", "mrow", "mstyle"].contains(name(child)), let found = annotation(in: child) {
        return found
      }
    }
    return nil
  }

  // MARK: Nodes

  func name(_ node: Int32) -> String { tree.name(tree[node]) }

  private func attribute(_ name: StaticString, of node: Int32) -> String? {
    HTMLAttributes(tree, tree[node].content)[name]
  }

  func children(of node: Int32) -> [Int32] {
    tree.children(of: node).filter { tree[$0].tag != nil }
  }

  func content(of node: Int32) -> String {
    tree[node].tag == nil
      ? tree.string(node) : tree.children(of: node).map(content(of:)).joined()
  }

  // MARK: Elements

  static let scripted: Set<String> = ["msup", "msub", "msubsup", "munder", "munderover"]

  func line(_ node: Int32) -> String {
    let parts = children(of: node)
    switch name(node) {
    case "mtext": return spaced(content(of: node))
    case "mspace": return " "
    case "mphantom", "annotation", "annotation-xml", "none", "mprescripts": return ""
    case "semantics", "maction": return parts.first.map { line($0) } ?? ""
    case "mfrac" where parts.count == 2: return fraction(node, parts)
    case "msqrt": return "√" + group(parts)
    case "menclose": return enclosed(node, parts)
    case "mroot" where parts.count == 2: return root(parts)
    case "msup" where parts.count == 2: return base(parts[0]) + script(parts[1], .raised)
    case "msub" where parts.count == 2: return base(parts[0]) + script(parts[1], .lowered)
    case "munder" where parts.count == 2: return line(parts, .lowered)
    case "mover" where parts.count == 2: return line(parts, .raised)
    case "msubsup" where parts.count == 3, "munderover" where parts.count == 3:
      return base(parts[0]) + script(parts[1], .lowered) + script(parts[2], .raised)
    case "mmultiscripts": return scripts(parts)
    case "mfenced": return fenced(node, parts)
    case "mtable": return table(node, isFenced: false)
    default: return parts.isEmpty || hasText(node) ? token(node) : line(parts)
    }
  }

  /// True where text stands beside elements: then it is no formula.
  func hasText(_ node: Int32) -> Bool {
    tree.children(of: node).contains {
      tree[$0].tag == nil && !tree.string($0).allSatisfy(\.isWhitespace)
    }
  }

  /// Removes the invisible signs of a function's application and of a product.
  func token(_ node: Int32) -> String {
    let text = SafeText.line(
      content(of: node).filter { !"\u{2061}\u{2062}\u{2063}\u{2064}".contains($0) }
    )
    return text == "-" ? "−" : text
  }

  private func spaced(_ text: String) -> String {
    String(SafeText.line("x\(text)x").dropFirst().dropLast())
  }

  /// Writes what stands behind a root, or on one side of a fraction.
  private func group(_ nodes: [Int32]) -> String {
    let line = line(nodes)
    let node = inner(nodes.count == 1 ? nodes[0] : 0)
    let isOne = nodes.count == 1 && isTerm(node)
    return isOne && (!hasOperator(node, line) || name(node) == "msub") ? line : "(\(line))"
  }

  private func base(_ node: Int32) -> String {
    let isPower = ["msup", "msubsup", "mfrac", "msqrt", "mroot"].contains(name(inner(node)))
    return isPower || !isTerm(node) ? "(\(line(node)))" : line(node)
  }

  private func enclosed(_ node: Int32, _ parts: [Int32]) -> String {
    let notations = (attribute("notation", of: node) ?? "longdiv").split(separator: " ")
    if notations.contains("radical") { return "√" + group(parts) }
    if notations == ["left", "right"] { return "|\(line(parts))|" }
    let word = notations.lazy.compactMap { notation in
      Self.enclosures.first { notation.hasSuffix($0.notation) }?.name
    }.first
    return word.map { "\($0)(\(line(parts)))" } ?? line(parts)
  }

  private static let enclosures: [(notation: String, name: String)] = [
    ("strike", "cancel"), ("top", "overline"), ("bottom", "underline"),
    ("box", "box"), ("circle", "circle"),
  ]

  func inner(_ node: Int32) -> Int32 {
    var node = node
    while ["mrow", "mstyle", "mpadded"].contains(name(node)), children(of: node).count == 1 {
      node = children(of: node)[0]
    }
    return node
  }

  private func isTerm(_ node: Int32) -> Bool {
    let node = inner(node)
    switch name(node) {
    case "mfrac": return false
    case "mrow", "mstyle", "mpadded", "math":
      let parts = children(of: node)
      guard let first = parts.first, let last = parts.last else { return true }
      return isFence(first) && name(last) == "mo"
        && !parts.dropFirst().dropLast().contains(where: isFence)
    case "mtext": return !content(of: node).contains(where: \.isWhitespace)
    default: return true
    }
  }

  private func fraction(_ node: Int32, _ parts: [Int32]) -> String {
    if attribute("linethickness", of: node)?.first == "0" {
      return "\(line(parts[0])) choose \(line(parts[1]))"
    }
    return "\(group([parts[0]]))/\(group([parts[1]]))"
  }

  private func root(_ parts: [Int32]) -> String {
    script(parts[1], .raised) + "√" + group([parts[0]])
  }

  private func script(_ node: Int32, _ place: RaisedText.Place) -> String {
    let text = SafeText.line(line(node))
    let form = RaisedText(text, place, behind: "")
    if form.isSigns || text.isEmpty || text.allSatisfy({ "′″‴'*∗†".contains($0) }) {
      return form.line(text)
    }
    let isOne = text.count == 1 || ["mi", "mn", "mtext"].contains(name(inner(node)))
    let hasSpace = text.contains(where: \.isWhitespace)
    let sign = place == .raised ? "^" : "_"
    return isOne && !hasSpace ? sign + text : "\(sign)(\(text))"
  }

  private func scripts(_ parts: [Int32]) -> String {
    guard let first = parts.first else { return "" }
    let halves = parts.dropFirst().split(omittingEmptySubsequences: false) {
      name($0) == "mprescripts"
    }
    let lines = halves.map { half in
      half.enumerated().map { script($0.element, $0.offset % 2 == 0 ? .lowered : .raised) }.joined()
    }
    return lines.dropFirst().joined() + base(first) + lines[0]
  }

  private func line(_ parts: [Int32], _ place: RaisedText.Place) -> String {
    let sign = sign(parts[1]) ?? ""
    if Self.braces.contains(sign) { return line(parts[0]) }
    let accents = place == .raised ? Self.accents : [(Self.bars, "\u{332}", "underline")]
    guard let accent = accents.first(where: { $0.signs.contains(sign) }) else {
      return base(parts[0]) + script(parts[1], place)
    }
    let base = line(parts[0])
    return base.count == 1 ? base + accent.mark : "\(accent.name)(\(base))"
  }

  private static let braces: Set<String> = ["⏞", "⏟", "︷", "︸", "⎴", "⎵"]
  private static let bars: Set<String> = ["¯", "‾", "―", "_", "−", "\u{304}", "\u{305}", "\u{332}"]

  private static let accents: [(signs: Set<String>, mark: String, name: String)] = [
    (bars, "\u{304}", "overline"),
    (["^", "ˆ", "\u{302}"], "\u{302}", "hat"), (["~", "˜", "∼", "\u{303}"], "\u{303}", "tilde"),
    (["→", "\u{20d7}", "⟶", "⇀"], "\u{20d7}", "vec"), (["˙", ".", "⋅"], "\u{307}", "dot"),
    (["¨", ".."], "\u{308}", "ddot"), (["ˇ"], "\u{30c}", "check"), (["˘"], "\u{306}", "breve"),
  ]

  private func fenced(_ node: Int32, _ parts: [Int32]) -> String {
    let signs = Array((attribute("separators", of: node) ?? ",").filter { !$0.isWhitespace })
    var inner = ""
    for (index, part) in parts.enumerated() {
      if index > 0, let last = signs.last {
        inner += "\(index <= signs.count ? signs[index - 1] : last) "
      }
      inner += line(part)
    }
    return (attribute("open", of: node) ?? "(") + inner + (attribute("close", of: node) ?? ")")
  }

  // MARK: Tables

  /// Writes a table row by row, `[1, 2; 3, 4]`, without brackets where it only aligns equations.
  func table(_ node: Int32, isFenced: Bool) -> String {
    let rows = children(of: node).map { row in
      let cells = children(of: row).map { SafeText.line(line(children(of: $0))) }
      return name(row) == "mlabeledtr" ? Array(cells.dropFirst() + cells.prefix(1)) : cells
    }
    let isAligned = rows.contains { $0.dropFirst().contains(where: Self.isContinued) }
    let text = rows.map { cells in
      cells.enumerated().map { index, cell in
        index == 0 ? cell : (Self.isContinued(cell) || cell.isEmpty ? "" : ", ") + cell
      }.joined()
    }.joined(separator: "; ")
    return isFenced || isAligned || rows.count == 1 && rows[0].count == 1 ? text : "[\(text)]"
  }

  private static func isContinued(_ cell: String) -> Bool {
    cell.first.map { "=<>≤≥≈≡∼≠→⇒⇔∈".contains($0) } ?? false
  }
}
