internal import CommandLine

extension StoryLayout {
  /// Lays out columns side by side; the cells of a table that only places things, or is too wide,
  /// follow one another.
  mutating func add(_ table: StoryTable) {
    if !table.caption.isEmpty { add(table.caption, style: .italic) }
    let grid = TableGrid(table)
    guard grid.isTabular, let widths = widths(grid) else { return addCells(table, grid) }
    for (index, row) in grid.rows.enumerated() {
      emit(row, widths)
      if index == grid.headerRows - 1, index < grid.rows.count - 1 { emit(ruleBelow: widths) }
    }
  }

  private func widths(_ grid: TableGrid) -> [Int]? {
    var natural = Array(repeating: 1, count: grid.columns)
    // Cells that span columns widen them by the width that is missing.
    for span in Set(grid.rows.joined().map(\.columns)).sorted() where span > 0 {
      for row in grid.rows {
        for (column, cell) in row.enumerated() where cell.columns == span && !grid.isWhole(cell) {
          let columns = column..<min(column + span, grid.columns)
          let width = naturalWidth(cell) - 3 * (columns.count - 1)
          let missing = width - natural[columns].reduce(0, +)
          guard missing > 0 else { continue }
          for (index, column) in columns.enumerated() {
            natural[column] += missing / span + (index < missing % span ? 1 : 0)
          }
        }
      }
    }
    return TableGrid.shrunk(natural, to: room - 3 * (grid.columns - 1))
  }

  private static let endless = 10_000

  private func naturalWidth(_ cell: TableGrid.Cell) -> Int {
    lines(cell.blocks, columns: Self.endless).map { $0.width(.apart) }.max() ?? 0
  }

  private func lines(_ blocks: [StoryBlock], columns: Int, style: TextStyle = []) -> [StyledLine] {
    var layout = StoryLayout(columns: columns, signs: signs, links: links, facts: facts)
    if case .paragraph(let inlines)? = blocks.first, blocks.count == 1 {
      layout.add(inlines, style: style)
    } else {
      layout.add(blocks, isTight: true)
    }
    return layout.lines
  }

  private mutating func emit(_ row: [TableGrid.Cell], _ widths: [Int]) {
    var cells: [(lines: [StyledLine], width: Int)] = []
    var column = 0
    if let cell = row.first, cell.columns >= widths.count {
      // A cell across all columns has the whole screen, if it needs that.
      for line in lines(cell.blocks, columns: room, style: cell.isHeader ? .bold : []) {
        emit(line)
      }
      return
    }
    while column < row.count {
      let span = max(min(row[column].columns, row.count - column), 1)
      let width = widths[column..<column + span].reduce(3 * (span - 1), +)
      let style: TextStyle = row[column].isHeader ? .bold : []
      cells.append((lines(row[column].blocks, columns: width, style: style), width))
      column += span
    }
    for index in 0..<(cells.map(\.lines.count).max() ?? 0) {
      var line = StyledLine()
      for (number, cell) in cells.enumerated() {
        if number > 0 { line.append(StyledSpan(text: " \(signs.bar) ", style: .dim)) }
        let part = index < cell.lines.count ? cell.lines[index] : StyledLine()
        for span in part.spans { line.append(span) }
        line.append(StyledSpan(text: TerminalText.spaces(cell.width - part.width(.joined))))
      }
      emit(line)
    }
  }

  private mutating func emit(ruleBelow widths: [Int]) {
    let line = widths.map { String(repeating: signs.line, count: $0) }
      .joined(separator: signs.line + signs.cross + signs.line)
    emit(StyledLine([StyledSpan(text: line, style: .dim)]))
  }

  /// Lays out each row's cells one below the other, behind their columns' names where they have
  /// some.
  private mutating func addCells(_ table: StoryTable, _ grid: TableGrid) {
    let names = grid.names
    for (index, row) in table.rows.enumerated() where names == nil || index > 0 {
      addGap()
      for (column, cell) in row.enumerated() where !cell.blocks.isEmpty {
        if let names, case .paragraph(let inlines)? = cell.blocks.first, column < names.count,
          !names[column].isEmpty
        {
          add(names[column] + [.text(StoryRun(": "))] + inlines)
          add(Array(cell.blocks.dropFirst()))
        } else {
          if names == nil { addGap() }
          add(cell.blocks)
        }
      }
    }
  }
}

