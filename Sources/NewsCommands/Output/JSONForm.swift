/// What a command prints with `--json`, for the manual.
struct JSONForm: Hashable, Sendable {
  /// Objects in an array, or one object alone.
  let isArray: Bool
  /// What it is, in a sentence without a full stop.
  let meaning: String
  let keys: [JSONKey]

  static func array(_ meaning: String, _ keys: [JSONKey]) -> JSONForm {
    JSONForm(isArray: true, meaning: meaning, keys: keys)
  }

  static func object(_ meaning: String, _ keys: [JSONKey]) -> JSONForm {
    JSONForm(isArray: false, meaning: meaning, keys: keys)
  }
}

/// A key of an object that is printed as JSON.
struct JSONKey: Hashable, Sendable {
  let name: String
  let meaning: String
  /// The keys of the object, or of the objects in the array, that is its value.
  let inside: [JSONKey]

  init(_ name: String, _ meaning: String, inside: [JSONKey] = []) {
    self.name = name
    self.meaning = meaning
    self.inside = inside
  }
}
