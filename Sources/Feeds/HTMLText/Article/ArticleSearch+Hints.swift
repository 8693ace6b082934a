import HTMLParsing

extension ArticleSearch {
  /// Returns the elements that the page itself calls its article, if they have text enough.
  ///
  /// First come declarations for machines, then the names that content management systems give,
  /// then the `article` element.
  func hints() -> [Int]? {
    let isArticle = facts.tree.claims.isArticle
    if let found = hint(atLeast: isArticle ? 80 : 250, { $0.marks.contains(.articleBody) }) {
      return withLead(found)
    }
    if let body = bodyHint() { return withLead([body]) }
    return hint(atLeast: isArticle ? 80 : 500) { $0.tag == .article }.map { narrowed($0) }
  }

  /// Returns the one element of a kind; of several the one that is far longer than all others, or
  /// all if they are parts of one.
  private func hint(atLeast minimum: Int32, _ isHint: (PageTree.Node) -> Bool) -> [Int]? {
    let found = outermost { isHint($0) }.filter { isText(measures[$0], minimum) }
    guard let longest = found.max(by: { plain($0) < plain($1) }) else { return nil }
    if found.count == 1 { return found }
    let parents = Set(found.map { facts.tree.nodes[$0].parent })
    let isMarked = found.allSatisfy { facts.tree.nodes[$0].marks.contains(.articleBody) }
    if isMarked, parents.count == 1 { return found }
    if let own = own(of: found) { return [own] }
    let others = found.filter { $0 != longest }.map(plain).max() ?? 0
    return plain(longest) >= others * 3 ? [longest] : nil
  }

  /// Returns the one element whose story has the page's title; nil where there is no such one.
  private func own(of found: [Int]) -> Int? {
    var known: [Int: Bool] = [:]
    let titled = found.filter { index in
      let article = article(around: index)
      if let isTitled = known[article] { return isTitled }
      let isTitled = (article..<facts.tree.nodes[article].end).contains { facts.isTitle[$0] }
      known[article] = isTitled
      return isTitled
    }
    guard titled.count == 1, let own = titled.first, plain(own) >= 500 else { return nil }
    return own
  }

  private func article(around index: Int) -> Int {
    var node = index
    while node > 0, facts.tree.nodes[node].tag != .article { node = facts.tree.nodes[node].parent }
    return node == 0 ? index : node
  }

  /// Returns the one element that can only be the page's text, however short that is.
  func mainPart() -> Int? {
    let kinds: [(PageTree.Node) -> Bool] = [
      { $0.marks.contains(.articleBody) }, { $0.names.contains(.body) }, { $0.tag == .article },
      { $0.tag == .main },
    ]
    for isKind in kinds {
      let found = outermost(isKind).filter { isText(measures[$0], 25) }
      if found.count == 1 { return found[0] }
      if found.count > 1 { return nil }
    }
    return nil
  }

  /// Returns the innermost element around the page's title that has text.
  func titledPart() -> Int? {
    var titles: [Int] = []
    facts.forEach(in: 0, except: isStripped) { if facts.isTitle[$0] { titles.append($0) } }
    let title = titles.first { facts.linkedHeadings(in: $0) == 0 } ?? titles.first
    guard var node = title.map({ facts.tree.nodes[$0].parent }) else { return nil }
    while !facts.tree.nodes[node].tag.isBody {
      if plain(node) - measures[node].headingLength >= 40 { return node }
      node = facts.tree.nodes[node].parent
    }
    return nil
  }

  /// Returns the innermost element with the name of a body that holds most of the page's long text.
  private func bodyHint() -> Int? {
    let found = outermost { $0.names.contains(.body) && $0.names.weight >= 0 }
      .filter { isText(measures[$0], 250) }
    guard let longest = found.max(by: { plain($0) < plain($1) }) else { return nil }
    let others = found.reduce(0) { $1 == longest ? $0 : $0 + plain($1) }
    guard plain(longest) >= others * 2, plain(longest) * 2 >= plain(0) else { return nil }
    let article = article(around: longest)
    guard article == longest || bodies(in: article).count < 2 else { return nil }
    var best = longest
    facts.forEach(in: longest, except: isStripped) { index in
      let isBody = facts.tree.nodes[index].names.contains(.body)
      if isBody, plain(index) * 10 >= plain(longest) * 9 { best = index }
    }
    return best
  }

  /// Narrows an `article` to the part with the name of a body, where that is nearly all of it.
  private func narrowed(_ roots: [Int]) -> [Int] {
    guard roots.count == 1, let article = roots.first, bodies(in: article).count < 2 else {
      return roots
    }
    var best = article
    facts.forEach(in: article, except: isStripped) { index in
      let isBody = facts.tree.nodes[index].names.contains(.body)
      if isBody, plain(index) * 10 >= plain(article) * 8, isText(measures[index], 80) {
        best = index
      }
    }
    return best == article ? roots : withLead([best])
  }

  /// Returns the outermost elements in an article with the name of a body: several are its parts.
  private func bodies(in article: Int) -> [Int] {
    let range = article + 1..<facts.tree.nodes[article].end
    return outermost { $0.names.contains(.body) && $0.tag != .article }
      .filter { range.contains($0) && isText(measures[$0], 80) }
  }

  private func outermost(_ isWanted: (PageTree.Node) -> Bool) -> [Int] {
    var found: [Int] = []
    facts.forEach(in: 0, except: isStripped) { index in
      let node = facts.tree.nodes[index]
      guard !node.tag.isBody, isWanted(node) else { return }
      if let last = found.last, index < facts.tree.nodes[last].end { return }
      found.append(index)
    }
    return found
  }

  func plain(_ index: Int) -> Int32 {
    measures[index].length - measures[index].linkTenths / 10
  }

  private func isText(_ measure: PageMeasure, _ minimum: Int32) -> Bool {
    measure.length - measure.headingLength >= minimum && measure.linkDensity < 0.3
      && measure.paragraphs > 0
  }

  // MARK: - What stands before it

  private static let leadLengths: ClosedRange<Int32> = 40...800

  /// Adds the lead, which many pages put between their title and the text's own element.
  private func withLead(_ roots: [Int]) -> [Int] {
    guard let root = roots.first else { return roots }
    var outer = root
    for _ in 0..<4 {
      let parent = facts.tree.nodes[outer].parent
      if facts.tree.nodes[parent].tag.isBody { break }
      outer = parent
      if facts.tree.nodes[outer].tag == .article || facts.tree.nodes[outer].tag == .main { break }
    }
    var lead: Int?
    facts.forEach(in: outer, except: isStripped) { index in
      guard index < root, facts.tree.nodes[index].end <= root, isLead(index) else { return }
      if let found = lead, index < facts.tree.nodes[found].end { return }
      lead = index
    }
    return (lead.map { [$0] } ?? []) + roots
  }

  private func isLead(_ index: Int) -> Bool {
    let node = facts.tree.nodes[index]
    let isNamed = node.names.contains(.lead) && !node.tag.isHeading
    let isInHeader = node.tag == .p && facts.tree.nodes[node.parent].tag == .header
    return (isNamed || isInHeader && measures[index].stops > 0)
      && Self.leadLengths.contains(plain(index)) && measures[index].linkDensity < 0.3
  }
}