/// A table's cells in their places; the places of cells that span rows are empty below the first
/// row.
struct TableGrid {
  struct Cell {
    var isHeader = false
    /// The number of columns that it spans; 0 for a place that another cell covers.
    var columns = 1
    var blocks: [StoryBlock] = []
  }

  private(set) var rows: [[Cell]] = []
  private(set) var columns = 0
  private let isSimple: Bool
  private static let mostColumns = 40

  init(_ table: StoryTable) {
    isSimple = table.rows.allSatisfy { $0.allSatisfy { $0.blocks.allSatisfy(Self.isSimple) } }
    // The number of rows for which each column is still covered.
    var covered: [Int: Int] = [:]
    for cells in table.rows {
      var row: [Cell] = []
      for cell in cells where row.count <= Self.mostColumns {
        Self.cover(&row, &covered)
        for column in row.count..<row.count + cell.columns where cell.rows > 1 {
          covered[column] = cell.rows - 1
        }
        row.append(Cell(isHeader: cell.isHeader, columns: cell.columns, blocks: cell.blocks))
        row += Array(repeating: Cell(columns: 0), count: cell.columns - 1)
      }
      Self.cover(&row, &covered)
      columns = max(columns, row.count)
      rows.append(row)
    }
    for index in rows.indices where rows[index].count < columns && columns <= Self.mostColumns {
      rows[index] += Array(repeating: Cell(), count: columns - rows[index].count)
    }
  }

  /// True if the table is more than a way to place things on a page.
  var isTabular: Bool {
    isSimple && columns > 1 && columns <= Self.mostColumns && (rows.count > 1 || headerRows > 0)
  }

  func isWhole(_ cell: Cell) -> Bool { cell.columns >= columns && columns > 1 }

  var headerRows: Int {
    rows.prefix { row in row.allSatisfy { $0.isHeader || $0.blocks.isEmpty } }.count
  }

  var names: [[StoryInline]]? {
    guard headerRows == 1, isSimple, columns > 1 else { return nil }
    return rows[0].map { cell in
      guard case .paragraph(let inlines)? = cell.blocks.first, Self.isName(inlines) else {
        return []
      }
      return inlines
    }
  }

  /// Returns false for a longer text, which is not repeated in each row.
  private static func isName(_ inlines: [StoryInline]) -> Bool {
    let lengths = inlines.prefix(9).map { inline in
      if case .text(let run) = inline { run.text.utf8.count } else { 60 }
    }
    return inlines.count < 9 && lengths.reduce(0, +) <= 60
  }

  /// Returns widths that fit: the widest columns give first; nil when less than a word would be
  /// left.
  static func shrunk(_ natural: [Int], to room: Int) -> [Int]? {
    var widths = natural
    var free = room
    var wide = Set(natural.indices)
    while let share = wide.isEmpty ? nil : free / wide.count {
      let narrow = wide.filter { natural[$0] <= share }
      if narrow.isEmpty {
        guard share >= leastColumns else { return nil }
        for (index, column) in wide.sorted().enumerated() {
          widths[column] = share + (index < free % wide.count ? 1 : 0)
        }
        break
      }
      free -= narrow.reduce(0) { $0 + natural[$1] }
      wide.subtract(narrow)
    }
    return widths
  }

  private static let leastColumns = 8

  private static func cover(_ row: inout [Cell], _ covered: inout [Int: Int]) {
    while let rows = covered[row.count], rows > 0 {
      covered[row.count] = rows - 1
      row.append(Cell())
    }
  }

  private static func isSimple(_ block: StoryBlock) -> Bool {
    switch block {
    case .paragraph, .preformatted: true
    case .list(let list): list.items.allSatisfy { $0.allSatisfy(isSimple) }
    default: false
    }
  }
}
