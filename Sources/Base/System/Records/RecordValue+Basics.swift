extension Bool: RecordValue {
  package static var blank: Bool { false }

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    self = coder.code(flag: self)
  }
}

extension Date: RecordValue {
  package static var blank: Date { Date(timeIntervalSinceReferenceDate: 0) }

  /// The years 1 to 9999, in seconds since 2001.
  package static let recordedSeconds = -63_113_904_000.0...252_423_993_599.0

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    var seconds = timeIntervalSinceReferenceDate
    coder.code(&seconds, in: Self.recordedSeconds)
    self = Date(timeIntervalSinceReferenceDate: seconds)
  }
}

extension Duration: RecordValue {
  package static var blank: Duration { .zero }

  private static let century = 3_155_760_000

  /// Codes whole nanoseconds of at most a century, either way.
  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    let (seconds, attoseconds) = components
    let isLong = abs(seconds) >= Self.century
    var number = isLong ? Int(seconds.signum()) * Self.century : Int(seconds)
    number = number * 1_000_000_000 + (isLong ? 0 : Int(attoseconds / 1_000_000_000))
    coder.code(&number, in: -Self.century * 1_000_000_000...Self.century * 1_000_000_000)
    self = .nanoseconds(Int64(number))
  }
}

extension Optional: RecordValue where Wrapped: RecordValue {
  package static var blank: Wrapped? { nil }

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    guard coder.code(flag: self != nil) else {
      self = nil
      return
    }
    var value = self ?? Wrapped.blank
    value.code(with: &coder)
    self = value
  }
}

extension Result: RecordValue where Success: RecordValue, Failure: RecordValue {
  package static var blank: Self { .failure(.blank) }

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    var (value, error): (Success?, Failure?) = (nil, nil)
    switch self {
    case .success(let own): value = own
    case .failure(let own): error = own
    }
    coder.code(&value)
    coder.code(&error)
    guard let result = value.map(Self.success) ?? error.map(Self.failure) else {
      return coder.fail()
    }
    self = result
  }
}

extension Array: RecordValue where Element: RecordValue {
  package static var blank: [Element] { [] }

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    coder.code(&self, blank: Element.blank) { $0.code(&$1) }
  }
}

extension RecordCoder {
  /// Codes a dictionary of the keeper's own words.
  package mutating func code<Value>(
    _ dictionary: inout [String: Value],
    _ code: (inout Self, inout [Value]) -> Void,
  ) {
    var names = Array(dictionary.keys)
    var values = Array(dictionary.values)
    self.code(&names, .own)
    code(&self, &values)
    guard names.count == values.count else { return fail() }
    dictionary = Dictionary(zip(names, values)) { first, _ in first }
  }
}
