internal import PropertyLists

/// The dictionaries that hold values of one kind: a table of their keys.
struct PropertyListTable<Contents: Sendable>: Sendable {
  /// What a dictionary without any keys stands for.
  private let blank: Contents
  private let keys: [PropertyListKey<Contents>]

  init(_ blank: Contents, _ keys: [PropertyListKey<Contents>]) {
    (self.blank, self.keys) = (blank, keys)
  }

  func adding(_ keys: [PropertyListKey<Contents>]) -> Self {
    Self(blank, self.keys + keys)
  }

  /// nil for a dictionary that lacks a required key.
  func contents(_ dictionary: PropertyListDictionary) -> Contents? {
    var contents = blank
    // PERF: keys stand in the order of the table, which spares looking for each among all others.
    var place = 0
    for number in keys.indices {
      guard let index = dictionary.index(of: keys[number].name, near: place) else {
        guard keys[number].read(nil, &contents) else { return nil }
        continue
      }
      guard keys[number].read(dictionary.entries[index].value, &contents) else { return nil }
      place = index + 1
    }
    return contents
  }

  /// The contents over a dictionary whose other keys stay.
  func dictionary(
    _ contents: Contents,
    over old: PropertyListDictionary = PropertyListDictionary(),
  ) -> PropertyListDictionary {
    var (dictionary, place) = (old, 0)
    for number in keys.indices {
      let value = keys[number].write(contents, blank, old)
      if !old.entries.isEmpty {
        dictionary.set(value, for: keys[number].name, near: &place)
      } else if let value {
        dictionary.append(keys[number].name, value)
      }
    }
    return dictionary
  }
}

/// A key of the dictionaries that hold values of one kind: its name, reading and writing.
///
/// Declared once, so that nothing is written that is not read.
struct PropertyListKey<Contents: Sendable>: Sendable {
  typealias Path<Value> = any WritableKeyPath<Contents, Value> & Sendable

  let name: String
  /// Takes the key's value; false where the dictionary is none of these without it.
  private(set) var read: @Sendable (PropertyListValue?, inout Contents) -> Bool
  /// What stands under the key, given blank contents and the dictionary before; nil for nothing.
  private(set) var write: Writing

  typealias Writing =
    @Sendable (Contents, _ blank: Contents, _ old: PropertyListDictionary) -> PropertyListValue?

  /// A key that is left out where there is no value.
  init<Value>(
    _ name: String,
    _ path: Path<Value?>,
    _ coding: PropertyListCoding<Value>,
  ) {
    self.name = name
    read = { value, contents in
      if let value { contents[keyPath: path] = coding.decode(value) }
      return true
    }
    write = { contents, _, _ in contents[keyPath: path].map(coding.encode) }
  }

  /// A key that is left out where the value is the blank contents'.
  init<Value: Equatable>(
    _ name: String,
    _ path: Path<Value>,
    _ coding: PropertyListCoding<Value>,
  ) {
    self.init(name, path, always: coding)
    write = { contents, blank, _ in
      let value = contents[keyPath: path]
      return value == blank[keyPath: path] ? nil : coding.encode(value)
    }
  }

  /// A key that is always written.
  init<Value>(
    _ name: String,
    _ path: Path<Value>,
    always coding: PropertyListCoding<Value>,
  ) {
    self.name = name
    read = { value, contents in
      if let new = value.flatMap(coding.decode) { contents[keyPath: path] = new }
      return true
    }
    write = { contents, _, _ in coding.encode(contents[keyPath: path]) }
  }

  /// A key without which, and without a value that is understood, the dictionary means nothing.
  init<Value>(
    _ name: String,
    _ path: Path<Value>,
    required coding: PropertyListCoding<Value>,
  ) {
    self.init(name, path, always: coding)
    read = { value, contents in
      guard let new = value.flatMap(coding.decode) else { return false }
      contents[keyPath: path] = new
      return true
    }
  }

  /// A key that makes the dictionary mean nothing where its value is not understood.
  init<Value: Equatable>(
    _ name: String,
    _ path: Path<Value>,
    exactly coding: PropertyListCoding<Value>,
  ) {
    self.init(name, path, coding)
    read = { value, contents in
      guard let value else { return true }
      guard let new = coding.decode(value) else { return false }
      contents[keyPath: path] = new
      return true
    }
  }

  /// The same of a value that may be missing.
  init<Value>(
    _ name: String,
    _ path: Path<Value?>,
    exactly coding: PropertyListCoding<Value>,
  ) {
    self.init(name, path, coding)
    read = { value, contents in
      guard let value else { return true }
      contents[keyPath: path] = coding.decode(value)
      return contents[keyPath: path] != nil
    }
  }

  /// A dictionary inside, whose unknown keys stay; left out where it is empty.
  init<Value>(
    _ name: String,
    _ path: Path<Value>,
    in table: PropertyListTable<Value>,
  ) {
    self.name = name
    read = { value, contents in
      if let new = value?.dictionary.flatMap(table.contents) { contents[keyPath: path] = new }
      return true
    }
    write = { contents, _, old in
      let inside = table.dictionary(
        contents[keyPath: path],
        over: old[name]?.dictionary ?? PropertyListDictionary(),
      )
      return inside.entries.isEmpty ? nil : .dictionary(inside)
    }
  }

  /// The version of the form, which `PropertyListFile` checks.
  static func version(_ version: @escaping @Sendable (Contents) -> Int) -> Self {
    Self("version") { .integer(Int64(version($0))) }
  }

  /// A key of earlier versions, which goes.
  static func former(_ name: String) -> Self { Self(name) { _ in nil } }

  private init(_ name: String, _ value: @escaping @Sendable (Contents) -> PropertyListValue?) {
    self.init(name, read: { _, _ in }, write: value)
  }

  /// A key that is read where it is there.
  init(
    _ name: String,
    read: @escaping @Sendable (PropertyListValue, inout Contents) -> Void,
    write: @escaping @Sendable (Contents) -> PropertyListValue?,
  ) {
    self.name = name
    self.read = { value, contents in
      if let value { read(value, &contents) }
      return true
    }
    self.write = { contents, _, _ in write(contents) }
  }
}
