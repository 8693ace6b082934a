/// The text that turns the rows on a screen into others; it is short, because lines can be slow.
///
/// A row is made of parts from left to right. Each but the first begins with a jump to its column,
/// and clears the rest of the row.
struct ScreenUpdate {
  typealias Row = [String]

  private(set) var text = ""

  init(from shown: [Row], to rows: [Row]) {
    // A sequence that was cut short may have left a scrolling region.
    if shown.isEmpty { text = "\u{1b}[r\u{1b}[2J" }
    var shown = shown
    if let shift = RowShift(from: shown, to: rows) {
      text += shift.text
      shift.apply(to: &shown)
    }
    for (number, row) in rows.enumerated() {
      write(row, at: number, over: shown.indices.contains(number) ? shown[number] : nil)
    }
    if rows.count < shown.count { text += "\u{1b}[\(rows.count + 1);1H\u{1b}[J" }
  }

  private mutating func write(_ row: Row, at number: Int, over old: Row?) {
    guard row != old else { return }
    let parts = old.map { zip($0, row).prefix { $0 == $1 }.count } ?? 0
    let same = row.count == old?.count ? parts : 0
    text += "\u{1b}[\(number + 1);1H" + (same == 0 ? "\u{1b}[K" : "") + row[same...].joined()
  }
}

/// A block of rows that the terminal itself moves up or down (DL, IL).
private struct RowShift {
  private let rows: Range<Int>
  /// The rows that the block moves up; negative for down.
  private let distance: Int

  /// The distances by which keys and the wheel scroll; of a page nothing stays.
  private static let distances = [1, -1, 2, -2, 3, -3]
  /// A block with fewer bytes is written anew.
  private static let leastBytes = 80

  /// Finds the move that spares the most bytes; nil where none spares `leastBytes`.
  init?(from shown: [ScreenUpdate.Row], to rows: [ScreenUpdate.Row]) {
    guard shown.count == rows.count, shown != rows else { return nil }
    var best: (rows: Range<Int>, distance: Int, bytes: Int) = (0..<0, 0, Self.leastBytes)
    for distance in Self.distances {
      var (start, bytes) = (0, 0)
      for number in rows.indices {
        let old = number + distance
        guard shown.indices.contains(old), shown[old] == rows[number] else {
          (start, bytes) = (number + 1, 0)
          continue
        }
        if shown[number] != rows[number] { bytes += rows[number].reduce(0) { $0 + $1.utf8.count } }
        if bytes > best.bytes { best = (start..<number + 1, distance, bytes) }
      }
    }
    guard best.distance != 0 else { return nil }
    (self.rows, distance) = (best.rows, best.distance)
  }

  private var region: Range<Int> {
    distance > 0
      ? rows.lowerBound..<rows.upperBound + distance
      : rows.lowerBound + distance..<rows.upperBound
  }

  var text: String {
    "\u{1b}[\(region.lowerBound + 1);\(region.upperBound)r\u{1b}[\(region.lowerBound + 1);1H"
      + "\u{1b}[\(abs(distance))" + (distance > 0 ? "M" : "L") + "\u{1b}[r"
  }

  func apply(to shown: inout [ScreenUpdate.Row]) {
    let moved = shown[rows.lowerBound + distance..<rows.upperBound + distance]
    for number in region { shown[number] = [""] }
    shown.replaceSubrange(rows, with: moved)
  }
}
