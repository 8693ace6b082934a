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
    while !waiting.isEmpty {
      guard !output.isFull else { return false }
      try copy(waiting.takeFirst(), of: layout)
    }
    return true
  }

  /// Takes over and copies an object, whatever the size of the output.
  package mutating func copy(_ index: Int) throws(PropertyListError) -> Object {
    let object = try takeOver(index)
    guard let layout else { return object }
    while !waiting.isEmpty { try copy(waiting.takeFirst(), of: layout) }
    return object
  }

  private mutating func copy(
    _ raw: RawObject,
    of source: BinaryPropertyListLayout,
  ) throws(PropertyListError) {
    output.beginObject()
    switch raw.kind {
    case .dictionary:
      output.append(marker: 0xd0, count: raw.count)
      try copyReferences(of: raw, 2 * raw.count, shared: raw.count, source)
    case .array:
      output.append(marker: 0xa0, count: raw.count)
      try copyReferences(of: raw, raw.count, shared: raw.count, source)
    default:
      let bytes = source.buffer[raw.start..<raw.content + raw.size]
      output.append(UnsafeRawBufferPointer(rebasing: bytes))
    }
  }

  /// The references of a container, of which the first ones are to objects that are stored once.
  private mutating func copyReferences(
    of raw: RawObject,
    _ count: Int,
    shared: Int,
    _ source: BinaryPropertyListLayout,
  ) throws(PropertyListError) {
    let width = PropertyListOutput.referenceWidth
    // The bytes behind a reference are overwritten by what follows it.
    var place = output.room(for: count * width + 8)
    let shift = UInt64(64 - 8 * width)
    for position in 0..<count {
      let object = try number(
        of: source.reference(raw, position),
        in: source,
        isShared: position < shared,
      )
      place.storeBytes(of: (UInt64(object.number) &<< shift).bigEndian, as: UInt64.self)
      place += width
    }
    output.fill(count * width)
  }

  /// The new object for one of the source; one that is met for the first time waits.
  @inline(__always)
  private mutating func number(
    of index: Int,
    in source: BinaryPropertyListLayout,
    isShared: Bool,
  ) throws(PropertyListError) -> Object {
    if let number = destinations.number(of: index) { return Object(number: number) }
    return try newNumber(of: index, in: source, isShared: isShared)
  }

  @inline(never)
  private mutating func newNumber(
    of index: Int,
    in source: BinaryPropertyListLayout,
    isShared: Bool,
  ) throws(PropertyListError) -> Object {
    let raw = try source.object(index)
    budget -= 1 + raw.size
    guard budget > 0 else { throw .tooLarge }
    let object = isShared ? shared(raw, of: source) : wait(raw)
    destinations.set(object.number, of: index)
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
