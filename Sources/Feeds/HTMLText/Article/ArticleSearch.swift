/// One search for a page's article: Readability's `_grabArticle`.
struct ArticleSearch {
  struct Rules: OptionSet {
    let rawValue: UInt8

    /// Drops elements with an unlikely name or role.
    static let unlikely = Rules(rawValue: 1)
    /// Counts good and bad names.
    static let weights = Rules(rawValue: 2)
    /// Drops forms, tables, lists and blocks that look like no text.
    static let conditional = Rules(rawValue: 4)
    /// Drops advertisements, related articles and bylines.
    static let foreign = Rules(rawValue: 8)
  }

  let facts: PageFacts
  let rules: Rules
  var isStripped: [Bool]
  private(set) var isHinted = false
  private var paragraphs: [PageParagraph] = []
  private(set) var measures: [PageMeasure] = []
  private var scores: [Float] = []
  private var isScored: [Bool] = []

  init(_ facts: PageFacts, _ rules: Rules) {
    (self.facts, self.rules) = (facts, rules)
    isStripped = [Bool](repeating: false, count: facts.tree.nodes.count)
    dropUnlikely()
    paragraphs = facts.paragraphs(in: 0, except: isStripped)
    measures = facts.measures(except: isStripped, paragraphs)
  }

  private var nodes: [PageTree.Node] { facts.tree.nodes }

  mutating func roots() -> [Int] {
    if let hints = hints() {
      isHinted = true
      return hints
    }
    score()
    guard let found = topCandidate(), !nodes[found].tag.isBody else { return [body] }
    let top = repeated(around: found) ?? found
    let parts = withSiblings(top)
    return isMost(parts, of: facts.tree.nodes[top].parent) ? [facts.tree.nodes[top].parent] : parts
  }

  /// Returns true if parts are so much of `outer` that the rest belongs to them: headings, lists
  /// and short paragraphs between the parts of a long text, which Readability loses.
  private func isMost(_ parts: [Int], of outer: Int) -> Bool {
    guard parts.count > 1, !facts.tree.nodes[outer].tag.isBody else { return false }
    let length = parts.reduce(0) { $0 + measures[$1].length }
    return length >= measures[outer].length / 4 * 3 && measures[outer].linkDensity < 0.25
  }

  /// Returns the element around parts that are alike, of which the best is one: entries of a ticker,
  /// posts of a forum, rows of a table.
  private func repeated(around top: Int) -> Int? {
    var (node, found): (Int, Int?) = (top, nil)
    while !nodes[node].tag.isBody {
      let outer = nodes[node].parent
      let parts = children(of: outer).filter { isAlike($0, node) && plain($0) > 0 }
      let length = parts.reduce(0) { $0 + plain($1) }
      if parts.count > 1, length >= plain(outer) / 3 * 2, length >= plain(node) / 2 * 3,
        measures[outer].linkDensity < 0.3, facts.linkedHeadings(in: outer) < 2
      {
        found = outer
      }
      node = outer
    }
    return found
  }

  private func isAlike(_ one: Int, _ other: Int) -> Bool {
    let (one, other) = (nodes[one], nodes[other])
    return one.tag == other.tag && one.classNumber == other.classNumber
      && (one.classNumber != 0 || one.tag != .div)
  }

  var body: Int { facts.tree.nodes.firstIndex { $0.tag == .body } ?? 0 }

  private mutating func dropUnlikely() {
    for index in facts.prompts { isStripped[index] = true }
    for index in facts.tree.nodes.indices.dropFirst() {
      let node = facts.tree.nodes[index]
      if node.tag.isBody { continue }
      if isForeign(index, node) || rules.contains(.unlikely) && isUnlikely(index, node) {
        isStripped[index] = true
      }
    }
  }

  private func isForeign(_ index: Int, _ node: PageTree.Node) -> Bool {
    if node.tag == .article || node.tag == .main { return false }
    if node.names.contains(.never) { return true }
    guard rules.contains(.foreign) else { return false }
    if node.names.contains(.foreign) { return !node.names.contains(.body) && !facts.isMost(index) }
    return node.names.contains(.byline) && isByline(index, node)
  }

  /// Tests an element by Readability's `_isValidByline`, unless it stands in a sentence.
  private func isByline(_ index: Int, _ node: PageTree.Node) -> Bool {
    let length = facts.plainLengths[index]
    return length > 0 && length < 100 && !node.tag.isHeading
      && (!node.tag.isPhrasing || facts.plainLengths[node.parent] < 100)
  }

  private func isUnlikely(_ index: Int, _ node: PageTree.Node) -> Bool {
    if node.marks.contains(.unlikelyRole) || node.tag == .nav { return true }
    if node.names.contains(.body) || facts.isMost(index) { return false }
    return node.names.contains(.unlikely) && !node.names.contains(.candidate) && node.tag != .a
      && !facts.isInTable[index] && !facts.isInCode[index]
  }

  // MARK: - Scores

  private mutating func score() {
    scores = [Float](repeating: 0, count: nodes.count)
    isScored = [Bool](repeating: false, count: nodes.count)
    let children = childCounts()
    for paragraph in paragraphs where paragraph.measure.length >= 25 {
      guard var node = scoredParent(paragraph.owner, children) else { continue }
      let length = min(paragraph.measure.length / 100, 3)
      let points = Float(2 + paragraph.measure.commas + length)
      for level in 0..<5 {
        begin(node)
        scores[node] += points / Float(level < 2 ? level + 1 : level * 3)
        if node == 0 { break }
        node = facts.tree.nodes[node].parent
      }
    }
  }

