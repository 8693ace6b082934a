/// What makes a screen that shows some rows show others: little of it, since lines can be slow.
///
/// A row is made of parts from left to right. Each but the first begins with the way to its column,
/// and clears what stands from there on.
struct ScreenUpdate {
  typealias Row = [String]

  private(set) var text = ""

  /// Nothing is known of rows that `shown` lacks.
  init(from shown: [Row], to rows: [Row]) {
    // A sequence that was cut short may have left a part of the screen to scroll by itself.
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

  /// Writes a row from the first part on that is another.
  private mutating func write(_ row: Row, at number: Int, over old: Row?) {
    guard row != old else { return }
    let parts = old.map { zip($0, row).prefix { $0 == $1 }.count } ?? 0
    let same = row.count == old?.count ? parts : 0
    text += "\u{1b}[\(number + 1);1H" + (same == 0 ? "\u{1b}[K" : "") + row[same...].joined()
  }
}

/// Rows that stand elsewhere on the screen than before: the terminal moves them by itself (DL, IL).
private struct RowShift {
  /// Where they stand now.
  private let rows: Range<Int>
  /// How far down they stood; less than 0 for those that stood further up.
  private let distance: Int

  /// As far as keys and the wheel scroll; of a page nothing stays.
  private static let distances = [1, -1, 2, -2, 3, -3]
  /// Less is sent by writing the rows.
  private static let leastBytes = 80

  /// The one that spares the most; nil where none spares much.
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

  /// The rows among which they move.
  private var region: Range<Int> {
    distance > 0
      ? rows.lowerBound..<rows.upperBound + distance
      : rows.lowerBound + distance..<rows.upperBound
  }

  /// Deletes lines at the top of the region, or inserts some there.
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
