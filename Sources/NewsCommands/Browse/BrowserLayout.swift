/// The parts of the table view.
enum BrowserPane: Int, CaseIterable, Hashable, Sendable {
  case feeds
  case stories
  case text
}

/// Which panes a window has room for, and where they stand.
struct BrowserLayout: Hashable, Sendable {
  struct Slot: Hashable, Sendable {
    let pane: BrowserPane
    /// From 0.
    let column: Int
    let width: Int
  }

  let columns: Int
  let rows: Int
  let slots: [Slot]

  /// A title above the panes, and a line below them.
  var paneRows: Int { max(rows - 2, 1) }

  private static let feedColumns = 30
  private static let textColumns = 80
  private static let gap = 3
  /// A list beside a text, and a list by itself, want so much.
  private static let leastList = 40

  /// One pane in a narrow window, which is `focus`; in a wide one its neighbour beside it, or all
  /// three.
  init(columns: Int, rows: Int, focus: BrowserPane, hasText: Bool) {
    (self.columns, self.rows) = (columns, rows)
    let beside = Self.leastList + Self.gap
    let hasFeeds = columns >= Self.feedColumns + Self.gap + Self.textColumns
    var panes: [(pane: BrowserPane, width: Int)] = [(focus, columns)]
    if hasText, columns >= Self.feedColumns + Self.gap + beside + Self.textColumns {
      let list = columns - Self.feedColumns - Self.textColumns - 2 * Self.gap
      panes = [(.feeds, Self.feedColumns), (.stories, list), (.text, Self.textColumns)]
    } else if focus == .text, columns >= beside + Self.textColumns {
      panes = [
        (.stories, columns - Self.textColumns - Self.gap), (.text, Self.textColumns),
      ]
    } else if focus != .text, hasFeeds {
      panes = [
        (.feeds, Self.feedColumns), (.stories, columns - Self.feedColumns - Self.gap),
      ]
    }
    var slots: [Slot] = []
    var column = 0
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
    slots.last { $0.column <= column }
  }

  /// Columns for a story's text, whether it is to be seen now or not.
  var storyColumns: Int { max(min(columns, Self.textColumns), 20) }
}

/// Which of many rows is chosen, and which one stands at the top.
struct ListCursor: Hashable, Sendable {
  private(set) var selected = 0
  private(set) var top = 0

  /// Chooses a row, and scrolls as little as shows it.
  mutating func select(_ index: Int, of count: Int, rows: Int) {
    selected = min(max(index, 0), max(count - 1, 0))
    show(of: count, rows: rows)
  }

  /// The same row is another number now, and stays where it stands on the screen.
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
