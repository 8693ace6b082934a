enum BrowserPane: Int, CaseIterable, Hashable, Sendable {
  case feeds
  case stories
  case text
}

/// The panes that fit a window, from left to right.
struct BrowserLayout: Hashable, Sendable {
  struct Slot: Hashable, Sendable {
    let pane: BrowserPane
    let column: Int
    let width: Int
  }

  let columns: Int
  let rows: Int
  let slots: [Slot]

  /// The rows between the title and the bottom line.
  var paneRows: Int { max(rows - 2, 1) }

  /// The most columns of a text.
  private let textColumns: Int

  static let usualTextColumns = 80
  private static let feedColumns = 30
  private static let gap = 3
  /// The least width of a list beside a text, in columns.
  private static let leastList = 40

  /// Shows `focus` alone in a narrow window; in a wide one also its neighbour, or all three.
  ///
  /// A text that stands alone is in the middle if `isCentered`.
  init(
    columns: Int,
    rows: Int,
    focus: BrowserPane,
    textColumns: Int = Self.usualTextColumns,
    isCentered: Bool = false,
  ) {
    (self.columns, self.rows, self.textColumns) = (columns, rows, textColumns)
    let beside = Self.leastList + Self.gap
    let hasFeeds = columns >= Self.feedColumns + Self.gap + Self.usualTextColumns
    var panes: [(pane: BrowserPane, width: Int)] = [(focus, columns)]
    if columns >= Self.feedColumns + Self.gap + beside + textColumns {
      let list = columns - Self.feedColumns - textColumns - 2 * Self.gap
      panes = [(.feeds, Self.feedColumns), (.stories, list), (.text, textColumns)]
    } else if focus == .text, columns >= beside + textColumns {
      panes = [(.stories, columns - textColumns - Self.gap), (.text, textColumns)]
    } else if focus != .text, hasFeeds {
      panes = [
        (.feeds, Self.feedColumns), (.stories, columns - Self.feedColumns - Self.gap),
      ]
    }
    var slots: [Slot] = []
    var column = 0
    if isCentered, focus == .text, panes.count == 1 {
      panes[0].width = min(columns, textColumns)
      column = (columns - panes[0].width) / 2
    }
    for (pane, width) in panes {
      slots.append(Slot(pane: pane, column: column, width: width))
      column += width + Self.gap
    }
    self.slots = slots
  }

  func slot(_ pane: BrowserPane) -> Slot? {
    slots.first { $0.pane == pane }
  }

  func slot(atColumn column: Int) -> Slot? {
    slots.last { $0.column <= column } ?? slots.first
  }

  /// The columns for a story's text, even while no pane shows it.
  var storyColumns: Int { max(min(columns, textColumns), 20) }
}

struct ListCursor: Hashable, Sendable {
  private(set) var selected = 0
  private(set) var top = 0

  /// Selects a row, and scrolls no further than needed.
  mutating func select(_ index: Int, of count: Int, rows: Int) {
    selected = min(max(index, 0), max(count - 1, 0))
    show(of: count, rows: rows)
  }

  /// Selects a row's new index; the row keeps its place on the screen.
  mutating func follow(to index: Int, of count: Int, rows: Int) {
    top += index - selected
    select(index, of: count, rows: rows)
  }

  private mutating func show(of count: Int, rows: Int) {
    top = min(max(top, selected - rows + 1), selected, max(count - rows, 0))
    top = max(top, 0)
  }

  func range(of count: Int, rows: Int) -> Range<Int> {
    let first = min(top, count)
    return first..<min(first + rows, count)
  }
}
