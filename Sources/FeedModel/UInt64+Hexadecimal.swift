extension UInt64 {
  /// Its sixteen lower-case hexadecimal digits.
  package var hexadecimal: String {
    String(unsafeUninitializedCapacity: 16) { digits in
      for place in 0..<16 {
        let digit = UInt8(truncatingIfNeeded: self >> UInt64(60 - 4 * place)) & 15
        digits.initializeElement(at: place, to: digit < 10 ? 0x30 + digit : 0x61 - 10 + digit)
      }
      return 16
    }
  }
}
