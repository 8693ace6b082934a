extension BinaryPropertyListWriter {
  /// True when `piece` has at least 256 KiB and should be taken.
  package var isFull: Bool { output.isFull }

  /// The output since the last `discardPiece`.
  package var piece: UnsafeRawBufferPointer { output.piece }

  package mutating func discardPiece() {
    output.discardPiece()
    releasePagesOfSources()
  }

  private static let offsetsPiece = 256 << 10

  /// Ends the list, and passes the rest of it to `sink` in pieces.
  ///
  /// - Returns: false when the list is larger than `maximumSize`; it may then be no list.
  package mutating func finish<E: Error>(
    root: Object,
    to sink: (UnsafeRawBufferPointer) throws(E) -> Void,
  ) throws(E) -> Bool {
    let tableStart = output.position
    let width = max(output.offsetWidth, PropertyListOutput.width(of: UInt64(tableStart)))
    var next = 0
    // PERF: the work is done outside of this function, which is compiled for no certain error.
    while next < output.objects {
      next = appendOffsets(from: next, width)
      if next == output.kept.lowerBound, let offsets = keptOffsets {
        try sink(output.piece)
        for start in stride(from: 0, to: offsets.count, by: Self.offsetsPiece) {
          let piece = offsets[start..<min(start + Self.offsetsPiece, offsets.count)]
          try sink(UnsafeRawBufferPointer(rebasing: piece))
        }
        output.discardPiece(and: offsets.count)
        next = output.kept.upperBound
      } else if output.isFull {
        try sink(output.piece)
        output.discardPiece()
      }
    }
    appendTrailer(root, tableStart, width)
    try sink(output.piece)
    output.discardPiece()
    return !output.isTooLarge && output.position <= Self.maximumSize
  }

  /// Ends the list, and returns all output that was not taken yet.
  package mutating func bytes(root: Object) -> [UInt8] {
    var bytes = Array(output.piece)
    output.discardPiece()
    _ = finish(root: root) { (piece: UnsafeRawBufferPointer) in bytes.append(contentsOf: piece) }
    return bytes
  }

  private mutating func appendOffsets(from first: Int, _ width: Int) -> Int {
    var next = first
    while next < output.objects, next != output.kept.lowerBound, !output.isFull {
      output.appendOffset(of: next, width: width)
      next += 1
    }
    return next
  }

  private mutating func appendTrailer(_ root: Object, _ tableStart: Int, _ offsetWidth: Int) {
    output.append(0, width: 6)
    output.append(UInt64(offsetWidth), width: 1)
    output.append(UInt64(PropertyListOutput.referenceWidth), width: 1)
    output.append(UInt64(output.objects), width: 8)
    output.append(UInt64(root.number), width: 8)
    output.append(UInt64(tableStart), width: 8)
  }
}
