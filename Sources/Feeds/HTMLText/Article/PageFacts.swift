struct PageFacts: Sendable {
  let tree: PageTree
  let texts: [PageMeasure]
  let isBlock: [Bool]
  let hasInnerBlock: [Bool]
  let isInTable: [Bool]
  let isInCode: [Bool]
  let isInFigure: [Bool]
  let isInLink: [Bool]
  let keepsLines: [Bool]
  let isDataTable: [Bool]
  let isInDataTable: [Bool]
  /// True for nodes whose nearest table only places its cells.
  let isLayoutTable: [Bool]
  /// The characters of each node that are not in links.
  let plainLengths: [Int32]
  /// Marks of the headings that only repeat the page's title, one for each node.
  let isTitle: [Bool]
  private(set) var prompts: [Int] = []
  /// The number of headings before each node that lead to other pages of the site.
  private let linkedHeadings: [Int32]

  init(_ tree: PageTree) {
    self.tree = tree
    texts = tree.nodes.map {
      $0.tag == .text ? PageMeasure(tree.text[$0.content]) : PageMeasure()
    }
    isBlock = tree.blocks()
    hasInnerBlock = Self.innerBlocks(tree, isBlock)
    isInTable = tree.inherited { $0.tag == .table }
    isInCode = tree.inherited { $0.tag == .code || $0.tag == .pre }
    isInFigure = tree.inherited { $0.tag == .figure }
    isInLink = tree.inherited { $0.tag == .a && !$0.marks.contains(.within) }
    keepsLines = tree.inherited { $0.marks.contains(.lines) }
    isDataTable = PageTables.dataTables(tree)
    isInDataTable = tree.inherited(isDataTable)
    isLayoutTable = PageTables.layoutTables(tree)
    plainLengths = Self.plainLengths(tree, texts, isInLink)
    isTitle = ArticleTitles.headings(tree)
    linkedHeadings = Self.linkedHeadings(tree)
    prompts = Paywall.prompts(in: self)
  }

  private static func linkedHeadings(_ tree: PageTree) -> [Int32] {
    var isLinked = tree.inherited {
      $0.tag == .a && $0.marks.isDisjoint(with: [.within, .elsewhere])
    }
    for index in tree.nodes.indices.dropFirst().reversed() where isLinked[index] {
      isLinked[tree.nodes[index].parent] = true
    }
    var (counts, count): ([Int32], Int32) = ([0], 0)
    for (node, isLinked) in zip(tree.nodes, isLinked) {
      if isLinked, node.tag.isHeading { count += 1 }
      counts.append(count)
    }
    return counts
  }

  private static func plainLengths(
    _ tree: PageTree,
    _ texts: [PageMeasure],
    _ isInLink: [Bool],
  ) -> [Int32] {
    var lengths = zip(texts, isInLink).map { $1 ? 0 : $0.length }
    for index in tree.nodes.indices.dropFirst().reversed() {
      lengths[tree.nodes[index].parent] += lengths[index]
    }
    return lengths
  }

  /// Returns true for a node with at least half of the page's text: its name then means something
  /// else.
  func isMost(_ index: Int) -> Bool {
    plainLengths[index] >= 500 && plainLengths[index] * 2 >= plainLengths[0]
  }

  /// True if the page shows a long part that it declares limited or that has a paywall's name.
  var hasLimitedText: Bool {
    tree.nodes.indices.contains { index in
      let node = tree.nodes[index]
      guard node.marks.contains(.limited) || node.names.contains(.paywall) else { return false }
      return !node.tag.isBody && plainLengths[index] >= Paywall.shortLength
    }
  }

  /// Returns the characters in long runs of text outside of links and of elements with foreign
  /// names.
  func longTextLength() -> Int32 {
    let isTeaser = tree.nodes.indices.map { index in
      let node = tree.nodes[index]
      return (node.tag == .li || node.tag == .article) && plainLengths[index] < 500
        && linkedHeadings(in: index) > 0
    }
    let isInTeaser = tree.inherited(isTeaser)
    let isOther = tree.inherited {
      $0.names.contains(.never) || $0.names.contains(.foreign) || $0.tag == .footer
        || $0.names.contains(.negativeClass) && $0.names.contains(.unlikely)
    }
    return texts.indices.reduce(0) { sum, index in
      let isLong =
        texts[index].length >= 80 && !isInLink[index] && !isOther[index] && !isInTeaser[index]
      return isLong ? sum + texts[index].length : sum
    }
  }

  /// True if the page has a link to another one.
  var leadsAnywhere: Bool {
    tree.nodes.contains { node in
      node.tag == .a && !node.marks.contains(.within)
        && tree.attributes[node.content].contains {
          "\($0.name)" == "href" && !$0.value.hasPrefix("javascript:")
        }
    }
  }

  /// Returns the number of headings in a node that lead to other stories, as on a front page.
  func linkedHeadings(in node: Int) -> Int {
    Int(linkedHeadings[tree.nodes[node].end] - linkedHeadings[node])
  }

  func text(of node: Int, atMost limit: Int, except isStripped: [Bool]? = nil) -> [UInt8] {
    var text: [UInt8] = []
    var index = node
    while index < tree.nodes[node].end, text.count < limit {
      if isStripped?[index] == true {
        index = tree.nodes[index].end
        continue
      }
      if tree.nodes[index].tag == .text {
        text += tree.text[tree.nodes[index].content].prefix(limit)
      } else if isBlock[index] || tree.nodes[index].tag == .br {
        text.append(0x20)
      }
      index += 1
    }
    return text
  }

  private static func innerBlocks(_ tree: PageTree, _ isBlock: [Bool]) -> [Bool] {
    var flags = [Bool](repeating: false, count: tree.nodes.count)
    for index in tree.nodes.indices.dropFirst() where isBlock[index] {
      flags[tree.nodes[index].parent] = true
    }
    return flags
  }

  func forEach(in node: Int, except isStripped: [Bool], _ body: (Int) -> Void) {
    var index = node
    while index < tree.nodes[node].end {
      if isStripped[index] {
        index = tree.nodes[index].end
      } else {
        body(index)
        index += 1
      }
    }
  }

  /// Returns the runs of text in a node; two line breaks end one.
  func paragraphs(in node: Int, except isStripped: [Bool]) -> [PageParagraph] {
    var paragraphs: [PageParagraph] = []
    var run: PageParagraph?
    var breaks = 0
    var owners = [Int](repeating: 0, count: 0)
    func end() {
      if let run, run.measure.length > 0 { paragraphs.append(run) }
      run = nil
    }
    forEach(in: node, except: isStripped) { index in
      while let owner = owners.last, index >= tree.nodes[owner].end { owners.removeLast() }
      if isBlock[index] || owners.isEmpty {
        owners.append(index)
        end()
      } else if tree.nodes[index].tag == .br {
        breaks += 1
        if breaks == 2 { end() }
      } else if texts[index].length > 0, let owner = owners.last {
        breaks = 0
        if run?.owner != owner { end() }
        var measure = texts[index]
        if isInLink[index] { measure.linkTenths = measure.length * 10 }
        run = run ?? PageParagraph(owner: owner)
        run?.measure.add(measure)
      }
    }
    end()
    return paragraphs
  }

  func measures(except isStripped: [Bool], _ paragraphs: [PageParagraph]) -> [PageMeasure] {
    var measures = texts
    for paragraph in paragraphs where tree.nodes[paragraph.owner].tag.holdsParagraphs {
      measures[paragraph.owner].paragraphs += 1
    }
    for index in tree.nodes.indices.dropFirst().reversed() where !isStripped[index] {
      measures[index].close(tree.nodes[index])
      if isDataTable[index] { measures[index].dataTables += 1 }
      measures[tree.nodes[index].parent].add(measures[index])
    }
    return measures
  }
}

