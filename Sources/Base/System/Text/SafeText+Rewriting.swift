extension SafeText {
  static func rewrite(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    // The worst case is a byte that is not UTF-8: it becomes the three of U+FFFD.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: bytes.count * 3 + 1) { output in
      var line = LineBuilder(output: output)
      var index = 0
      while index < bytes.count {
        if let word = ASCIIWord(bytes, at: index), line.append(word) {
          index += 8
          continue
        }
        if bytes[index] > 0x20, bytes[index] < 0x7F {
          line.append(visible: bytes[index])
          index += 1
          continue
        }
        if bytes[index] == 0x20 || bytes[index] == 0x0A || bytes[index] == 0x0D
          || bytes[index] == 0x09
        {
          line.append(space: bytes[index])
          index += 1
          continue
        }
        let (scalar, length) = UTF8Scalar.decode(UnsafeRawBufferPointer(bytes), at: index)
        line.append(scalar, from: bytes, at: index, length: length)
        index += length
      }
      return String(decoding: output[..<line.count], as: UTF8.self)
    }
  }
}

private struct LineBuilder {
  let output: UnsafeMutableBufferPointer<UInt8>
  private(set) var count = 0
  private var marks = 0
  private var isSpacePending = false
  /// True where the pending space is a line break in the source; of ASCII it is not known.
  private var isBreak = false

  init(output: UnsafeMutableBufferPointer<UInt8>) {
    self.output = output
  }

  mutating func append(
    _ scalar: Unicode.Scalar?,
    from bytes: UnsafeBufferPointer<UInt8>,
    at index: Int,
    length: Int,
  ) {
    switch scalar.map(ScalarRole.init) {
    case .space: (isSpacePending, isBreak) = (true, false)
    case .unwanted: break
    case .joiner: write(bytes[index..<(index + length)])
    case .mark:
      marks += 1
      if marks <= SafeText.maximumMarks { write(bytes[index..<(index + length)]) }
    case .visible:
      marks = 0
      if isSpacePending, isBreak, scalar?.isEastAsian == true, endsEastAsian {
        isSpacePending = false
      }
      write(bytes[index..<(index + length)])
    case nil:
      marks = 0
      write([0xEF, 0xBF, 0xBD])
    }
  }

  mutating func append(_ word: ASCIIWord) -> Bool {
    guard word.isClean(isAfterSpace: isSpacePending || count == 0) else { return false }
    marks = 0
    writeSpace()
    word.store(to: output, at: count)
    isSpacePending = word.endsWithSpace
    count += isSpacePending ? 7 : 8
    return true
  }

  mutating func append(space byte: UInt8) {
    isBreak = byte == 0x0A || byte == 0x0D || isSpacePending && isBreak
    isSpacePending = true
  }

  mutating func append(visible byte: UInt8) {
    marks = 0
    writeSpace()
    put(byte)
  }

  private mutating func write(_ bytes: some Collection<UInt8>) {
    writeSpace()
    for byte in bytes { put(byte) }
  }

  private mutating func writeSpace() {
    guard isSpacePending else { return }
    isSpacePending = false
    if count > 0 { put(0x20) }
  }

  private var endsEastAsian: Bool {
    let written = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(output)[..<count])
    guard let lead = written.lastIndex(where: { $0 & 0xC0 != 0x80 }) else { return false }
    return UTF8Scalar.decode(written, at: lead).0?.isEastAsian == true
  }

  private mutating func put(_ byte: UInt8) {
    output[count] = byte
    count += 1
  }
}
