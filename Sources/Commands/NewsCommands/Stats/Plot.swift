import CommandLine
import CommandSupport

/// Charts made of characters: Unicode's blocks, or ASCII where the locale has none.
///
/// Nothing is drawn for 0, and something for everything above; negative numbers count as 0.
struct Plot {
  let columns: Int
  let hasBlocks: Bool

  static let mostColumns = 100

  init(columns: Int, hasBlocks: Bool) {
    self.columns = min(columns, Self.mostColumns)
    self.hasBlocks = hasBlocks
  }

  struct Bar {
    let label: String
    let value: Int
    let amount: String
  }

  private static let ascii = Array(" .:-=+*#%@")
  private var heights: [Character] { hasBlocks ? Array(" ▁▂▃▄▅▆▇█") : Self.ascii }
  private var shades: [Character] { hasBlocks ? Array(" ░▒▓█") : Self.ascii }
  private var widths: [Character] { hasBlocks ? Array(" ▏▎▍▌▋▊▉█") : [" ", "#"] }

  var full: Character { hasBlocks ? "█" : "@" }

  func row(_ values: [Int], most: Int, width: Int = 1) -> String {
    cells(values, heights, most: most, width: width)
  }

  func bars(_ bars: [Bar], style: (String) -> String) -> [String] {
    let label = min(bars.map { TerminalText.width($0.label) }.max() ?? 0, mostLabelColumns)
    let amount = bars.map { TerminalText.width($0.amount) }.max() ?? 0
    let room = max(columns - label - amount - 2, 0)
    let most = bars.map(\.value).max() ?? 0
    return bars.map { bar in
      let start = TerminalText.fit(bar.label, to: label)
      let text = TerminalText.right(bar.amount, in: amount)
      let picture = self.bar(bar.value, most: most, columns: room)
      return Self.beside("\(start) \(text)", picture, style: style)
    }
  }

  static func beside(_ text: String, _ picture: String, style: (String) -> String) -> String {
    picture.isEmpty ? text : text + " " + style(picture)
  }

  var mostLabelColumns: Int { max(columns * 2 / 5, 8) }

  private func bar(_ value: Int, most: Int, columns: Int) -> String {
    let parts = widths.count - 1
    let length = level(value, most: most, of: columns * parts)
    let end = length % parts == 0 ? "" : String(widths[length % parts])
    return String(repeating: widths[parts], count: length / parts) + end
  }

  /// Returns a row for each day from Sunday on, below one of hours; `values` has all 168 hours.
  ///
  /// On a narrow terminal a cell stands for several hours, and has the greatest of their values.
  func heatMap(_ values: [Int], most: Int, style: (String) -> String) -> [String] {
    let margin = 4
    let room = columns - margin
    let hours = [1, 2, 3, 4, 6, 12].first { 24 / $0 <= room } ?? 24
    let width = min(max(room / (24 / hours), 1), 3)
    var head = ""
    for hour in stride(from: 0, to: 24, by: max(6, hours)) {
      let column: Int = margin + hour / hours * width
      head += TerminalText.spaces(column - head.count)
      head += String(hour)
    }
    let rows: [String] = (0..<7).map { day in
      let hourly = stride(from: day * 24, to: day * 24 + 24, by: hours).map { first in
        values[first..<first + hours].max() ?? 0
      }
      let cells = cells(hourly, shades, most: most, width: width)
      return Self.beside(CalendarName.shortWeekday(day), cells, style: style)
    }
    return [head] + rows
  }

  private func cells(_ values: [Int], _ signs: [Character], most: Int, width: Int) -> String {
    var text = values.reduce(into: "") { text, value in
      let sign = signs[level(value, most: most, of: signs.count - 1)]
      text += String(repeating: sign, count: width)
    }
    while text.last == " " { text.removeLast() }
    return text
  }

  private func level(_ value: Int, most: Int, of levels: Int) -> Int {
    guard value > 0, most > 0 else { return 0 }
    return Int((min(Double(value) / Double(most), 1) * Double(levels)).rounded(.up))
  }
}

extension CommandContext {
  var plot: Plot { Plot(columns: columns, hasBlocks: isUTF8) }
}
