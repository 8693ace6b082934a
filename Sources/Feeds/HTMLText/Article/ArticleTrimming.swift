struct ArticleTrimming {
  private let facts: PageFacts
  private let roots: [Int]
  private(set) var isStripped: [Bool]
  private(set) var hasPaywall = false

  init(_ facts: PageFacts, roots: [Int], except isStripped: [Bool]) {
    (self.facts, self.roots, self.isStripped) = (facts, roots, isStripped)
    for root in roots { trim(root) }
    dropLastHeadings()
  }

  private mutating func trim(_ root: Int) {
    let paragraphs = facts.paragraphs(in: root, except: isStripped)
    var lengths: [Int: Int32] = [:]
    for paragraph in paragraphs {
      lengths[paragraph.owner, default: 0] += paragraph.measure.length
    }
    var isLeading = false
    for (index, paragraph) in paragraphs.enumerated() {
      if isLeading, leads(paragraph) {
        drop(paragraph, root)
        continue
      }
      isLeading = false
      guard paragraph.measure.length <= BoilerplateText.maximumLength,
        lengths[paragraph.owner] == paragraph.measure.length, !isBlockWithin(paragraph.owner)
      else { continue }
      let text = PhraseText.folded(
        facts.text(of: paragraph.owner, atMost: 1024, except: isStripped)
      )
      // A request for money stands below the part that is free.
      if index * 2 >= paragraphs.count || paragraphs.count < 6, Paywall.isPrompt(text) {
        hasPaywall = true
        drop(paragraph, root)
        continue
      }
      // A heading of such a word is the writer's where text of the writer's follows.
      let isHeading = facts.tree.nodes[paragraph.owner].tag.isHeading
      switch BoilerplateText.kind(of: text) {
      case nil: continue
      case .introduction?:
        if isHeading, index + 1 < paragraphs.count, !leads(paragraphs[index + 1]) { continue }
        isLeading = true
      case .line?: if isHeading { continue }
      case .reference?: guard paragraph.measure.linkDensity > 0.5 else { continue }
      }
      drop(paragraph, root)
    }
  }

  private func leads(_ paragraph: PageParagraph) -> Bool {
    paragraph.measure.linkDensity > 0.5 && paragraph.measure.length < 300
  }

  private func isBlockWithin(_ owner: Int) -> Bool {
    facts.hasInnerBlock[owner] || facts.isInCode[owner] || facts.isInDataTable[owner]
  }

  private mutating func drop(_ paragraph: PageParagraph, _ root: Int) {
    if paragraph.owner != root { isStripped[paragraph.owner] = true }
  }

  /// Drops the headings at the end, which have no text below them.
  private mutating func dropLastHeadings() {
    guard let root = roots.last else { return }
    var index = facts.tree.nodes[root].end - 1
    var last: Int?
    var kept: [Int] = []
    facts.forEach(in: root, except: isStripped) { kept.append($0) }
    while let node = kept.popLast(), node > root {
      index = node
      let tag = facts.tree.nodes[index].tag
      if tag.isHeading {
        last = index
        break
      }
      if facts.texts[index].length > 0, heading(around: index) == nil { return }
      if tag.isFilled, tag != .br { return }
    }
    if let last { isStripped[last] = true }
  }

  private func heading(around index: Int) -> Int? {
    var node = index
    for _ in 0..<8 where node != 0 {
      if facts.tree.nodes[node].tag.isHeading { return node }
      node = facts.tree.nodes[node].parent
    }
    return nil
  }
}
