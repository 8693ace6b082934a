internal import PropertyLists
internal import System

extension PropertyListCoding where Value == Date {
  static var date: Self {
    Self(decode: \.asDate, encode: { .date($0.timeIntervalSinceReferenceDate) })
  }
}

extension PropertyListCoding where Value == String {
  /// A text, decoded without its control characters.
  static var line: Self {
    Self(decode: { $0.string.map { SafeText.line($0) } }, encode: { .string($0) })
  }
}

extension PropertyListCoding where Value == Int {
  static var integer: Self { Self(decode: \.asInt, encode: { .integer(Int64($0)) }) }

  /// An integer clamped to 0...limit, so that others may calculate with it whatever the file holds.
  static func count(atMost limit: Int) -> Self {
    Self(
      decode: { $0.integer.map { Int(min(max($0, 0), Int64(limit))) } },
      encode: { .integer(Int64($0)) },
    )
  }

  static var count: Self { .count(atMost: 1 << 40) }
}

extension PropertyListCoding where Value == UInt32 {
  static var serial: Self {
    PropertyListCoding<Int>.count.map({ UInt32(clamping: $0) }, back: { Int($0) })
  }
}

extension PropertyListCoding where Value == UInt64 {
  static var time: Self {
    Self(
      decode: { $0.integer.flatMap { UInt64(exactly: $0) } },
      encode: { .integer(Int64(clamping: $0)) },
    )
  }

  static var number: Self {
    Self(
      decode: { $0.integer.map { UInt64(clamping: $0) } },
      encode: { .integer(Int64(clamping: $0)) },
    )
  }
}

extension PropertyListCoding where Value == Double {
  static var real: Self { Self(decode: \.number, encode: { .real($0) }) }
}

extension PropertyListCoding where Value == Duration {
  static var seconds: Self {
    Self(
      decode: { $0.integer.map { .seconds(min(max($0, 0), 1 << 40)) } },
      encode: { .integer($0.components.seconds) },
    )
  }
}

extension PropertyListCoding where Value == Set<String> {
  static var names: Self {
    PropertyListCoding<[String]>.strings.map({ Set($0) }, back: { $0.sorted() })
  }
}

extension PropertyListCoding where Value == Set<Int> {
  static var integers: Self {
    PropertyListCoding<[Int]>.list(of: .integer).map({ Set($0) }, back: { $0.sorted() })
  }
}

extension PropertyListCoding where Value == [UInt64] {
  /// Hashes, eight bytes each.
  static var hashes: Self { .records() }
}
