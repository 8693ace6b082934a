package import FeedModel
internal import PropertyLists
package import System

extension ItemReader: StoryCoder {
  package func flag(_ field: ItemField, _: Bool) throws -> Bool {
    try boolean(field)
  }

  package func number(_ field: ItemField, _: Int?) throws -> Int? {
    try read(field) { object in
      try reader.integer(object).map { Int($0) }
    }
  }

  package func date(_ field: ItemField, _: Date?) throws -> Date? {
    try date(field)
  }

  package func text(_ field: ItemField, _: String?) throws -> String? {
    field == .id ? try id() : try string(field)
  }

  package func texts(_ field: ItemField, _: [String]) throws -> [String] {
    try strings(field)
  }

  package func hasParts(_ field: ItemField, count _: Int) -> Bool { object(field) != nil }

  package func parts<Part: ItemPart>(_ field: ItemField, _: [Part]) throws -> [Part] {
    (try value(field)?.array ?? []).compactMap { Part($0) }
  }

  package func matches(_ field: ItemField, _: [StoryMatch]) throws -> [StoryMatch] {
    try value(field).map { StoryMatch.list($0) } ?? []
  }

  package func changes(
    _ dates: ItemField,
    _ previous: ItemField,
    _: [StoryChange],
  ) throws -> [StoryChange] {
    guard let value = try value(dates) else { return [] }
    return StoryChange.list(value, previous: try self.value(previous))
  }
}

/// Compares a story's fields with those of an item, without decoding texts.
struct ItemComparison: ItemCoder {
  let reader: ItemReader
  private(set) var isSame = true

  init(reader: ItemReader) {
    self.reader = reader
  }

  mutating func flag(_ field: ItemField, _ value: Bool) throws -> Bool {
    if isSame { isSame = try reader.boolean(field) == value }
    return value
  }

  mutating func number(_ field: ItemField, _ value: Int?) throws -> Int? {
    if isSame { isSame = try reader.number(field, nil) == value }
    return value
  }

  mutating func date(_ field: ItemField, _ value: Date?) throws -> Date? {
    if isSame { isSame = try reader.instant(field) == value?.timeIntervalSinceReferenceDate }
    return value
  }

  mutating func text(_ field: ItemField, _ value: String?) throws -> String? {
    if isSame {
      isSame =
        try reader.read(field) { object in
          try isText(object, value)
        } ?? (value == nil)
    }
    return value
  }

  mutating func texts(_ field: ItemField, _ value: [String]) throws -> [String] {
    if isSame {
      isSame =
        try reader.read(field) { list in
          try isList(list, value)
        } ?? value.isEmpty
    }
    return value
  }

  func hasParts(_ field: ItemField, count: Int) -> Bool {
    isSame && (count > 0 || reader.object(field) != nil)
  }

  mutating func parts<Part: ItemPart>(_ field: ItemField, _ value: [Part]) throws -> [Part] {
    if isSame { isSame = try reader.parts(field, []) == value }
    return value
  }

  private func isText(_ object: Int, _ text: String?) throws -> Bool {
    guard var text, let bytes = try reader.reader.stringBytes(object) else { return false }
    return text.withUTF8(bytes.isText)
  }

  private func isList(_ list: Int, _ texts: [String]) throws -> Bool {
    guard try reader.reader.arrayCount(list) == texts.count else { return false }
    for (position, text) in texts.enumerated() {
      guard let object = try reader.reader.element(list, at: position), try isText(object, text)
      else { return false }
    }
    return true
  }
}
