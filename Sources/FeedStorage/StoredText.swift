internal import PropertyLists

/// A text as it stands in the data file, valid for as long as the table that it is of.
package enum StoredText {
  case ascii(UnsafeRawBufferPointer)
  /// Code units, most significant byte first; surrogates may stand alone.
  case utf16BigEndian(UnsafeRawBufferPointer)
}

extension StoredText {
  init(_ bytes: PropertyListStringBytes) {
    self =
      switch bytes {
      case .ascii(let bytes): .ascii(bytes)
      case .utf16BigEndian(let bytes): .utf16BigEndian(bytes)
      }
  }
}
