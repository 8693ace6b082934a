extension BinaryPropertyListWriter {
  /// Writes the list, in pieces of about a mebibyte.
  ///
  /// - Parameters:
  ///   - root: the top-level object.
  ///   - sink: takes the pieces in order.
  /// - Throws: what the sink throws.
  package func write<E: Error>(
    root: Object,
    to sink: (UnsafeRawBufferPointer) throws(E) -> Void,
  ) throws(E) {
    let output = PropertyListOutput(
      referenceWidth: Self.width(of: UInt64(max(origins.count - 1, 0))),
      objects: origins.count,
    )
    for origin in origins {
      output.beginObject()
      if origin.isFresh {
        append(fresh: origin.offset, to: output)
      } else {
        append(copy: origin.offset, to: output)
      }
      if output.isFull { try output.flush(to: sink) }
    }
    try finish(output, root: root, to: sink)
  }

  /// The list as one array.
  package func bytes(root: Object) -> [UInt8] {
    var bytes: [UInt8] = []
    write(root: root) { (piece: UnsafeRawBufferPointer) in bytes.append(contentsOf: piece) }
    return bytes
  }

  private func finish<E: Error>(
    _ output: PropertyListOutput,
    root: Object,
    to sink: (UnsafeRawBufferPointer) throws(E) -> Void,
  ) throws(E) {
    let tableStart = UInt64(output.position)
    let offsetWidth = Self.width(of: tableStart)
    for offset in output.offsets {
      output.append(offset, width: offsetWidth)
      if output.isFull { try output.flush(to: sink) }
    }
    output.append(0, width: 6)
    output.append(UInt64(offsetWidth), width: 1)
    output.append(UInt64(output.referenceWidth), width: 1)
    output.append(UInt64(origins.count), width: 8)
    output.append(number(of: root), width: 8)
    output.append(tableStart, width: 8)
    try output.flush(to: sink)
  }

  private func append(fresh object: Int, to output: PropertyListOutput) {
    let (bytes, start) = fresh.location(of: object)
    let form = Form(at: start, in: bytes)
    guard form.isContainer else { return output.append(bytes, form.start..<form.end) }
    output.append(bytes, form.start..<form.content)
    for position in 0..<form.references {
      output.appendReference(bigEndian(bytes, at: form.content + 4 * position, width: 4))
    }
  }

  /// Copies an object that was checked when it was entered.
  private func append(copy start: Int, to output: PropertyListOutput) {
    guard let bytes = sourceBytes else { return }
    let form = Form(at: start, in: bytes)
    guard form.isContainer else { return output.append(bytes, form.start..<form.end) }
    output.append(bytes, form.start..<form.content)
    for position in 0..<form.references {
      let old = bigEndian(
        bytes,
        at: form.content + position * sourceReferenceWidth,
        width: sourceReferenceWidth,
      )
      output.appendReference(destination(of: Int(old)))
    }
  }

  /// The least width for numbers up to this one; one of those that all readers know.
  private static func width(of number: UInt64) -> Int {
    number < 1 << 8 ? 1 : number < 1 << 16 ? 2 : number < 1 << 32 ? 4 : 8
  }
}

/// Where the parts of a well-formed object are.
private struct Form {
  let start: Int
  /// Behind the marker and the count.
  let content: Int
  /// Behind the object; not for containers.
  let end: Int
  /// References in a container.
  let references: Int
  let isContainer: Bool

  init(at start: Int, in bytes: UnsafeRawBufferPointer) {
    let marker = bytes[start]
    let kind = marker >> 4
    var count = Int(marker & 0x0f)
    var content = start + 1
    if count == 0x0f, kind >= 4, kind != 8 {
      let width = 1 << Int(bytes[start + 1] & 0x0f)
      count = Int(bigEndian(bytes, at: start + 2, width: width))
      content = start + 2 + width
    }
    self.start = start
    self.content = content
    isContainer = kind == 0xa || kind == 0xd
    references = kind == 0xd ? 2 * count : count
    let size =
      switch kind {
      case 0x0: 0
      case 0x1, 0x2, 0x3: 1 << count
      case 0x6: 2 * count
      case 0x8: count + 1
      default: count
      }
    end = content + size
  }
}