  private func childCounts() -> [Int32] {
    var counts = [Int32](repeating: 0, count: nodes.count)
    facts.forEach(in: 0, except: isStripped) { index in
      let node = facts.tree.nodes[index]
      if node.tag != .text || facts.texts[index].length > 0 { counts[node.parent] += 1 }
    }
    return counts
  }

  /// Returns the first element that a paragraph gives points to; nil where its text is no sign of
  /// an article.
  private func scoredParent(_ owner: Int, _ children: [Int32]) -> Int? {
    let node = facts.tree.nodes[owner]
    switch node.tag {
    case .p:
      // A block around a single paragraph is that paragraph.
      let outer = facts.tree.nodes[node.parent]
      return outer.tag == .div && children[node.parent] == 1 ? outer.parent : node.parent
    case .pre, .h2, .h3, .h4, .h5, .h6: return node.parent
    case .li, .dt, .dd, .h1, .blockquote, .figcaption, .th, .caption, .summary, .address: return nil
    case .div: return facts.hasInnerBlock[owner] ? owner : node.parent
    default: return owner
    }
  }

  private mutating func begin(_ index: Int) {
    guard !isScored[index] else { return }
    isScored[index] = true
    let node = facts.tree.nodes[index]
    scores[index] = Self.initialScore(node.tag) + Float(weight(node))
  }

  private func weight(_ node: PageTree.Node) -> Int {
    rules.contains(.weights) ? node.names.weight : 0
  }

  private static func initialScore(_ tag: PageTag) -> Float {
    switch tag {
    case .div: 5
    case .pre, .td, .blockquote: 3
    case .address, .ol, .ul, .dl, .dd, .dt, .li, .form: -3
    case .h1, .h2, .h3, .h4, .h5, .h6, .th: -5
    default: 0
    }
  }

  // MARK: - The best

  private mutating func topCandidate() -> Int? {
    var best: [Int] = []
    for index in facts.tree.nodes.indices where isScored[index] {
      scores[index] *= 1 - min(measures[index].linkDensity, 1)
      let rank = best.firstIndex { scores[$0] < scores[index] } ?? best.count
      if rank < 5 { best.insert(index, at: rank) }
      if best.count > 5 { best.removeLast() }
    }
    guard var top = best.first else { return nil }
    top = common(of: best) ?? top
    top = climbed(from: top)
    while !facts.tree.nodes[facts.tree.nodes[top].parent].tag.isBody,
      isOnlyChild(top)
    {
      top = facts.tree.nodes[top].parent
    }
    return top
  }

  /// Returns the element around the best and three others that are nearly as good.
  private func common(of best: [Int]) -> Int? {
    let others = best.dropFirst().filter { scores[$0] >= 0.75 * scores[best[0]] }
    guard others.count >= 3 else { return nil }
    var node = facts.tree.nodes[best[0]].parent
    while !facts.tree.nodes[node].tag.isBody {
      let range = node + 1..<facts.tree.nodes[node].end
      if others.count(where: range.contains) >= 3 { return node }
      node = facts.tree.nodes[node].parent
    }
    return nil
  }

  private func climbed(from top: Int) -> Int {
    var last = scores[top]
    let threshold = last / 3
    var node = facts.tree.nodes[top].parent
    while !facts.tree.nodes[node].tag.isBody {
      if isScored[node] {
        if scores[node] < threshold { return top }
        if scores[node] > last { return node }
        last = scores[node]
      }
      node = facts.tree.nodes[node].parent
    }
    return top
  }

  private func isOnlyChild(_ index: Int) -> Bool {
    children(of: facts.tree.nodes[index].parent).allSatisfy {
      $0 == index || facts.tree.nodes[$0].tag == .text
    }
  }

  private func children(of parent: Int) -> [Int] {
    var children: [Int] = []
    var index = parent + 1
    while index < facts.tree.nodes[parent].end {
      if !isStripped[index] { children.append(index) }
      index = facts.tree.nodes[index].end
    }
    return children
  }

  // MARK: - What stands beside it

  private func withSiblings(_ top: Int) -> [Int] {
    let threshold = max(10, scores[top] * 0.2)
    return children(of: facts.tree.nodes[top].parent).filter { index in
      if index == top { return true }
      let node = facts.tree.nodes[index]
      let isAlike = node.classNumber != 0 && node.classNumber == facts.tree.nodes[top].classNumber
      let bonus = isAlike ? scores[top] * 0.2 : 0
      if isScored[index], scores[index] + bonus >= threshold { return true }
      return node.tag == .p && isGoodParagraph(index)
    }
  }

  private func isGoodParagraph(_ index: Int) -> Bool {
    let measure = measures[index]
    if measure.length > 80 { return measure.linkDensity < 0.25 }
    guard measure.length > 0, measure.linkTenths == 0 else { return false }
    return endsSentence(index)
  }

  private func endsSentence(_ index: Int) -> Bool {
    let range = index..<facts.tree.nodes[index].end
    return range.contains { node in
      guard facts.tree.nodes[node].tag == .text else { return false }
      let text = facts.tree.text[facts.tree.nodes[node].content]
      let isIdeographic = text.contains(0xE3) && text.firstRange(of: Array("。".utf8)) != nil
      return isIdeographic
        || text.indices.contains {
          text[$0] == UInt8(ascii: ".") && ($0 + 1 == text.endIndex || text[$0 + 1] <= 0x20)
        }
    }
  }
}
