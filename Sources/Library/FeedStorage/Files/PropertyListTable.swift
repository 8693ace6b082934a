internal import PropertyLists

struct PropertyListTable<Contents: Sendable>: Sendable {
  private let blank: Contents
  private let keys: [PropertyListKey<Contents>]

  init(_ blank: Contents, _ keys: [PropertyListKey<Contents>]) {
    (self.blank, self.keys) = (blank, keys)
  }

  var names: [String] { keys.map(\.name) }

  func adding(_ keys: [PropertyListKey<Contents>]) -> Self {
    Self(blank, self.keys + keys)
  }

  /// Returns nil for a dictionary that lacks a required key, or has a wrong value under a strict
  /// one.
  func contents(_ dictionary: PropertyListDictionary) -> Contents? {
    let slots = slots(of: dictionary)
    var contents = blank
    let isMeant = fill(&contents) { number in slots[number].map { dictionary.entries[$0].value } }
    return isMeant ? contents : nil
  }

  /// Sets the values of the keys, given by their numbers; returns false where they mean nothing.
  private func fill(
    _ contents: inout Contents,
    _ value: (_ number: Int) throws -> PropertyListValue?,
  ) rethrows -> Bool {
    for number in keys.indices {
      guard let value = try value(number) else {
        if keys[number].isRequired { return false }
        continue
      }
      guard keys[number].read(value, &contents) else { return false }
    }
    return true
  }

  /// The index of each key's entry; of several entries with one key the last counts.
  ///
  /// PERF: they stand in the order of the table, which spares looking for each among all others.
  private func slots(of dictionary: PropertyListDictionary) -> [Int?] {
    var slots = [Int?](repeating: nil, count: keys.count)
    var next = 0
    for (index, entry) in dictionary.entries.enumerated() {
      let number =
        keys[next...].firstIndex { $0.name == entry.key }
        ?? keys[..<next].firstIndex { $0.name == entry.key }
      guard let number else { continue }
      slots[number] = index
      next = number + 1
    }
    return slots
  }

  /// Sets what the entries of a dictionary in a file say; returns false where that means nothing.
  ///
  /// PERF: no dictionary is made of them, and the contents are filled where they stay.
  func read(
    _ entries: EntryReader,
    into contents: inout Contents,
    budget: inout Int,
  ) throws -> Bool {
    try fill(&contents) { number in
      try entries.object(number).map { try entries.reader.value($0, budget: &budget) }
    }
  }

  func dictionary(
    _ contents: Contents,
    over old: PropertyListDictionary = PropertyListDictionary(),
  ) -> PropertyListDictionary {
    var (dictionary, index) = (old, 0)
    if old.entries.isEmpty { dictionary.reserve(min(keys.count, 16)) }
    var (contents, blank) = (contents, blank)
    for number in keys.indices {
      let value = keys[number].write(&contents, &blank, old)
      if !old.entries.isEmpty {
        dictionary.set(value, for: keys[number].name, near: &index)
      } else if let value {
        dictionary.append(keys[number].name, value)
      }
    }
    return dictionary
  }
}

/// A key of dictionaries that hold values of one kind.
///
/// It is declared once, so that nothing is written that is not read.
struct PropertyListKey<Contents: Sendable>: Sendable {
  /// Gives the visitor the key's value, as `{ $1(&$0.title) }` does.
  ///
  /// The value must be stored in the contents: a computed one would be set by writing it, too.
  ///
  /// PERF: key paths take twice as long to write, and milliseconds to be made at the start.
  typealias Access<Value> = @Sendable (inout Contents, (inout Value) -> Void) -> Void

  let name: String
  private(set) var isRequired = false
  /// Sets the value; returns false if the dictionary means nothing with it.
  private(set) var read: @Sendable (PropertyListValue, inout Contents) -> Bool
  /// Returns the value under the key, given blank contents and the former dictionary; nil for none.
  ///
  /// Both contents are as they were afterwards.
  private(set) var write: Writing

  typealias Writing =
    @Sendable (inout Contents, _ blank: inout Contents, _ old: PropertyListDictionary)
    -> PropertyListValue?

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

  /// Makes a key that is left out if the value is that of the blank contents.
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

  /// Makes a key of a computed value, which is left out if it is that of the blank contents.
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

  /// Makes a key without which, or with an unknown value, the dictionary means nothing.
  init<Value>(
    _ name: String,
    _ access: @escaping Access<Value>,
    required coding: PropertyListCoding<Value>,
  ) {
    self.init(name, access, always: coding)
    isRequired = true
    read = Self.strictly(access, coding)
  }

  /// Makes a key that may be missing, but makes the dictionary mean nothing with an unknown value.
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

  /// Makes such a key for an optional value.
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

  /// Makes a key of an inner dictionary, whose unknown keys stay; it is left out if it is empty.
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

  /// Makes the key of the form's version, which `PropertyListFile` checks.
  static func version(_ version: @escaping @Sendable (Contents) -> Int) -> Self {
    Self("version") { .integer(Int64(version($0))) }
  }

  static func former(_ name: String) -> Self { Self(name) { _ in nil } }

  private init(_ name: String, _ value: @escaping @Sendable (Contents) -> PropertyListValue?) {
    self.init(name, read: { _, _ in }, write: value)
  }

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
