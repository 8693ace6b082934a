/// How often a feed posts, in words: `5 a day`, `2 a week`, `1 a month`, `3 a year`.
enum PostingRate {
  private static let units: [(seconds: Double, name: String)] = [
    (86_400, "day"), (604_800, "week"), (2_629_746, "month"),
    (31_556_952, "year"),
  ]

  /// The words for a story every so many seconds; at most nine columns wide.
  static func text(interval: Int) -> String {
    for unit in units {
      let rate = unit.seconds / Double(max(interval, 1))
      guard rate > 0.95 else { continue }
      return rate > 999 ? "> 999/day" : "\(Int(rate.rounded())) a \(unit.name)"
    }
    return "rarely"
  }
}
