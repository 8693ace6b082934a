extension Duration {
  static func minutes(_ count: Int) -> Duration { .seconds(count.multipliedSafely(by: 60)) }
  static func hours(_ count: Int) -> Duration { .seconds(count.multipliedSafely(by: 3600)) }
  static func days(_ count: Int) -> Duration { .seconds(count.multipliedSafely(by: 86_400)) }

  /// Whole and fractional seconds.
  var inSeconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }

  /// This, but neither below nor above the bounds.
  func clamped(to bounds: ClosedRange<Duration>) -> Duration {
    min(max(self, bounds.lowerBound), bounds.upperBound)
  }
}

extension Int {
  /// The product, or the greatest number that a month of seconds needs no more than.
  ///
  /// What a feed asks for may be any number; all of it is clamped to days later.
  fileprivate func multipliedSafely(by factor: Int) -> Int {
    let (product, overflow) = multipliedReportingOverflow(by: factor)
    let limit = 1 << 40
    return overflow ? (self > 0 ? limit : -limit) : Swift.min(Swift.max(product, -limit), limit)
  }
}
