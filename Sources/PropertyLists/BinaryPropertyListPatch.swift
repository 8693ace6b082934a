/// A binary property list that differs from an existing one in a few elements of its top-level array.
///
/// Every object keeps its number and its place. What is new stands behind all of them, and the array
/// refers to it; what nothing refers to any more stays where it is, so that a list which is patched
/// again and again has to be written anew now and then.
///
/// PERF: the old list goes out as it is, in a few large pieces: 1/20 of the work of
/// `BinaryPropertyListWriter`, which gives every object a new number.
package struct BinaryPropertyListPatch {
  private let reader: BinaryPropertyListReader
  private let arrayEnd: Int
  private let arrayContent: Int
  /// The array's references.
  private var references: [UInt8]
  /// The new objects, and where each begins among them.
  private var objects: [UInt8] = []
  private var offsets: [Int] = []

  private static let pieceSize = 4 << 20

  /// nil for a list that cannot be patched: its top-level object is no array, or shares its bytes
  /// with another object.
  package init?(of reader: BinaryPropertyListReader) throws(PropertyListError) {
    self.reader = reader
    let array = try reader.object(reader.root)
    guard array.kind == .array, array.size > 0 else { return nil }
    arrayContent = array.content
    arrayEnd = array.content + array.size
    guard try Self.isAlone(array, in: reader) else { return nil }
    references = Array(reader.buffer[array.content..<arrayEnd])
  }

  /// Whether no other object begins in the array, and the one before it ends before it.
  private static func isAlone(
    _ array: RawObject,
    in reader: BinaryPropertyListReader,
  ) throws(PropertyListError) -> Bool {
    let layout = reader.layout
    let end = array.content + array.size
    var (before, last) = (0, 0)
    for object in 0..<layout.count where object != reader.root {
      let entry = layout.tableStart + object * layout.offsetWidth
      let offset = bigEndian(layout.buffer, at: entry, width: layout.offsetWidth)
      if offset >= array.start, offset < end { return false }
      if offset < array.start, offset > before { (before, last) = (Int(offset), object) }
    }
    reader.bytes.rest()
    guard before > 0 else { return true }
    let neighbour = try layout.object(last)
    return neighbour.content + neighbour.size <= array.start
  }

  /// Bytes that stand behind the array: in a list that this program wrote whole there are none, for
  /// the array comes last.
  package var patchedSize: Int { reader.layout.tableStart - arrayEnd + objects.count }

  /// The number of objects, old and new.
  private var count: Int { reader.count + offsets.count }

  /// Whether the numbers and places fit the widths that the list has.
  package var fits: Bool {
    Self.fits(count - 1, width: reader.layout.referenceWidth)
      && Self.fits(reader.layout.tableStart + objects.count, width: reader.layout.offsetWidth)
  }

  private static func fits(_ number: Int, width: Int) -> Bool {
    width >= 8 || number < 1 << (8 * width)
  }

  // MARK: New objects

  /// Adds a boolean; returns its number.
  package mutating func add(_ flag: Bool) -> Int {
    begin([flag ? 0x09 : 0x08])
  }

  /// Adds a string of at most 14 ASCII characters.
  package mutating func add(_ text: StaticString) -> Int {
    let bytes = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    precondition(text.isASCII && bytes.count < 15)
    return begin([0x50 | UInt8(bytes.count)] + bytes)
  }

  /// Adds a dictionary of old and new objects.
  package mutating func add(keys: [Int], values: [Int]) -> Int {
    var bytes: [UInt8] = []
    if keys.count < 15 {
      bytes.append(0xd0 | UInt8(keys.count))
    } else {
      bytes += [0xdf, 0x12] + Self.bytes(keys.count, width: 4)
    }
    for object in keys + values {
      bytes += Self.bytes(object, width: reader.layout.referenceWidth)
    }
    return begin(bytes)
  }

  private mutating func begin(_ bytes: [UInt8]) -> Int {
    offsets.append(objects.count)
    objects += bytes
    return count - 1
  }

  /// Puts an object in an element's place.
  package mutating func replaceElement(at position: Int, by object: Int) {
    let width = reader.layout.referenceWidth
    let bytes = Self.bytes(object, width: width)
    references.replaceSubrange(position * width..<(position + 1) * width, with: bytes)
  }

  private static func bytes(_ number: Int, width: Int) -> [UInt8] {
    (0..<width).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }

  // MARK: The way out

  /// Hands over the list in pieces.
  ///
  /// - Throws: what the sink throws.
  package func write<E: Error>(
    to sink: (UnsafeRawBufferPointer) throws(E) -> Void
  ) throws(E) {
    precondition(fits, "the widths do not suffice")
    let layout = reader.layout
    try pass(0..<arrayContent, to: sink)
    try Self.pass(references, to: sink)
    try pass(arrayEnd..<layout.tableStart, to: sink)
    try Self.pass(objects, to: sink)
    let tableEnd = layout.tableStart + layout.count * layout.offsetWidth
    try pass(layout.tableStart..<tableEnd, to: sink)
    try Self.pass(offsets.flatMap { place($0) } + trailer, to: sink)
  }

  private func place(_ offset: Int) -> [UInt8] {
    Self.bytes(reader.layout.tableStart + offset, width: reader.layout.offsetWidth)
  }

  private var trailer: [UInt8] {
    let layout = reader.layout
    let widths = [UInt8(layout.offsetWidth), UInt8(layout.referenceWidth)]
    let numbers = [count, reader.root, layout.tableStart + objects.count]
    return [0, 0, 0, 0, 0, 0] + widths + numbers.flatMap { Self.bytes($0, width: 8) }
  }

  /// Hands over a part of the old list.
  private func pass<E: Error>(
    _ range: Range<Int>,
    to sink: (UnsafeRawBufferPointer) throws(E) -> Void,
  ) throws(E) {
    var start = range.lowerBound
    while start < range.upperBound {
      let end = min(start + Self.pieceSize, range.upperBound)
      try sink(UnsafeRawBufferPointer(rebasing: reader.buffer[start..<end]))
      reader.bytes.rest()
      start = end
    }
  }

  private static func pass<E: Error>(
    _ bytes: [UInt8],
    to sink: (UnsafeRawBufferPointer) throws(E) -> Void,
  ) throws(E) {
    guard !bytes.isEmpty else { return }
    let result = bytes.withUnsafeBytes { all -> Result<Void, E> in
      do throws(E) { return .success(try sink(all)) } catch { return .failure(error) }
    }
    try result.get()
  }
}
