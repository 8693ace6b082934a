internal import PropertyLists

struct PropertyListCoding<Value: Sendable>: Sendable {
  let decode: @Sendable (PropertyListValue) -> Value?
  let encode: @Sendable (Value) -> PropertyListValue

  init(
    decode: @escaping @Sendable (PropertyListValue) -> Value?,
    encode: @escaping @Sendable (Value) -> PropertyListValue,
  ) {
    (self.decode, self.encode) = (decode, encode)
  }

  func accepting(_ isSound: @escaping @Sendable (Value) -> Bool) -> Self {
    Self(decode: { decode($0).flatMap { isSound($0) ? $0 : nil } }, encode: encode)
  }

  func map<Other>(
    _ make: @escaping @Sendable (Value) -> Other?,
    back: @escaping @Sendable (Other) -> Value,
  ) -> PropertyListCoding<Other> {
    PropertyListCoding<Other>(
      decode: { decode($0).flatMap(make) },
      encode: { encode(back($0)) },
    )
  }

  /// An array that is understood as a whole or not at all.
  static func array<Element>(
    of element: PropertyListCoding<Element>
  ) -> Self where Value == [Element] {
    Self(
      decode: { value in
        guard let values = value.array else { return nil }
        let elements = values.compactMap(element.decode)
        return elements.count == values.count ? elements : nil
      },
      encode: { .array($0.map(element.encode)) },
    )
  }

  /// An array, without the elements that are not understood.
  static func list<Element>(
    of element: PropertyListCoding<Element>
  ) -> Self where Value == [Element] {
    Self(
      decode: { $0.array?.compactMap(element.decode) },
      encode: { .array($0.map(element.encode)) },
    )
  }

  static func dictionary(_ table: PropertyListTable<Value>) -> Self {
    Self(
      decode: { $0.dictionary.flatMap(table.contents) },
      encode: { .dictionary(table.dictionary($0)) },
    )
  }

  /// An array of dictionaries that hold the keys of these values under `name`.
  static func list<Element>(
    of table: PropertyListTable<Element>,
    by name: String,
  ) -> Self where Value == [String: Element] {
    Self(
      decode: { value in
        value.array?.compactMap(\.dictionary).reduce(into: [:]) { values, dictionary in
          guard let key = dictionary[name]?.string else { return }
          if let element = table.contents(dictionary) { values[key] = element }
        }
      },
      encode: { values in
        let sorted = values.sorted { $0.key < $1.key }
        return .array(
          sorted.map { .dictionary(table.dictionary($1, over: [name: .string($0)])) }
        )
      },
    )
  }

  /// A dictionary with any keys, written in their order, without values that are not understood.
  static func dictionary<Element>(
    of element: PropertyListCoding<Element>
  ) -> Self where Value == [String: Element] {
    Self(
      decode: { value in
        value.dictionary?.entries.reduce(into: [:]) { $0[$1.key] = element.decode($1.value) }
      },
      encode: { values in
        let sorted = values.sorted { $0.key < $1.key }
        return .dictionary(
          sorted.reduce(into: [:]) { $0.append($1.key, element.encode($1.value)) }
        )
      },
    )
  }
}

extension PropertyListCoding where Value == PropertyListValue {
  static var value: Self { Self(decode: { $0 }, encode: { $0 }) }
}

extension PropertyListCoding where Value == String {
  static var string: Self { Self(decode: \.string, encode: { .string($0) }) }
}

extension PropertyListCoding where Value == [String] {
  static var strings: Self { .list(of: .string) }
}

extension PropertyListCoding where Value == [UInt8] {
  static var data: Self {
    Self(decode: { if case .data(let bytes) = $0 { bytes } else { nil } }, encode: { .data($0) })
  }
}

extension PropertyListCoding where Value == Bool {
  static var boolean: Self { Self(decode: \.boolean, encode: { .boolean($0) }) }
}

extension PropertyListCoding where Value: RawRepresentable, Value.RawValue == String {
  static var word: Self {
    PropertyListCoding<String>.string.map({ Value(rawValue: $0) }, back: { $0.rawValue })
  }
}
