/// How a document that was handed over compressed is wrapped.
enum CompressionFormat: Hashable, Sendable {
  case gzip
  case zlib

  /// How many first bytes decide.
  static let signatureLength = 3

  /// The format that a document's first bytes are of; nil for none.
  init?(signature bytes: some Collection<UInt8>) {
    let first = Array(bytes.prefix(Self.signatureLength))
    guard first.count >= 2 else { return nil }
    if first.count == 3, first == [0x1F, 0x8B, 0x08] {
      self = .gzip
    } else if first[0] == 0x78, [0x01, 0x5E, 0x9C, 0xDA].contains(first[1]) {
      self = .zlib
    } else {
      return nil
    }
  }

  /// No honest header is longer: an extra field of 64 KiB, a name and a comment.
  static let maximumHeaderBytes = 68 << 10

  /// The checksum, and in gzip the length after it.
  var trailerLength: Int { self == .gzip ? 8 : 4 }

  /// Reads over the header: whether it is good, or nil when it is not there as a whole.
  func readHeader(_ reader: inout BitReader) -> Bool? {
    switch self {
    case .gzip: Self.readGzipHeader(&reader)
    case .zlib: reader.take(16) == nil ? nil : true
    }
  }

  /// RFC 1952 §2.3.
  private static func readGzipHeader(_ reader: inout BitReader) -> Bool? {
    guard reader.take(24) != nil, let flags = reader.take(8), reader.take(32) != nil,
      reader.take(16) != nil
    else { return nil }
    guard flags & 0xE0 == 0 else { return false }
    if flags & 4 != 0 {
      guard let length = reader.take(16) else { return nil }
      for _ in 0..<length {
        guard reader.take(8) != nil else { return nil }
      }
    }
    for flag in [8, 16] where flags & flag != 0 {
      guard skipText(&reader) else { return nil }
    }
    return flags & 2 != 0 && reader.take(16) == nil ? nil : true
  }

  /// A file's name or a comment, ended by NUL; false when its end is not there.
  private static func skipText(_ reader: inout BitReader) -> Bool {
    while let byte = reader.take(8) {
      if byte == 0 { return true }
    }
    return false
  }
}
