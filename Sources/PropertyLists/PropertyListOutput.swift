/// The bytes of a property list on their way to a sink, and where its objects begin.
///
/// PERF: a value with its memory, filled in place: as an object, the runtime's checks for exclusive
/// access took a quarter of the time of a save.
struct PropertyListOutput: ~Copyable {
  let referenceWidth: Int
  private let offsets: UnsafeMutablePointer<UInt64>
  /// Objects begun, and the room for them.
  private(set) var objects = 0
  private var buffer: UnsafeMutableRawPointer
  private var capacity: Int
  private var used = 0
  private var flushed = 0

  private static let pieceSize = 1 << 20

  init(referenceWidth: Int, objects: Int) {
    self.referenceWidth = referenceWidth
    offsets = .allocate(capacity: max(objects, 1))
    capacity = Self.pieceSize + 65_536
    buffer = .allocate(byteCount: capacity, alignment: 16)
    for byte in "bplist00".utf8 { append(UInt64(byte), width: 1) }
  }

  deinit {
    buffer.deallocate()
    offsets.deallocate()
  }

  /// Bytes so far.
  var position: Int { flushed + used }
  var isFull: Bool { used >= Self.pieceSize }

  /// What was appended since the last `take`.
  var piece: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: buffer, count: used) }

  mutating func take() {
    flushed += used
    used = 0
  }

  /// The caller begins no more objects than it announced.
  mutating func beginObject() {
    offsets[objects] = UInt64(position)
    objects += 1
  }

  mutating func appendOffset(of object: Int, width: Int) {
    append(offsets[object], width: width)
  }

  mutating func append(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) {
    makeRoom(for: range.count)
    guard let start = bytes.baseAddress else { return }
    (buffer + used).copyMemory(from: start + range.lowerBound, byteCount: range.count)
    used += range.count
  }

  /// Appends the last `width` bytes of a number, most significant first.
  @inline(__always)
  mutating func append(_ number: UInt64, width: Int) {
    makeRoom(for: 8)
    // The bytes behind the number are overwritten by what follows it.
    let word = (number << UInt64(64 - 8 * width)).bigEndian
    buffer.storeBytes(of: word, toByteOffset: used, as: UInt64.self)
    used += width
  }

  @inline(__always)
  mutating func appendReference(_ number: UInt64) {
    append(number, width: referenceWidth)
  }

  @inline(__always)
  private mutating func makeRoom(for count: Int) {
    if count > capacity - used { grow(by: count) }
  }

  private mutating func grow(by count: Int) {
    capacity = 2 * (used + count)
    let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
    larger.copyMemory(from: buffer, byteCount: used)
    buffer.deallocate()
    buffer = larger
  }
}
