extension BinaryPropertyListWriter {
  /// Writes the list, in pieces of about a mebibyte.
  ///
  /// - Parameters:
  ///   - root: the top-level object.
  ///   - sink: takes the pieces in order.
  /// - Returns: false when the source changed while its objects were copied; what was written is
  ///   then no property list.
  /// - Throws: what the sink throws.
  package func write<E: Error>(
    root: Object,
    to sink: (UnsafeRawBufferPointer) throws(E) -> Void,
  ) throws(E) -> Bool {
    var output = PropertyListOutput(
      referenceWidth: Self.width(of: UInt64(max(origins.count - 1, 0))),
      objects: origins.count,
    )
    // PERF: the work is done outside of this function, which is compiled for no certain error.
    while output.objects < origins.count {
      guard appendObjects(to: &output) else { return false }
      guard output.isFull else { break }
      try sink(output.piece)
      output.take()
    }
    let tableStart = output.position
    var next = 0
    while next < origins.count {
      next = appendOffsets(from: next, tableStart, to: &output)
      guard output.isFull else { break }
      try sink(output.piece)
      output.take()
    }
    appendTrailer(root, tableStart, to: &output)
    try sink(output.piece)
    return true
  }

  /// The list as one array.
  package func bytes(root: Object) -> [UInt8] {
    var bytes: [UInt8] = []
    _ = write(root: root) { (piece: UnsafeRawBufferPointer) in bytes.append(contentsOf: piece) }
    return bytes
  }

  /// Appends objects until a piece is full.
  private func appendObjects(to output: inout PropertyListOutput) -> Bool {
    while output.objects < origins.count, !output.isFull {
      let origin = origins[output.objects]
      output.beginObject()
      if origin.isFresh {
        append(fresh: origin.offset, to: &output)
      } else {
        guard append(copy: origin.offset, to: &output) else { return false }
      }
    }
    return true
  }

  private func appendOffsets(
    from first: Int,
    _ tableStart: Int,
    to output: inout PropertyListOutput,
  ) -> Int {
    let width = Self.width(of: UInt64(tableStart))
    var next = first
    while next < origins.count, !output.isFull {
      output.appendOffset(of: next, width: width)
      next += 1
    }
    return next
  }

  private func appendTrailer(
    _ root: Object,
    _ tableStart: Int,
    to output: inout PropertyListOutput,
  ) {
    output.append(0, width: 6)
    output.append(UInt64(Self.width(of: UInt64(tableStart))), width: 1)
    output.append(UInt64(output.referenceWidth), width: 1)
    output.append(UInt64(origins.count), width: 8)
    output.append(number(of: root), width: 8)
    output.append(UInt64(tableStart), width: 8)
  }

  private func append(fresh object: Int, to output: inout PropertyListOutput) {
    let (bytes, start) = fresh.location(of: object)
    // An object of our own making is whole.
    guard let form = Form(at: start, in: bytes, end: bytes.count, referenceWidth: 4) else { return }
    output.append(bytes, start..<(form.isContainer ? form.content : form.end))
    guard form.isContainer else { return }
    for position in 0..<form.references {
      output.appendReference(bigEndian(bytes, at: form.content + 4 * position, width: 4))
    }
  }

  /// Copies an object that was checked when it was entered; false when it is another one now.
  private func append(copy start: Int, to output: inout PropertyListOutput) -> Bool {
    guard let layout else { return false }
    let (bytes, width) = (layout.buffer, layout.referenceWidth)
    guard let form = Form(at: start, in: bytes, end: layout.tableStart, referenceWidth: width)
    else { return false }
    output.append(bytes, start..<(form.isContainer ? form.content : form.end))
    guard form.isContainer else { return true }
    for position in 0..<form.references {
      let old = bigEndian(bytes, at: form.content + position * width, width: width)
      guard let new = destination(of: old) else { return false }
      output.appendReference(new)
    }
    return true
  }

  /// The least width for numbers up to this one; one of those that all readers know.
  private static func width(of number: UInt64) -> Int {
    number < 1 << 8 ? 1 : number < 1 << 16 ? 2 : number < 1 << 32 ? 4 : 8
  }
}

/// Where the parts of an object are.
private struct Form {
  /// Behind the marker and the count.
  let content: Int
  /// Behind the object.
  let end: Int
  /// References in a container.
  let references: Int
  let isContainer: Bool

  /// nil when the object does not end before `end`.
  @inline(__always)
  init?(at start: Int, in bytes: UnsafeRawBufferPointer, end limit: Int, referenceWidth: Int) {
    guard start < limit else { return nil }
    let marker = bytes[start]
    let kind = marker >> 4
    var count = UInt64(marker & 0x0f)
    var content = start + 1
    if count == 0x0f, kind >= 4, kind != 8 {
      guard content < limit else { return nil }
      let width = 1 << Int(bytes[content] & 0x03)
      guard width < limit - content else { return nil }
      count = bigEndian(bytes, at: content + 1, width: width)
      content += 1 + width
    }
    let room = UInt64(limit - content)
    // The low half of a boolean's marker is its value, not a count.
    guard count <= room || kind == 0 else { return nil }
    isContainer = kind == 0xa || kind == 0xd
    references = Int(kind == 0xd ? 2 * count : count)
    self.content = content
    let size =
      switch kind {
      case 0x0: 0
      case 0x1, 0x2, 0x3: 1 << (references & 0x0f)
      case 0x6: 2 * references
      case 0x8: references + 1
      case 0xa, 0xd: references * referenceWidth
      default: references
      }
    guard size <= limit - content else { return nil }
    end = content + size
  }
}