/// Tells tables of data from those for the layout (Readability's `_markDataTables`).
enum PageTables {
  private struct Shape {
    var rows = 0
    var cells = 0
    var tables = 0
    var listings = 0
    var hasMark = false

    var columns: Int { rows == 0 ? 0 : (cells + rows - 1) / rows }

    var isLayout: Bool { !isNumberedCode && (tables > 0 || rows <= 1 || cells <= rows) }

    /// True of one row with the numbers of code's lines, and the code.
    private var isNumberedCode: Bool { rows == 1 && cells == 2 && listings == 2 && tables == 0 }

    func isData(_ marks: PageTree.Marks) -> Bool {
      if marks.contains(.presentation) { return false }
      if marks.contains(.described) || hasMark { return true }
      if tables > 0 || rows <= 1 || columns <= 1 { return false }
      return rows >= 10 || columns > 4 || rows * columns > 10
    }
  }

  static func dataTables(_ tree: PageTree) -> [Bool] {
    tables(tree) { $0.isData($1) }
  }

  static func layoutTables(_ tree: PageTree) -> [Bool] {
    let own = tables(tree) { $1.contains(.presentation) || $0.isLayout && !$0.isData($1) }
    var flags = own
    for index in tree.nodes.indices.dropFirst() where tree.nodes[index].tag != .table {
      flags[index] = flags[tree.nodes[index].parent]
    }
    return flags
  }

  private static func tables(_ tree: PageTree, _ decide: (Shape, PageTree.Marks) -> Bool) -> [Bool]
  {
    var flags = [Bool](repeating: false, count: tree.nodes.count)
    var shapes = [Shape](repeating: Shape(), count: tree.nodes.count)
    for index in tree.nodes.indices.dropFirst().reversed() {
      let node = tree.nodes[index]
      var shape = shapes[index]
      switch node.tag {
      case .tr: shape.rows += 1
      case .td: shape.cells += 1
      case .pre: shape.listings += 1
      case .th, .thead, .tfoot, .col, .colgroup, .caption:
        shape.hasMark = true
        if node.tag == .th { shape.cells += 1 }
      case .table:
        flags[index] = decide(shape, node.marks)
        shape = Shape(tables: 1)
      default: break
      }
      let outer = node.parent
      shapes[outer].rows += shape.rows
      shapes[outer].cells += shape.cells
      shapes[outer].tables += shape.tables
      shapes[outer].listings += shape.listings
      if shape.hasMark { shapes[outer].hasMark = true }
    }
    return flags
  }
}
