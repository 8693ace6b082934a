package import System

/// A coder that makes up a record: what may be missing is there, every list has an element, and one
/// value, chosen by its place, is of those that no reader may take.
///
/// So it reaches all fields of a record without knowing any.
package struct FieldProbe: RecordCoder {
  package private(set) var bytes: [UInt8] = []
  /// The number of values so far.
  package private(set) var count = 0
  /// True if the value at the chosen place is one that no reader may take.
  package private(set) var hasSpoilt = false

  private let place: Int?
  private let choice: Int
  /// Bytes of which the first fit ones are taken.
  private let fit: [[UInt8]]
  private var depth = 0

  package init(spoiling place: Int? = nil, by choice: Int = 0, fit: [[UInt8]] = []) {
    (self.place, self.choice) = (place, choice)
    self.fit = fit + [[], [0x78]]
  }

  package var hasFailed: Bool { false }
  package var isReading: Bool { true }
  package var maximumCount: Int { 1_000 }
  package mutating func fail() {}

  package mutating func code(_ number: inout Int, in range: ClosedRange<Int>) {
    let isDeep = depth > Self.maximumDepth
    number = !isDeep && range.contains(1) ? 1 : range.lowerBound
    var all: [Int] = []
    if range.lowerBound > .min { all.append(range.lowerBound - 1) }
    if range.upperBound < .max { all.append(range.upperBound + 1) }
    append((spoilt(all) ?? number).littleEndian)
  }

  package mutating func code(_ number: inout Double, in range: ClosedRange<Double>) {
    number = range.lowerBound
    let all = [
      Double.nan, .infinity, -.infinity, range.lowerBound.nextDown, range.upperBound.nextUp,
    ]
    append((spoilt(all) ?? number).bitPattern.littleEndian)
  }

  package mutating func code(_ text: inout String, _ kind: RecordText) {
    text = kind == .webURL || kind == .link || kind == .base ? "https://a.example/" : "word"
    append(spoilt(kind == .own ? [] : Self.texts(for: kind)) ?? Array(text.utf8))
  }

  package mutating func code(
    _ bytes: inout ArraySlice<UInt8>,
    _ accepts: (UnsafeRawBufferPointer) -> Bool,
  ) {
    let own = fit.first { $0.withUnsafeBytes(accepts) } ?? []
    bytes = own[...]
    append(spoilt([[0xff, 0xfe], [0x1b, 0x5b], [0]]) ?? own)
  }

  private static let maximumDepth = 1

  package mutating func nest(_ body: (inout Self) -> Void) {
    depth += 1
    body(&self)
    depth -= 1
  }

  private mutating func spoilt<Value>(_ all: [Value]) -> Value? {
    defer { count += 1 }
    guard count == place, choice < all.count else { return nil }
    hasSpoilt = true
    return all[choice]
  }

  private mutating func append(_ content: [UInt8]) {
    append(content.count.littleEndian)
    bytes += content
  }

  private mutating func append(_ number: some BitwiseCopyable) {
    withUnsafeBytes(of: number) { bytes.append(contentsOf: $0) }
  }

  /// The most values with which one place is spoilt.
  package static let choices = 24

  /// The texts that are none of a kind, as bytes.
  package static func texts(for kind: RecordText) -> [[UInt8]] {
    let controls = ["\u{1b}]52;c;eA==\u{7}", "a\0b", "a\u{8}", "\u{7f}"].map { Array($0.utf8) }
    let broken: [[UInt8]] = [
      [0xff, 0xfe], [0x61, 0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf0, 0x9f],
    ]
    let hidden = ["\u{9b}31m", "a\u{202e}b", "a\u{200b}", "\u{2028}", "\u{e0041}"]
      .map { Array($0.utf8) }
    let schemes = [
      "javascript:alert(1)", "exec:touch /tmp/x", "file:x y", "filter:a:http://a.example/",
      "data:text/html,x", "https://", "https://user:word@a.example/", "https://a.example/a b",
      "https://a.example/" + String(repeating: "a", count: 9_000),
    ].map { Array($0.utf8) }
    return switch kind {
    case .line: controls + broken + hidden + [Array("a\nb".utf8), Array("a\tb".utf8)]
    case .text: controls + broken + hidden
    case .source: controls + broken
    case .webURL: controls + broken + hidden + schemes + [Array("a.html".utf8)]
    case .base, .link: controls + broken + hidden + schemes
    case .field:
      controls + broken + hidden + [Array("é".utf8), [UInt8](repeating: 0x61, count: 2_000)]
    case .own: []
    }
  }
}

extension RecordValue {
  /// Returns the places and choices of values that a reader of this record takes although none may.
  package static func faults(fit: [[UInt8]] = []) -> [String] {
    var whole = FieldProbe(fit: fit)
    var value = blank
    value.code(with: &whole)
    var faults = Self(record: whole.bytes) == nil ? ["the sound record is refused"] : []
    for place in 0..<whole.count {
      for choice in 0..<FieldProbe.choices {
        var probe = FieldProbe(spoiling: place, by: choice, fit: fit)
        var value = blank
        value.code(with: &probe)
        if probe.hasSpoilt, Self(record: probe.bytes) != nil {
          faults.append("value \(place) of \(whole.count), choice \(choice)")
        }
      }
    }
    return whole.count > 1 ? faults : faults + ["no values"]
  }
}
