/// The loops that see every byte of every document.
///
/// PERF: sixteen bytes a step and one branch a step; without it they cost as much as libxml2
/// itself.
@usableFromInline package enum ByteScan {
  @usableFromInline typealias Vector = SIMD16<UInt8>

  @inlinable @inline(__always)
  package static func first(
    of wanted: (UInt8, UInt8, UInt8),
    in bytes: UnsafeRawBufferPointer,
    from start: Int,
    to limit: Int? = nil,
  ) -> Int {
    let limit = limit ?? bytes.count
    var position = start
    while position &+ 16 <= limit {
      let block = bytes.loadUnaligned(fromByteOffset: position, as: Vector.self)
      let hits =
        (block .== Vector(repeating: wanted.0)) .| (block .== Vector(repeating: wanted.1))
        .| (block .== Vector(repeating: wanted.2))
      if let hit = firstSet(hits) { return position &+ hit }
      position &+= 16
    }
    while position < limit, bytes[position] != wanted.0, bytes[position] != wanted.1,
      bytes[position] != wanted.2
    {
      position &+= 1
    }
    return position
  }

  @inlinable
  package static func firstMarkup(
    in bytes: UnsafeBufferPointer<UInt8>,
    from start: Int,
    to limit: Int,
  ) -> Int {
    first(of: (0x3C, 0x26, 0x26), in: UnsafeRawBufferPointer(bytes), from: start, to: limit)
  }

  /// Returns the first byte from `start` on that is not ASCII or is a control character which XML
  /// forbids, or `bytes.count`.
  @inlinable @inline(__always)
  package static func firstUnusual(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    var position = start
    while position &+ 16 <= bytes.count {
      let block = bytes.loadUnaligned(fromByteOffset: position, as: Vector.self)
      // Signed, bytes from 0x80 are below the space, too.
      let low = SIMD16<Int8>(truncatingIfNeeded: block) .< SIMD16<Int8>(repeating: 0x20)
      let white =
        (block .== Vector(repeating: 0x0A)) .| (block .== Vector(repeating: 0x09))
        .| (block .== Vector(repeating: 0x0D))
      if let hit = firstSet(low .& .!white) { return position &+ hit }
      position &+= 16
    }
    while position < bytes.count, !isUnusual(bytes[position]) { position &+= 1 }
    return position
  }

  /// Says that sixteen bytes are visible ASCII without `<` and `&`, and single spaces.
  ///
  /// There has to be a byte before `position`, and sixteen from it on.
  @inlinable @inline(__always)
  package static func isLine(_ bytes: UnsafeRawBufferPointer, at position: Int) -> Bool {
    let block = bytes.loadUnaligned(fromByteOffset: position, as: Vector.self)
    let markup =
      (block .== Vector(repeating: UInt8(ascii: "<")))
      .| (block .== Vector(repeating: UInt8(ascii: "&")))
    return isNone(odd(block, in: bytes, at: position) .| markup)
  }

  /// Returns the first byte from `start` on that is not visible ASCII or a space, or `bytes.count`.
  static func firstUnseen(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    var position = start
    while position &+ 16 <= bytes.count {
      let block = bytes.loadUnaligned(fromByteOffset: position, as: Vector.self)
      if let hit = firstSet(unseen(block)) { return position &+ hit }
      position &+= 16
    }
    while position < bytes.count, 0x20..<0x7f ~= bytes[position] { position &+= 1 }
    return position
  }

  /// Marks what is not visible ASCII or a space; signed, bytes from 0x80 are below the space, too.
  @inlinable @inline(__always)
  static func unseen(_ block: Vector) -> SIMDMask<SIMD16<Int8>> {
    (SIMD16<Int8>(truncatingIfNeeded: block) .< SIMD16<Int8>(repeating: 0x20))
      .| (block .== Vector(repeating: 0x7F))
  }

  /// Says that sixteen bytes are plain in a URL, and no dot follows a slash.
  ///
  /// There has to be a byte before `position`.
  static func isPlainInURL(_ bytes: UnsafeRawBufferPointer, at position: Int) -> Bool {
    let block = bytes.loadUnaligned(fromByteOffset: position, as: Vector.self)
    let before = bytes.loadUnaligned(fromByteOffset: position &- 1, as: Vector.self)
    // Signed, bytes from 0x80 are below the space, too.
    let low = SIMD16<Int8>(truncatingIfNeeded: block) .< SIMD16<Int8>(repeating: 0x21)
    let high = (block .>= Vector(repeating: 0x7B)) .& (block .!= Vector(repeating: 0x7E))
    let signs =
      (block .== Vector(repeating: 0x22)) .| (block .== Vector(repeating: 0x3C))
      .| (block .== Vector(repeating: 0x3E)) .| (block .== Vector(repeating: 0x5C))
      .| (block .== Vector(repeating: 0x5E)) .| (block .== Vector(repeating: 0x60))
    let dots =
      (block .== Vector(repeating: UInt8(ascii: "."))) .& (before .== Vector(repeating: 0x2F))
    return isNone(low .| high .| signs .| dots)
  }

  /// Says that a text of more than sixteen bytes is visible ASCII with single spaces inside.
  static func isLine(_ text: UnsafeRawBufferPointer) -> Bool {
    guard text.count > 16, text[0] > 0x20, text[text.count - 1] != 0x20 else { return false }
    // The last sixteen bytes may have been seen before.
    let last = text.count &- 16
    var position = 1
    while position < last {
      let block = text.loadUnaligned(fromByteOffset: position, as: Vector.self)
      guard isNone(odd(block, in: text, at: position)) else { return false }
      position &+= 16
    }
    let block = text.loadUnaligned(fromByteOffset: last, as: Vector.self)
    return text[0] < 0x7F && isNone(odd(block, in: text, at: last))
  }

  /// Marks what is not visible ASCII, and the second of two spaces.
  @inlinable @inline(__always)
  static func odd(
    _ block: Vector,
    in bytes: UnsafeRawBufferPointer,
    at position: Int,
  ) -> SIMDMask<SIMD16<Int8>> {
    let before = bytes.loadUnaligned(fromByteOffset: position &- 1, as: Vector.self)
    let space = Vector(repeating: 0x20)
    return unseen(block) .| ((block .== space) .& (before .== space))
  }

  @inlinable @inline(__always)
  static func isNone(_ mask: SIMDMask<SIMD16<Int8>>) -> Bool {
    let words = unsafeBitCast(mask, to: SIMD2<UInt64>.self)
    return words[0] | words[1] == 0
  }

  @inlinable
  package static func first(
    _ byte: UInt8,
    in bytes: UnsafeRawBufferPointer,
    from start: Int,
  ) -> Int? {
    guard start < bytes.count, let base = bytes.baseAddress else { return nil }
    return memchr(base + start, CInt(byte), bytes.count - start).map { UnsafeRawPointer($0) - base }
  }

  /// Finds a mark in any case of its letters; its first byte is compared as it stands.
  package static func first(
    _ mark: StaticString,
    in bytes: UnsafeRawBufferPointer,
    from start: Int,
  ) -> Int? {
    var candidate = first(mark.utf8Start[0], in: bytes, from: start)
    while let offset = candidate, !bytes.hasASCII(mark, at: offset) {
      candidate = first(mark.utf8Start[0], in: bytes, from: offset + 1)
    }
    return candidate
  }

  @inlinable @inline(__always)
  static func firstSet(_ mask: SIMDMask<SIMD16<Int8>>) -> Int? {
    let words = unsafeBitCast(mask, to: SIMD2<UInt64>.self)
    guard words[0] | words[1] != 0 else { return nil }
    return words[0] != 0
      ? UInt64(littleEndian: words[0]).trailingZeroBitCount / 8
      : 8 &+ UInt64(littleEndian: words[1]).trailingZeroBitCount / 8
  }

  @inlinable @inline(__always)
  static func isUnusual(_ byte: UInt8) -> Bool {
    byte >= 0x80 || (byte < 0x20 && byte != 0x0A && byte != 0x09 && byte != 0x0D)
  }
}

extension UnsafeRawBufferPointer {
  @inlinable @inline(__always)
  package func isASCII(_ text: StaticString) -> Bool {
    guard count == text.utf8CodeUnitCount else { return false }
    for index in 0..<count where self[index] != text.utf8Start[index] { return false }
    return true
  }

  @inlinable
  package func hasASCII(_ text: StaticString, at offset: Int) -> Bool {
    guard count - offset >= text.utf8CodeUnitCount else { return false }
    for index in 0..<text.utf8CodeUnitCount {
      let (byte, wanted) = (self[offset + index], text.utf8Start[index])
      if byte.asciiLowercased != wanted.asciiLowercased { return false }
    }
    return true
  }
}
