/// The bytes of a property list on their way out, and the offsets of its objects.
///
/// PERF: a value with its memory, filled in place: as an object, the runtime's checks for exclusive
/// access took a quarter of the time of a save.
struct PropertyListOutput: ~Copyable {
  /// The width of a reference to an object: enough for all of a list of 4 GiB.
  static let referenceWidth = 4
  private var offsets: UnsafeMutablePointer<UInt32>
  private var offsetCapacity: Int
  private(set) var objects = 0
  /// The objects of a former version that stay as they are; their offsets stand in its table.
  private(set) var kept = Int.max..<Int.max
  private(set) var offsetWidth = 1
  private var buffer: UnsafeMutableRawPointer
  private var capacity: Int
  private var used = 0
  private var flushed = 0
  private(set) var isTooLarge = false

  private static let pieceSize = 256 << 10

  init(objects: Int) {
    offsetCapacity = objects + objects / 8 + 1_024
    offsets = .allocate(capacity: offsetCapacity)
    capacity = Self.pieceSize + 65_536
    buffer = .allocate(byteCount: capacity, alignment: 16)
    for byte in "bplist00".utf8 { append(UInt64(byte), width: 1) }
  }

  /// Begins a list with versions, behind what is kept.
  init(keeping kept: KeptObjects?, objects: Int) {
    self.init(objects: objects)
    self.objects = kept?.numbers.upperBound ?? KeptObjects.first
    offsetWidth = KeptObjects.offsetWidth
    guard let kept else { return }
    (self.kept, used, flushed) = (kept.numbers, 0, kept.bytes)
  }

  deinit {
    buffer.deallocate()
    offsets.deallocate()
  }

  var position: Int { flushed + used }
  var isFull: Bool { used >= Self.pieceSize }

  var piece: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: buffer, count: used) }

  /// Takes the piece as gone, and bytes from elsewhere that followed it.
  mutating func discardPiece(and others: Int = 0) {
    flushed += used + others
    used = 0
  }

  @inline(__always)
  mutating func beginObject() {
    if objects - kept.count == offsetCapacity { growOffsets() }
    objects += 1
    begin(objects - 1)
  }

  @inline(__always)
  mutating func begin(_ object: Int) {
    let position = self.position
    if position > BinaryPropertyListWriter.maximumSize { isTooLarge = true }
    (offsets + place(of: object)).initialize(to: UInt32(truncatingIfNeeded: position))
  }

  @inline(__always)
  private func place(of object: Int) -> Int {
    object < kept.lowerBound ? object : object - kept.count
  }

  private mutating func growOffsets() {
    offsetCapacity *= 2
    let larger = UnsafeMutablePointer<UInt32>.allocate(capacity: offsetCapacity)
    larger.initialize(from: offsets, count: objects - kept.count)
    offsets.deallocate()
    offsets = larger
  }

  mutating func appendOffset(of object: Int, width: Int) {
    precondition(object < objects)
    append(UInt64(offsets[place(of: object)]), width: width)
  }

  @inline(__always)
  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    makeRoom(for: bytes.count)
    guard let start = bytes.baseAddress else { return }
    (buffer + used).copyMemory(from: start, byteCount: bytes.count)
    used += bytes.count
  }

  /// Appends the bytes that `write` puts into a room of `count` bytes; it returns their number.
  @inline(__always)
  mutating func append(upTo count: Int, _ write: (UnsafeMutableRawPointer) -> Int) {
    makeRoom(for: count)
    used += write(buffer + used)
  }

  /// Returns room for so many bytes, until anything else is appended; `fill` counts those put
  /// there.
  @inline(__always)
  mutating func room(for count: Int) -> UnsafeMutableRawPointer {
    makeRoom(for: count)
    return buffer + used
  }

  @inline(__always)
  mutating func fill(_ count: Int) {
    precondition(count <= capacity - used)
    used += count
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
  mutating func appendReference(_ number: UInt32) {
    append(UInt64(number), width: Self.referenceWidth)
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

  /// Returns the least width, of those that all readers know, for numbers up to this one.
  static func width(of number: UInt64) -> Int {
    number < 1 << 8 ? 1 : number < 1 << 16 ? 2 : number < 1 << 32 ? 4 : 8
  }
}
