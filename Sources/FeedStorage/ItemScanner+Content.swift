package import FeedModel
internal import PropertyLists
internal import System

extension ItemScanner {
  /// Whether the story surely has the content of an item: equal to the byte.
  ///
  /// PERF: nearly all that feeds bring is stored already, and nothing of it need be decoded to see
  /// that. What differs only in how it is written (a text in another normal form) comes out as not
  /// surely the same.
  package func surelyHas(_ item: Item) throws(StorageError) -> Bool {
    try item.withContents { (contents) throws(StorageError) in
      guard try hasTexts(of: contents) else { return false }
      let details = contents.details
      guard try boolean(.guidIsPermaLink) == details.guidIsPermaLink,
        try instant(.date) == details.date?.timeIntervalSinceReferenceDate,
        try isText(.author, details.author),
        try hasCategories(details.categories)
      else { return false }
      return try hasEnclosures(details.enclosures)
    }
  }

  private func hasTexts(of contents: ItemContents) throws(StorageError) -> Bool {
    guard try isText(.title, contents.text(.title)),
      try isText(.pubDate, contents.text(.pubDate)),
      try isTextOrNone(.guid, contents.text(.guid)),
      try isText(.link, contents.text(.link))
    else { return false }
    return try isTextOrNone(.summary, contents.text(.summary))
  }

  /// Whether a field is this text, or is not there and the text is empty.
  private func isTextOrNone(
    _ field: ItemField,
    _ text: UnsafeBufferPointer<UInt8>,
  ) throws(StorageError) -> Bool {
    text.isEmpty ? object(field) == nil : try isText(field, text)
  }

  /// Whether a field is this text; one that is not there is empty.
  private func isText(
    _ field: ItemField,
    _ text: UnsafeBufferPointer<UInt8>,
  ) throws(StorageError) -> Bool {
    guard let object = object(field) else { return text.isEmpty }
    return try reading { () throws(PropertyListError) in
      try reader.stringBytes(object)?.isText(text) == true
    }
  }

  private func isText(_ field: ItemField, _ text: String?) throws(StorageError) -> Bool {
    guard var text else { return object(field) == nil }
    guard let object = object(field) else { return false }
    return try reading { () throws(PropertyListError) in try isText(object, &text) }
  }

  private func isText(_ object: Int, _ text: inout String) throws(PropertyListError) -> Bool {
    guard let bytes = try reader.stringBytes(object) else { return false }
    return text.withUTF8(bytes.isText)
  }

  private func hasCategories(_ categories: [String]) throws(StorageError) -> Bool {
    guard let list = object(.categories) else { return categories.isEmpty }
    return try reading { () throws(PropertyListError) in
      guard try reader.arrayCount(list) == categories.count else { return false }
      for (position, category) in categories.enumerated() {
        var category = category
        guard let object = try reader.element(list, at: position),
          try isText(object, &category)
        else { return false }
      }
      return true
    }
  }

  private func hasEnclosures(_ enclosures: [Enclosure]) throws(StorageError) -> Bool {
    guard let list = object(.enclosures) else { return enclosures.isEmpty }
    let value = try reading { () throws(PropertyListError) in try reader.value(list) }
    return (value.array ?? []).compactMap { Enclosure($0) } == enclosures
  }

  private func reading<R>(
    _ body: () throws(PropertyListError) -> R
  ) throws(StorageError) -> R {
    try ItemTable.reading(table.path, body)
  }
}

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
