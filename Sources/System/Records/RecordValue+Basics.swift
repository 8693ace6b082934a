extension Int: RecordValue {
  package static var blank: Int { 0 }

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    coder.code(&self)
  }
}

extension Int64: RecordValue {
  package static var blank: Int64 { 0 }

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    self = Int64(coder.code(constant: Int(self)))
  }
}

extension Int32: RecordValue {
  package static var blank: Int32 { 0 }

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    self = Int32(truncatingIfNeeded: coder.code(constant: Int(self)))
  }
}

extension Bool: RecordValue {
  package static var blank: Bool { false }

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    self = coder.code(constant: self ? 1 : 0) == 1
  }
}

extension Double: RecordValue {
  package static var blank: Double { 0 }

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    let bits = coder.code(constant: Int(bitPattern: UInt(bitPattern)))
    self = Double(bitPattern: UInt64(UInt(bitPattern: bits)))
  }
}

extension String: RecordValue {
  package static var blank: String { "" }

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    // Texts are packed as safe lines or blocks of them; URLs and words of others may hold anything.
    var isSafe = true
    coder.code(
      &self,
      { text, body in
        var text = text
        text.withUTF8 { bytes in
          guard Self.hasControls(bytes) else { return body(UnsafeRawBufferPointer(bytes)) }
          bytes.map { Self.isControl($0) ? UInt8(ascii: " ") : $0 }.withUnsafeBytes(body)
        }
      },
      { bytes in
        isSafe = !Self.hasControls(bytes.bindMemory(to: UInt8.self))
        return String(decoding: bytes, as: UTF8.self)
      },
    )
    if !isSafe { coder.fail() }
  }

  // PERF: a loop without an early end takes many bytes at a time.
  private static func hasControls(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var hasControls = false
    for byte in bytes { hasControls = isControl(byte) || hasControls }
    return hasControls
  }

  private static func isControl(_ byte: UInt8) -> Bool {
    byte < 0x20 && byte != UInt8(ascii: "\t") && byte != UInt8(ascii: "\n") || byte == 0x7f
  }
}

extension Date: RecordValue {
  package static var blank: Date { Date(timeIntervalSinceReferenceDate: 0) }

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    let seconds = coder.code(constant: timeIntervalSinceReferenceDate)
    if seconds.isFinite {
      self = Date(timeIntervalSinceReferenceDate: seconds)
    } else {
      coder.fail()
    }
  }
}

extension Duration: RecordValue {
  package static var blank: Duration { .zero }

  /// Codes whole nanoseconds, up to 292 years.
  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    let parts = components
    let (product, isLong) = parts.seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let limit = Int64.max - 1_000_000_000
    let own = isLong || product > limit ? limit : product + parts.attoseconds / 1_000_000_000
    self = .nanoseconds(coder.code(constant: Int64(own)))
  }
}

extension Optional: RecordValue where Wrapped: RecordValue {
  package static var blank: Wrapped? { nil }

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    guard coder.code(constant: self != nil) else {
      self = nil
      return
    }
    var value: Wrapped = self ?? Wrapped.blank
    value.code(with: &coder)
    self = value
  }
}

extension Array: RecordValue where Element: RecordValue {
  package static var blank: [Element] { [] }

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    let count = coder.code(constant: count)
    guard coder.isReading else {
      for var element in self { coder.code(&element) }
      return
    }
    self = []
    // A reader fails where the bytes end, whatever they say of the count.
    while self.count < count, !coder.hasFailed { append(coder.code(constant: .blank)) }
  }
}

extension Dictionary: RecordValue where Key == String, Value: RecordValue {
  package static var blank: [String: Value] { [:] }

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    let names = coder.code(constant: Array(keys))
    let values = coder.code(constant: names.map { name -> Value in self[name] ?? Value.blank })
    guard names.count == values.count else { return coder.fail() }
    self = Dictionary(zip(names, values)) { first, _ in first }
  }
}
