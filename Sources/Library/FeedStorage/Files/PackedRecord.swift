/// A record of fixed fields in a file of such records; one list of fields reads and writes it.
protocol PackedRecord {
  init()

  mutating func visit(_ fields: inout PackedFields)
}

/// The fields of packed records: numbers of their own widths, the most significant byte first.
struct PackedFields {
  private let source: UnsafeRawBufferPointer?
  private var offset = 0
  private var isCut = false
  private var bytes: [UInt8] = []

  mutating func callAsFunction<Number: FixedWidthInteger>(_ number: inout Number) {
    guard let source else {
      withUnsafeBytes(of: number.bigEndian) { bytes += $0 }
      return
    }
    let end = offset + MemoryLayout<Number>.size
    guard end <= source.count else {
      isCut = true
      return
    }
    number = Number(bigEndian: source.loadUnaligned(fromByteOffset: offset, as: Number.self))
    offset = end
  }

  /// Reads records; returns false if the last one is cut short, which `body` does not get.
  static func forEach<Record: PackedRecord, Failure>(
    _ bytes: UnsafeRawBufferPointer,
    _ body: (Record) throws(Failure) -> Void,
  ) throws(Failure) -> Bool {
    var fields = PackedFields(source: bytes)
    while fields.offset < bytes.count {
      var record = Record()
      record.visit(&fields)
      guard !fields.isCut else { return false }
      try body(record)
    }
    return true
  }

  static func bytes(_ records: some Collection<some PackedRecord>) -> [UInt8] {
    var fields = PackedFields(source: nil)
    for (number, var record) in records.enumerated() {
      record.visit(&fields)
      // Nearly all records are as long as the first.
      if number == 0 { fields.bytes.reserveCapacity(records.count * fields.bytes.count) }
    }
    return fields.bytes
  }

  private init(source: UnsafeRawBufferPointer?) { self.source = source }
}

extension PropertyListCoding {
  static func records<Record: PackedRecord>() -> Self where Value == [Record] {
    PropertyListCoding<[UInt8]>.data.map(
      { bytes in
        var records: [Record] = []
        let isWhole = bytes.withUnsafeBytes { bytes in
          PackedFields.forEach(bytes) { records.append($0) }
        }
        return isWhole ? records : nil
      },
      back: { PackedFields.bytes($0) },
    )
  }
}

extension UInt64: PackedRecord {
  mutating func visit(_ fields: inout PackedFields) { fields(&self) }
}
