extension BinaryPropertyListWriter {
  /// Numbers an object of the source with all that is in it; `copyQueued` has to follow.
  ///
  /// Every object gets its number before what is in it, and only once: a list that contains itself
  /// is copied as such, and no nesting is too deep.
  package mutating func enqueue(_ index: Int) throws -> Object {
    let layout = try layout()
    return try number(of: index, in: layout, isShared: false)
  }

  /// Numbers the keys and values of a dictionary, but for entries whose key `isLeftOut`; nil when
  /// it is not a dictionary.
  package mutating func enqueue(
    entriesOf dictionary: Int,
    leavingOut isLeftOut: (_ key: Int) throws -> Bool,
  ) throws -> (keys: [Object], values: [Object])? {
    let layout = try layout()
    let raw = try layout.object(dictionary)
    guard raw.kind == .dictionary else { return nil }
    // Many elements may be one dictionary; each that is made from it takes room of its own.
    source.budget -= 1 + raw.size
    guard source.budget > 0 else { throw PropertyListError.tooLarge }
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

  /// Returns the elements of an array of the source; nil where its objects are not kept.
  package mutating func kept(_ range: Range<Int>, of array: Int) throws -> [Object]? {
    guard source.isKept, let layout = source.reader?.layout else { return nil }
    let raw = try layout.object(array)
    return try range.map {
      try number(of: layout.reference(raw, $0), in: layout, isShared: false)
    }
  }

  private func layout() throws -> BinaryPropertyListLayout {
    guard let reader = source.reader else {
      throw PropertyListError.damaged("nothing to copy from", offset: 0)
    }
    return reader.layout
  }

  /// Copies waiting objects until a piece of the output is full; true when none waits any more.
  package mutating func copyQueued() throws -> Bool {
    guard let layout = source.reader?.layout else { return true }
    while !queue.isEmpty {
      guard !output.isFull else { return false }
      try copy(queue.takeFirst(), of: layout)
    }
    return true
  }

  private mutating func copy(_ raw: RawObject, of layout: BinaryPropertyListLayout) throws {
    output.beginObject()
    switch raw.kind {
    case .dictionary:
      output.append(marker: 0xd0, count: raw.count)
      try copyReferences(of: raw, 2 * raw.count, layout)
    case .array:
      output.append(marker: 0xa0, count: raw.count)
      try copyReferences(of: raw, raw.count, layout)
    default:
      let bytes = layout.buffer[raw.start..<raw.content + raw.size]
      output.append(UnsafeRawBufferPointer(rebasing: bytes))
    }
  }

  /// Copies a container's references; an array's elements and a dictionary's keys are stored once.
  private mutating func copyReferences(
    of raw: RawObject,
    _ count: Int,
    _ layout: BinaryPropertyListLayout,
  ) throws {
    let width = PropertyListOutput.referenceWidth
    // The bytes behind a reference are overwritten by what follows it.
    var slot = output.room(for: count * width + 8)
    let shift = UInt64(64 - 8 * width)
    for position in 0..<count {
      let object = try number(
        of: layout.reference(raw, position),
        in: layout,
        isShared: position < raw.count,
      )
      slot.storeBytes(of: (UInt64(object.number) &<< shift).bigEndian, as: UInt64.self)
      slot += width
    }
    output.fill(count * width)
  }

  @inline(__always)
  private mutating func number(
    of index: Int,
    in layout: BinaryPropertyListLayout,
    isShared: Bool,
  ) throws -> Object {
    if let number = source.destinations.number(of: index) { return Object(number: number) }
    return try newNumber(of: index, in: layout, isShared: isShared)
  }

  @inline(never)
  private mutating func newNumber(
    of index: Int,
    in layout: BinaryPropertyListLayout,
    isShared: Bool,
  ) throws -> Object {
    if source.isKept, 0..<layout.count ~= index { return Object(number: UInt32(index)) }
    let raw = try layout.object(index)
    source.budget -= 1 + raw.size
    guard source.budget > 0 else { throw PropertyListError.tooLarge }
    let object = isShared ? enqueueShared(raw, of: layout) : enqueue(raw)
    source.destinations.set(object.number, of: index)
    return object
  }

  private mutating func enqueue(_ raw: RawObject) -> Object {
    let object = Object(number: UInt32(count))
    queue.append(raw)
    return object
  }

  private mutating func enqueueShared(
    _ raw: RawObject,
    of layout: BinaryPropertyListLayout,
  ) -> Object {
    guard let text = layout.string(raw)?.string else { return enqueue(raw) }
    if let object = strings[text] { return object }
    let object = enqueue(raw)
    strings[text] = object
    return object
  }
}
