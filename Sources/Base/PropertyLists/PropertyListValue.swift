package enum PropertyListValue: Hashable, Sendable {
  case string(String)
  case integer(Int64)
  /// An integer above `Int64.max`, which property lists write in sixteen bytes.
  case unsigned(UInt64)
  case real(Double)
  case boolean(Bool)
  /// Seconds since 2001-01-01T00:00:00Z, always finite.
  case date(Double)
  case data([UInt8])
  case array([PropertyListValue])
  case dictionary(PropertyListDictionary)
  case uid(UInt64)

  package var string: String? {
    if case .string(let value) = self { value } else { nil }
  }

  package var boolean: Bool? {
    if case .boolean(let value) = self { value } else { nil }
  }

  package var integer: Int64? {
    if case .integer(let value) = self { value } else { nil }
  }

  package var date: Double? {
    if case .date(let value) = self { value } else { nil }
  }

  package var array: [PropertyListValue]? {
    if case .array(let value) = self { value } else { nil }
  }

  package var dictionary: PropertyListDictionary? {
    if case .dictionary(let value) = self { value } else { nil }
  }

  package var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .unsigned(let value): Double(value)
    case .real(let value): value
    default: nil
    }
  }
}

package struct PropertyListDictionary: Hashable, Sendable, ExpressibleByDictionaryLiteral {
  package struct Entry: Hashable, Sendable {
    package var key: String
    package var value: PropertyListValue
  }

  package private(set) var entries: [Entry] = []

  package init() {}

  package mutating func reserve(_ count: Int) {
    entries.reserveCapacity(count)
  }

  package init(dictionaryLiteral elements: (String, PropertyListValue)...) {
    entries = elements.map { Entry(key: $0, value: $1) }
  }

  /// The value of a key, the last one where a file has it twice; setting nil removes all.
  package subscript(key: String) -> PropertyListValue? {
    get { entries.last { $0.key == key }?.value }
    set {
      guard let newValue else { return entries.removeAll { $0.key == key } }
      if let index = entries.lastIndex(where: { $0.key == key }) {
        entries[index].value = newValue
      } else {
        entries.append(Entry(key: key, value: newValue))
      }
    }
  }

  /// Returns the index of a key: `start` if it is there, else that of the last entry of that name.
  package func index(of key: String, near start: Int) -> Int? {
    if start < entries.count, entries[start].key == key { return start }
    return entries.lastIndex { $0.key == key }
  }

  /// Sets a key that is expected at `start`, which is moved behind it.
  package mutating func set(_ value: PropertyListValue?, for key: String, near start: inout Int) {
    guard let index = index(of: key, near: start) else {
      if let value { append(key, value) }
      return
    }
    start = index
    guard let value else {
      entries.removeAll { $0.key == key }
      return
    }
    entries[index].value = value
    start += 1
  }

  package mutating func append(_ key: String, _ value: PropertyListValue) {
    entries.append(Entry(key: key, value: value))
  }
}
