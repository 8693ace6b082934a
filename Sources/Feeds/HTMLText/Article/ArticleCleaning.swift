/// Drops elements that are no part of the article: Readability's `_prepArticle`.
struct ArticleCleaning {
  private let facts: PageFacts
  private let rules: ArticleSearch.Rules
  private(set) var isStripped: [Bool]
  private var measures: [PageMeasure]
  private(set) var total = PageMeasure()

  init(_ search: ArticleSearch, roots: [Int]) {
    (facts, rules, isStripped) = (search.facts, search.rules, search.isStripped)
    measures = facts.texts
    for root in roots { clean(root, isOnly: roots.count == 1) }
  }

  /// Goes from the end, so that an element's content is clean when the element's turn comes.
  private mutating func clean(_ root: Int, isOnly: Bool) {
    for paragraph in facts.paragraphs(in: root, except: isStripped) {
      let tag = facts.tree.nodes[paragraph.owner].tag
      if tag.holdsParagraphs { measures[paragraph.owner].paragraphs += 1 }
      if !tag.isHeading, paragraph.measure.isSentence {
        measures[paragraph.owner].sentenceTenths += paragraph.measure.linkTenths
      }
    }
    for index in (root..<facts.tree.nodes[root].end).reversed() where !isStripped[index] {
      let node = facts.tree.nodes[index]
      measures[index].close(node)
      if facts.isDataTable[index] { measures[index].dataTables += 1 }
      if index != root || !isOnly, isUnwanted(index, node) {
        isStripped[index] = true
        // A form's fields are decided on before the form.
        measures[node.parent].inputs += measures[index].inputs
      } else if index == root {
        total.add(measures[index])
      } else {
        measures[node.parent].add(measures[index])
      }
    }
  }

  private func isUnwanted(_ index: Int, _ node: PageTree.Node) -> Bool {
    let measure = measures[index]
    switch node.tag {
    case .text: return false
    case .nav, .aside, .embed, .object, .input: return true
    // Outside of forms a label is the text beside a box, as of an ingredient.
    case .label: if isInForm(node.parent) { return true }
    // The footer of a quotation is its source.
    case .footer:
      let outer = facts.tree.nodes[node.parent].tag
      if outer != .blockquote && outer != .figure { return true }
    case .iframe: return !node.marks.contains(.player)
    case .h1, .h2:
      if facts.isTitle[index] || rules.contains(.weights) && node.names.weight < 0 { return true }
    default: break
    }
    if measure.isEmpty, !node.tag.isFilled { return true }
    if node.names.contains(.sharing), measure.length < 500 { return true }
    return rules.contains(.conditional) && Self.isConditional(node.tag)
      && looksLikeNoText(index, node)
  }

  private func isInForm(_ index: Int) -> Bool {
    var node = index
    while node > 0, facts.tree.nodes[node].tag != .form { node = facts.tree.nodes[node].parent }
    return node > 0
  }

  private static func isConditional(_ tag: PageTag) -> Bool {
    switch tag {
    case .form, .fieldset, .table, .ul, .div: true
    default: false
    }
  }

  /// Tests an element by Readability's `_cleanConditionally`.
  private func looksLikeNoText(_ index: Int, _ node: PageTree.Node) -> Bool {
    let measure = measures[index]
    if facts.isInDataTable[index] || facts.isInCode[index] || measure.dataTables > 0 {
      return false
    }
    let weight = rules.contains(.weights) ? node.names.weight : 0
    if weight < 0 { return true }
    guard measure.commas < 10, measure.players == 0 else { return false }
    let isList =
      node.tag.isList || Float(measure.listLength) > 0.9 * Float(measure.length)
      || node.tag == .table && !facts.isLayoutTable[index] && measure.linkDensity < 0.9
    guard isPoor(measure, weight, isList: isList, isInFigure: facts.isInFigure[index]) else {
      return false
    }
    // A list of pictures is a gallery.
    return !(isList && measure.items > 0 && measure.items == measure.images)
  }

  private func isPoor(
    _ measure: PageMeasure,
    _ weight: Int,
    isList: Bool,
    isInFigure: Bool,
  ) -> Bool {
    let density = measure.labelDensity
    if !isInFigure, measure.images > 1, measure.paragraphs * 2 < measure.images { return true }
    if measure.inputs > (measure.paragraphs + measure.items) / 3 { return true }
    if weight >= 25 {
      if density > 0.5 { return true }
    } else if !isList, density > 0.2 {
      return true
    }
    if isList { return false }
    if measure.items - 100 > measure.paragraphs { return true }
    return !isInFigure && measure.headingDensity < 0.9 && measure.length < 25
      && (measure.images == 0 || measure.images > 2) && density > 0
  }
}
