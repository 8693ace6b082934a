/// A binary property list of which every part may be wrong.
struct HostileList {
  /// The objects as they stand in the file; the first is the top-level one unless `root` says
  /// otherwise.
  var objects: [[UInt8]]
  /// The bytes of a reference; references in `objects` are written with it already.
  var referenceWidth = 1
  var offsetWidth = 4
  /// The false number of objects in the trailer; nil for the true one.
  var claimedCount: UInt64?
  var root: UInt64 = 0
  var claimedTable: UInt64?
  var claimedOffsetWidth: UInt8?
  var claimedReferenceWidth: UInt8?
  /// The false offset of all objects in the table; nil for the true ones.
  var claimedOffset: UInt64?

  init(_ objects: [[UInt8]], referenceWidth: Int = 1) {
    self.objects = objects
    self.referenceWidth = referenceWidth
  }

  func with(_ change: (inout HostileList) -> Void) -> HostileList {
    var copy = self
    change(&copy)
    return copy
  }

  var bytes: [UInt8] {
    var bytes = Array("bplist00".utf8)
    var table: [UInt8] = []
    for object in objects {
      table += Self.bigEndian(claimedOffset ?? UInt64(bytes.count), width: offsetWidth)
      bytes += object
    }
    let start = claimedTable ?? UInt64(bytes.count)
    bytes += table + [0, 0, 0, 0, 0, 0]
    bytes += [claimedOffsetWidth ?? UInt8(offsetWidth)]
    bytes += [claimedReferenceWidth ?? UInt8(referenceWidth)]
    for number in [claimedCount ?? UInt64(objects.count), root, start] {
      bytes += Self.bigEndian(number, width: 8)
    }
    return bytes
  }

  // MARK: Objects

  static func bigEndian(_ number: UInt64, width: Int) -> [UInt8] {
    (0..<width).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
  }

  static func head(_ kind: UInt8, count: UInt64) -> [UInt8] {
    count < 15 ? [kind | UInt8(count)] : [kind | 0x0f, 0x13] + bigEndian(count, width: 8)
  }

  static func text(_ text: String) -> [UInt8] {
    head(0x50, count: UInt64(text.utf8.count)) + text.utf8
  }

  static func array(_ references: [Int], width: Int = 1) -> [UInt8] {
    head(0xa0, count: UInt64(references.count))
      + references.flatMap { bigEndian(UInt64($0), width: width) }
  }

  static func dictionary(_ entries: [(Int, Int)], width: Int = 1) -> [UInt8] {
    head(0xd0, count: UInt64(entries.count))
      + (entries.map(\.0) + entries.map(\.1)).flatMap { bigEndian(UInt64($0), width: width) }
  }

  static func date(_ seconds: Double) -> [UInt8] {
    [0x33] + bigEndian(seconds.bitPattern, width: 8)
  }

  /// Returns a list with one story, whose `key` has the object number 3, the first of `objects`.
  static func story(_ key: String, _ objects: [[UInt8]]) -> HostileList {
    HostileList([array([1]), dictionary([(2, 3)]), text(key)] + objects)
  }

  /// Returns objects from number `first` on, each an array of so many references to the next one.
  static func bomb(first: Int, levels: Int, fanOut: Int) -> [[UInt8]] {
    (0..<levels).map { array(Array(repeating: first + $0 + 1, count: fanOut)) } + [text("x")]
  }
}
