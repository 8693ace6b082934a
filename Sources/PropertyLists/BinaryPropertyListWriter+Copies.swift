/// Objects of the existing list.
extension BinaryPropertyListWriter {
  /// Takes over an object of the source with all that is in it; `copyWaiting` has to follow.
  ///
  /// Every object gets its number before what is in it, and only once: a list that contains itself
  /// is copied as such, and no nesting is too deep.
  package mutating func takeOver(_ index: Int) throws(PropertyListError) -> Object {
    guard let layout else { throw .damaged("nothing to copy from", offset: 0) }
    return try number(of: index, in: layout, isShared: false)
  }

  /// Takes over the keys and values of a dictionary of the source; `copyWaiting` has to follow.
  ///
  /// Entries whose key `isLeftOut` wants gone stay behind. nil when it is no dictionary.
  package mutating func takeOver(
    entriesOf dictionary: Int,
    leavingOut isLeftOut: (_ key: Int) throws(PropertyListError) -> Bool,
  ) throws(PropertyListError) -> (keys: [Object], values: [Object])? {
    guard let layout else { throw .damaged("nothing to copy from", offset: 0) }
    let raw = try layout.object(dictionary)
    guard raw.kind == .dictionary else { return nil }
    // Many elements may be one dictionary; each that is made from it takes room of its own.
    budget -= 1 + raw.size
    guard budget > 0 else { throw .tooLarge }
    var (keys, values): ([Object], [Object]) = ([], [])
    for position in 0..<raw.count {
      let key = layout.reference(raw, position)
      if try isLeftOut(key) { continue }
      keys.append(try number(of: key, in: layout, isShared: true))
      let value = layout.reference(raw, raw.count + position)
      values.append(try number(of: value, in: layout, isShared: false))
    }
    return (keys, values)
  }

  /// Copies what waits to be copied, until a piece of the output is full.
  ///
  /// - Returns: true when nothing waits any more.
  package mutating func copyWaiting() throws(PropertyListError) -> Bool {
    guard let layout else { return true }
    while nextWaiting < waiting.count {
      guard !output.isFull else { return false }
      let raw = waiting[nextWaiting]
      nextWaiting += 1
      try copy(raw, of: layout)
    }
    waiting.removeAll(keepingCapacity: true)
    nextWaiting = 0
    return true
  }

  /// Takes over and copies an object, whatever the size of the output.
  package mutating func copy(_ index: Int) throws(PropertyListError) -> Object {
    let object = try takeOver(index)
    guard let layout else { return object }
    while nextWaiting < waiting.count {
      nextWaiting += 1
      try copy(waiting[nextWaiting - 1], of: layout)
    }
    waiting.removeAll(keepingCapacity: true)
    nextWaiting = 0
    return object
  }

  private mutating func copy(
    _ raw: RawObject,
    of source: BinaryPropertyListLayout,
  ) throws(PropertyListError) {
    output.beginObject()
    let isDictionary = raw.kind == .dictionary
    guard isDictionary || raw.kind == .array else {
      let bytes = source.buffer[raw.start..<raw.content + raw.size]
      return output.append(UnsafeRawBufferPointer(rebasing: bytes))
    }
    output.append(marker: isDictionary ? 0xd0 : 0xa0, count: raw.count)
    let keys = isDictionary ? raw.count : 0
    for position in 0..<raw.count + keys {
      let isShared = !isDictionary || position < keys
      let index = source.reference(raw, position)
      output.appendReference(try number(of: index, in: source, isShared: isShared).number)
    }
  }

  /// The new object for one of the source; one that is met for the first time waits.
  @inline(__always)
  private mutating func number(
    of index: Int,
    in source: BinaryPropertyListLayout,
    isShared: Bool,
  ) throws(PropertyListError) -> Object {
    if index >= 0, index < destinations.count, destinations[index] != 0 {
      return Object(number: destinations[index] - 1)
    }
    let raw = try source.object(index)
    budget -= 1 + raw.size
    guard budget > 0 else { throw .tooLarge }
    let object = isShared ? shared(raw, of: source) : wait(raw)
    destinations[index] = object.number + 1
    return object
  }

  private mutating func wait(_ raw: RawObject) -> Object {
    let object = Object(number: UInt32(count))
    waiting.append(raw)
    return object
  }

  private mutating func shared(_ raw: RawObject, of source: BinaryPropertyListLayout) -> Object {
    guard let text = source.string(raw) else { return wait(raw) }
    if let object = strings[text] { return object }
    let object = wait(raw)
    share(text, as: object)
    return object
  }
}
