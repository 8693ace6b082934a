internal import PropertyLists

/// The dictionaries that hold values of one kind: a table of their keys.
struct PropertyListTable<Contents: Sendable>: Sendable {
  /// What a dictionary without any keys stands for.
  private let blank: Contents
  private let keys: [PropertyListKey<Contents>]

  init(_ blank: Contents, _ keys: [PropertyListKey<Contents>]) {
    (self.blank, self.keys) = (blank, keys)
  }

  var names: [String] { keys.map(\.name) }

  func adding(_ keys: [PropertyListKey<Contents>]) -> Self {
    Self(blank, self.keys + keys)
  }

  /// nil for a dictionary that lacks a required key.
  func contents(_ dictionary: PropertyListDictionary) -> Contents? {
    let slots = slots(of: dictionary)
    var contents = blank
    for number in keys.indices {
      guard let value = slots[number].map({ dictionary.entries[$0].value }) else {
        if keys[number].isRequired { return nil }
        continue
      }
      guard keys[number].read(value, &contents) else { return nil }
    }
    return contents
  }

  /// Where each key of the table stands; of one that stands there twice the last counts.
  ///
  /// PERF: they stand in the order of the table, which spares looking for each among all others.
  private func slots(of dictionary: PropertyListDictionary) -> [Int?] {
    var slots = [Int?](repeating: nil, count: keys.count)
    var next = 0
    for (slot, entry) in dictionary.entries.enumerated() {
      let number =
        keys[next...].firstIndex { $0.name == entry.key }
        ?? keys[..<next].firstIndex { $0.name == entry.key }
      guard let number else { continue }
      slots[number] = slot
      next = number + 1
    }
    return slots
  }

  /// The contents over a dictionary whose other keys stay.
  func dictionary(
    _ contents: Contents,
    over old: PropertyListDictionary = PropertyListDictionary(),
  ) -> PropertyListDictionary {
    var (dictionary, slot) = (old, 0)
    var (contents, blank) = (contents, blank)
    for number in keys.indices {
      let value = keys[number].write(&contents, &blank, old)
      if !old.entries.isEmpty {
        dictionary.set(value, for: keys[number].name, near: &slot)
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
  /// Has the visitor at the key's value, as `{ $1(&$0.title) }` does.
  ///
  /// It is one that is stored in the contents: what is computed would be set by writing it, too.
  ///
  /// PERF: key paths take twice as long to write, and milliseconds to be made at the start.
  typealias Access<Value> = @Sendable (inout Contents, (inout Value) -> Void) -> Void

  let name: String
  /// Whether a dictionary means nothing without it.
  private(set) var isRequired = false
  /// Takes the key's value; false where the dictionary means nothing with it.
  private(set) var read: @Sendable (PropertyListValue, inout Contents) -> Bool
  /// What stands under the key, given blank contents and the dictionary before; nil for nothing.
  ///
  /// Both contents are as they were afterwards.
  private(set) var write: Writing

  typealias Writing =
    @Sendable (inout Contents, _ blank: inout Contents, _ old: PropertyListDictionary)
    -> PropertyListValue?

  /// A key that is left out where there is no value.
  init<Value>(
    _ name: String,
    _ access: @escaping Access<Value?>,
    _ coding: PropertyListCoding<Value>,
  ) {
    self.name = name
    read = { value, contents in
      access(&contents) { $0 = coding.decode(value) }
      return true
    }
    write = { contents, _, _ in
      var value: PropertyListValue?
      access(&contents) { value = $0.map(coding.encode) }
      return value
    }
  }

  /// A key that is left out where the value is the blank contents'.
  init<Value: Equatable>(
    _ name: String,
    _ access: @escaping Access<Value>,
    _ coding: PropertyListCoding<Value>,
  ) {
    self.init(name, access, always: coding)
    write = { contents, blank, _ in
      var value: PropertyListValue?
      access(&contents) { own in
        access(&blank) { if own != $0 { value = coding.encode(own) } }
      }
      return value
    }
  }

  /// A key that is always written.
  init<Value>(
    _ name: String,
    _ access: @escaping Access<Value>,
    always coding: PropertyListCoding<Value>,
  ) {
    self.name = name
    read = { value, contents in
      if let new = coding.decode(value) { access(&contents) { $0 = new } }
      return true
    }
    write = { contents, _, _ in
      var value: PropertyListValue?
      access(&contents) { value = coding.encode($0) }
      return value
    }
  }

  /// The same of a value that is computed.
  init<Value: Equatable>(
    _ name: String,
    get: @escaping @Sendable (Contents) -> Value,
    set: @escaping @Sendable (inout Contents, Value) -> Void,
    _ coding: PropertyListCoding<Value>,
  ) {
    self.name = name
    read = { value, contents in
      if let new = coding.decode(value) { set(&contents, new) }
      return true
    }
    write = { contents, blank, _ in
      let value = get(contents)
      return value == get(blank) ? nil : coding.encode(value)
    }
  }

  /// A key without which, and without a value that is understood, the dictionary means nothing.
  init<Value>(
    _ name: String,
    _ access: @escaping Access<Value>,
    required coding: PropertyListCoding<Value>,
  ) {
    self.init(name, access, always: coding)
    isRequired = true
    read = Self.strictly(access, coding)
  }

  /// A key that makes the dictionary mean nothing where its value is not understood.
  init<Value: Equatable>(
    _ name: String,
    _ access: @escaping Access<Value>,
    exactly coding: PropertyListCoding<Value>,
  ) {
    self.init(name, access, coding)
    read = Self.strictly(access, coding)
  }

  private static func strictly<Value>(
    _ access: @escaping Access<Value>,
    _ coding: PropertyListCoding<Value>,
  ) -> @Sendable (PropertyListValue, inout Contents) -> Bool {
    { value, contents in
      guard let new = coding.decode(value) else { return false }
      access(&contents) { $0 = new }
      return true
    }
  }

  /// The same of a value that may be missing.
  init<Value>(
    _ name: String,
    _ access: @escaping Access<Value?>,
    exactly coding: PropertyListCoding<Value>,
  ) {
    self.init(name, access, coding)
    read = { value, contents in
      let new = coding.decode(value)
      access(&contents) { $0 = new }
      return new != nil
    }
  }

  /// A dictionary inside, whose unknown keys stay; left out where it is empty.
  init<Value>(
    _ name: String,
    _ access: @escaping Access<Value>,
    in table: PropertyListTable<Value>,
  ) {
    self.name = name
    read = { value, contents in
      if let new = value.dictionary.flatMap(table.contents) { access(&contents) { $0 = new } }
      return true
    }
    write = { contents, _, old in
      var inside = PropertyListDictionary()
      access(&contents) {
        inside = table.dictionary($0, over: old[name]?.dictionary ?? PropertyListDictionary())
      }
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
      read(value, &contents)
      return true
    }
    self.write = { contents, _, _ in write(contents) }
  }
}
