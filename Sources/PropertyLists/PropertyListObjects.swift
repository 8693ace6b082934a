/// New objects of a property list, in the form that they have in the file; containers hold
/// references of four bytes here.
///
/// PERF: blocks that stay where they are; one array that grew to the size of the file was copied at
/// each doubling, a fifth of the time that a first refresh took to save.
final class PropertyListObjects {
  // PERF: unchecked, for no method calls back into this object; the checks at run time took a tenth
  // of a first refresh's save.
  @exclusivity(unchecked) private var blocks: [UnsafeMutableRawBufferPointer] = []
  @exclusivity(unchecked) private var used = 0

  private static let blockSize = 1 << 20
  private static let offsetBits = 40

  deinit {
    for block in blocks { block.deallocate() }
  }

  /// Room for one object; says where it is.
  func begin(atMost count: Int) -> Int {
    if blocks.last.map({ count > $0.count - used }) ?? true {
      blocks.append(.allocate(byteCount: max(count, Self.blockSize), alignment: 16))
      used = 0
    }
    return (blocks.count - 1) << Self.offsetBits | used
  }

  /// The block of an object, and where in it the object begins.
  func location(of object: Int) -> (UnsafeRawBufferPointer, Int) {
    let offset = object & (1 << Self.offsetBits - 1)
    return (UnsafeRawBufferPointer(blocks[object >> Self.offsetBits]), offset)
  }

  /// Appends the last `width` bytes of a number, most significant first.
  func append(bigEndian number: UInt64, width: Int) {
    guard let block = blocks.last else { return }
    for position in 0..<width {
      block[used + position] = UInt8(
        truncatingIfNeeded: number >> UInt64(8 * (width - 1 - position))
      )
    }
    used += width
  }

  func append(_ byte: UInt8) {
    append(bigEndian: UInt64(byte), width: 1)
  }

  func append(_ bytes: UnsafeRawBufferPointer) {
    guard let block = blocks.last, !bytes.isEmpty else { return }
    UnsafeMutableRawBufferPointer(rebasing: block[used...]).copyMemory(from: bytes)
    used += bytes.count
  }

  /// A marker with its count, in an integer of its own from 15 on.
  func append(marker: UInt8, count: Int) {
    guard count >= 15 else { return append(marker | UInt8(count)) }
    append(marker | 0x0f)
    append(integer: UInt64(count))
  }

  /// An integer that is not negative, in the smallest width.
  func append(integer number: UInt64) {
    let power = number < 1 << 8 ? 0 : number < 1 << 16 ? 1 : number < 1 << 32 ? 2 : 3
    append(0x10 | UInt8(power))
    append(bigEndian: number, width: 1 << power)
  }

  // MARK: Values

  /// Adds anything but a container; says where it is.
  func add(_ value: PropertyListValue) -> Int {
    switch value {
    case .string(let text): return add(text)
    case .data(let bytes):
      let start = begin(atMost: bytes.count + 10)
      append(marker: 0x40, count: bytes.count)
      bytes.withUnsafeBytes { append($0) }
      return start
    default:
      let start = begin(atMost: 17)
      append(number: value)
      return start
    }
  }

  private func append(number value: PropertyListValue) {
    switch value {
    case .boolean(let flag): append(flag ? 0x09 : 0x08)
    case .integer(let number) where number >= 0: append(integer: UInt64(number))
    case .integer(let number): append(0x13, UInt64(bitPattern: number))
    case .unsigned(let number):
      append(0x14, 0)
      append(bigEndian: number, width: 8)
    case .real(let number): append(0x23, number.bitPattern)
    case .date(let seconds): append(0x33, (seconds.isFinite ? seconds : 0).bitPattern)
    case .uid(let number):
      let width = number < 1 << 8 ? 1 : number < 1 << 16 ? 2 : number < 1 << 32 ? 4 : 8
      append(0x80 | UInt8(width - 1))
      append(bigEndian: number, width: width)
    case .string, .data, .array, .dictionary: break
    }
  }

  private func append(_ marker: UInt8, _ number: UInt64) {
    append(marker)
    append(bigEndian: number, width: 8)
  }

  private func add(_ text: String) -> Int {
    var text = text
    return text.withUTF8 { bytes in
      if Self.isASCII(bytes) {
        let start = begin(atMost: bytes.count + 10)
        append(marker: 0x50, count: bytes.count)
        append(UnsafeRawBufferPointer(bytes))
        return start
      }
      return addUTF16(bytes)
    }
  }

  /// PERF: eight bytes at a time.
  private static func isASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    let raw = UnsafeRawBufferPointer(bytes)
    var position = 0
    while position + 8 <= raw.count {
      let word = raw.loadUnaligned(fromByteOffset: position, as: UInt64.self)
      if word & 0x8080_8080_8080_8080 != 0 { return false }
      position += 8
    }
    return raw[position...].allSatisfy { $0 < 0x80 }
  }

  /// PERF: UTF-8 is decoded here: a string's own view of UTF-16 takes four times as long.
  private func addUTF16(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    // A scalar of four bytes is two units; every other byte that leads is one.
    let count = bytes.reduce(0) { $0 + ($1 & 0xc0 == 0x80 ? 0 : $1 >= 0xf0 ? 2 : 1) }
    let start = begin(atMost: 2 * count + 10)
    append(marker: 0x60, count: count)
    var position = 0
    while position < bytes.count {
      let scalar = Self.scalar(bytes, at: &position)
      if scalar < 0x1_0000 {
        append(bigEndian: UInt64(scalar), width: 2)
      } else {
        append(bigEndian: UInt64(0xd800 + (scalar - 0x1_0000) >> 10), width: 2)
        append(bigEndian: UInt64(0xdc00 + (scalar - 0x1_0000) & 0x3ff), width: 2)
      }
    }
    return start
  }

  /// The scalar that begins at a position of valid UTF-8.
  private static func scalar(_ bytes: UnsafeBufferPointer<UInt8>, at position: inout Int) -> UInt32
  {
    let lead = bytes[position]
    let length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4
    var scalar = UInt32(length == 1 ? lead : lead & (0xff >> UInt8(length + 1)))
    for next in bytes[(position + 1)..<(position + length)] {
      scalar = scalar << 6 | UInt32(next & 0x3f)
    }
    position += length
    return scalar
  }
}
