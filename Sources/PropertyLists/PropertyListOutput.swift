/// The bytes of a property list on their way to a sink, and where its objects begin.
///
/// PERF: bytes go straight into one buffer; appended to an array one by one, they took half of the
/// time that saving takes.
final class PropertyListOutput {
  let referenceWidth: Int
  private(set) var offsets: [UInt64] = []
  private var buffer: UnsafeMutableRawBufferPointer
  private var used = 0
  private var flushed = 0

  private static let pieceSize = 1 << 20

  init(referenceWidth: Int, objects: Int) {
    self.referenceWidth = referenceWidth
    offsets.reserveCapacity(objects)
    buffer = .allocate(byteCount: Self.pieceSize + 65_536, alignment: 16)
    for byte in "bplist00".utf8 { append(UInt64(byte), width: 1) }
  }

  deinit {
    buffer.deallocate()
  }

  /// Bytes so far.
  var position: Int { flushed + used }
  var isFull: Bool { used >= Self.pieceSize }

  func beginObject() {
    offsets.append(UInt64(position))
  }

  func append(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) {
    makeRoom(for: range.count)
    let piece = UnsafeRawBufferPointer(rebasing: bytes[range])
    UnsafeMutableRawBufferPointer(rebasing: buffer[used...]).copyMemory(from: piece)
    used += range.count
  }

  /// Appends the last `width` bytes of a number, most significant first.
  func append(_ number: UInt64, width: Int) {
    makeRoom(for: width)
    for position in 0..<width {
      buffer[used + position] = UInt8(
        truncatingIfNeeded: number >> UInt64(8 * (width - 1 - position))
      )
    }
    used += width
  }

  func appendReference(_ number: UInt64) {
    append(number, width: referenceWidth)
  }

  func flush<E: Error>(to sink: (UnsafeRawBufferPointer) throws(E) -> Void) throws(E) {
    try sink(UnsafeRawBufferPointer(rebasing: buffer[..<used]))
    flushed += used
    used = 0
  }

  private func makeRoom(for count: Int) {
    guard count > buffer.count - used else { return }
    let larger = UnsafeMutableRawBufferPointer.allocate(
      byteCount: 2 * (used + count),
      alignment: 16,
    )
    larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[..<used]))
    buffer.deallocate()
    buffer = larger
  }
}
