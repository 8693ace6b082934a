extension BinaryPropertyListWriter {
  /// Writes the list, in pieces of about a mebibyte.
  ///
  /// - Parameters:
  ///   - root: the top-level object.
  ///   - sink: takes the pieces in order.
  /// - Throws: what the sink throws.
  package func write<E: Error>(
    root: Object,
    to sink: (UnsafeRawBufferPointer) throws(E) -> Void,
  ) throws(E) {
    var output = Output(referenceWidth: Self.width(of: UInt64(max(origins.count - 1, 0))))
    output.reserve(objects: origins.count)
    for origin in origins {
      output.beginObject()
      if origin.isFresh {
        append(fresh: origin.offset, to: &output)
      } else {
        append(copy: origin.offset, to: &output)
      }
      if output.isFull { try output.flush(to: sink) }
    }
    try finish(&output, root: root, to: sink)
  }

  /// The list as one array.
  package func bytes(root: Object) -> [UInt8] {
    var bytes: [UInt8] = []
    write(root: root) { (piece: UnsafeRawBufferPointer) in bytes.append(contentsOf: piece) }
    return bytes
  }

  private func finish<E: Error>(
    _ output: inout Output,
    root: Object,
    to sink: (UnsafeRawBufferPointer) throws(E) -> Void,
  ) throws(E) {
    let tableStart = output.position
    let offsetWidth = Self.width(of: UInt64(tableStart))
    for offset in output.offsets {
      output.pending.append(bigEndian: offset, width: offsetWidth)
      if output.isFull { try output.flush(to: sink) }
    }
    output.pending += [0, 0, 0, 0, 0, 0, UInt8(offsetWidth), UInt8(output.referenceWidth)]
    output.pending.append(bigEndian: UInt64(origins.count), width: 8)
    output.pending.append(bigEndian: number(of: root), width: 8)
    output.pending.append(bigEndian: UInt64(tableStart), width: 8)
    try output.flush(to: sink)
  }

  private func append(fresh start: Int, to output: inout Output) {
    fresh.withUnsafeBytes { bytes in
      let (count, content) = Self.count(at: start, in: bytes)
      let container = bytes[start] >> 4
      guard container == 0xa || container == 0xd else {
        output.append(bytes[start..<content + Self.size(of: bytes[start], count: count)])
        return
      }
      output.append(bytes[start..<content])
      let references = container == 0xd ? 2 * count : count
      for position in 0..<references {
        output.append(reference: bigEndian(bytes, at: content + 4 * position, width: 4))
      }
    }
  }

  /// Copies an object that was checked when it was marked.
  private func append(copy start: Int, to output: inout Output) {
    guard let source else { return }
    let bytes = source.bytes.buffer
    let (count, content) = Self.count(at: start, in: bytes)
    let container = bytes[start] >> 4
    guard container == 0xa || container == 0xd else {
      output.append(bytes[start..<content + Self.size(of: bytes[start], count: count)])
      return
    }
    output.append(bytes[start..<content])
    let references = container == 0xd ? 2 * count : count
    for position in 0..<references {
      let old = bigEndian(
        bytes,
        at: content + position * source.referenceWidth,
        width: source.referenceWidth,
      )
      output.append(reference: destination(of: Int(old)))
    }
  }

  /// The count of an object, and where its content begins.
  private static func count(at start: Int, in bytes: UnsafeRawBufferPointer) -> (Int, Int) {
    let marker = bytes[start]
    guard marker & 0x0f == 0x0f, (0x4...0xd).contains(marker >> 4), marker >> 4 != 8 else {
      return (Int(marker & 0x0f), start + 1)
    }
    let width = 1 << Int(bytes[start + 1] & 0x0f)
    return (Int(bigEndian(bytes, at: start + 2, width: width)), start + 2 + width)
  }

  /// Bytes behind the marker and the count of anything but a container.
  private static func size(of marker: UInt8, count: Int) -> Int {
    switch marker >> 4 {
    case 0x0: 0
    case 0x1, 0x2, 0x3: 1 << Int(marker & 0x0f)
    case 0x6: 2 * count
    case 0x8: Int(marker & 0x0f) + 1
    default: count
    }
  }

  /// The least width for numbers up to this one; one of those that all readers know.
  private static func width(of number: UInt64) -> Int {
    number < 1 << 8 ? 1 : number < 1 << 16 ? 2 : number < 1 << 32 ? 4 : 8
  }
}

/// What is on its way to the sink.
private struct Output {
  let referenceWidth: Int
  var offsets: [UInt64] = []
  var pending: [UInt8] = Array("bplist00".utf8)
  private var flushed = 0

  init(referenceWidth: Int) {
    self.referenceWidth = referenceWidth
    pending.reserveCapacity(Self.pieceSize + 65_536)
  }

  private static let pieceSize = 1 << 20

  mutating func reserve(objects: Int) {
    offsets.reserveCapacity(objects)
  }

  /// Bytes so far.
  var position: Int { flushed + pending.count }
  var isFull: Bool { pending.count >= Self.pieceSize }

  mutating func beginObject() {
    offsets.append(UInt64(position))
  }

  mutating func append(_ bytes: Slice<UnsafeRawBufferPointer>) {
    pending.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes))
  }

  mutating func append(reference: UInt64) {
    pending.append(bigEndian: reference, width: referenceWidth)
  }

  mutating func flush<E: Error>(to sink: (UnsafeRawBufferPointer) throws(E) -> Void) throws(E) {
    flushed += pending.count
    // withUnsafeBytes does not carry typed throws.
    let result = pending.withUnsafeBytes { bytes -> Result<Void, E> in
      do throws(E) { return .success(try sink(bytes)) } catch { return .failure(error) }
    }
    try result.get()
    pending.removeAll(keepingCapacity: true)
  }
}
