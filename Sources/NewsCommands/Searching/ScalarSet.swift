/// A set of Unicode scalars, as ranges.
struct ScalarSet: Hashable, Sendable {
  /// Ascending, with gaps between them.
  private(set) var ranges: [ClosedRange<UInt32>]

  /// The ranges may overlap, in any order.
  init(_ ranges: [ClosedRange<UInt32>] = []) {
    self.ranges = Self.joined(ranges)
  }

  static let all = ScalarSet([0...0x10_ffff])
  static let digits = ScalarSet([0x30...0x39])
  /// What is left of white space once it is folded.
  static let space = ScalarSet([0x09...0x0d, 0x20...0x20, 0x85...0x85, 0x2028...0x2029])

  /// Letters, numbers and the marks on them in all scripts, and the underscore.
  static let word: ScalarSet = {
    // Behind these planes' letters there are only the ideographs of the next two.
    let letters = (0x80..<UInt32(0x1_9000)).lazy.filter(isWordScalar).map { $0...$0 }
    return ScalarSet([0x30...0x39, 0x41...0x5a, 0x5f...0x5f, 0x61...0x7a] + letters).union(
      ScalarSet([
        0x1_b000...0x1_b2ff, 0x1_d400...0x1_d7ff, 0x1_e000...0x1_e9ff, 0x2_0000...0x3_ffff,
      ])
    )
  }()

  private static func isWordScalar(_ value: UInt32) -> Bool {
    guard let properties = Unicode.Scalar(value)?.properties else { return false }
    switch properties.generalCategory {
    case .nonspacingMark, .spacingMark, .decimalNumber: return true
    default: return properties.isAlphabetic
    }
  }

  private static func joined(_ ranges: [ClosedRange<UInt32>]) -> [ClosedRange<UInt32>] {
    var joined: [ClosedRange<UInt32>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = joined.last, range.lowerBound <= last.upperBound + 1 {
        joined[joined.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
      } else {
        joined.append(range)
      }
    }
    return joined
  }

  func contains(_ value: UInt32) -> Bool {
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound < value { low = middle + 1 } else { high = middle }
    }
    return low < ranges.count && ranges[low].contains(value)
  }

  func union(_ other: ScalarSet) -> ScalarSet {
    ScalarSet(ranges + other.ranges)
  }

  var inverted: ScalarSet {
    var gaps: [ClosedRange<UInt32>] = []
    var next: UInt32 = 0
    for range in ranges {
      if range.lowerBound > next { gaps.append(next...range.lowerBound - 1) }
      next = range.upperBound + 1
    }
    if next <= 0x10_ffff { gaps.append(next...0x10_ffff) }
    return ScalarSet(gaps)
  }

  /// The set with what its scalars become when they are folded; the first letter of several.
  var folded: ScalarSet {
    var images: [ClosedRange<UInt32>] = []
    for range in ranges { TextFolding.forEachImage(of: range) { images.append($0) } }
    return ScalarSet(ranges + images)
  }
}
