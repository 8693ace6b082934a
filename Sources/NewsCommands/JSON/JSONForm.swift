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

  static func array<Subject>(_ meaning: String, _ fields: [JSONField<Subject>]) -> JSONForm {
    array(meaning, fields.map(\.key))
  }

  static func object(_ meaning: String, _ keys: [JSONKey]) -> JSONForm {
    JSONForm(isArray: false, meaning: meaning, keys: keys)
  }

  static func object<Subject>(_ meaning: String, _ fields: [JSONField<Subject>]) -> JSONForm {
    object(meaning, fields.map(\.key))
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

/// A key of the objects that tell of subjects of one kind, and the value that it has in them.
struct JSONField<Subject>: Sendable {
  let key: JSONKey
  let value: @Sendable (Subject) -> JSONValue

  init(_ name: String, _ meaning: String, value: @escaping @Sendable (Subject) -> JSONValue) {
    key = JSONKey(name, meaning)
    self.value = value
  }

  /// A key whose value is an object; null where there is no subject for it.
  init<Inner>(
    _ name: String,
    _ meaning: String,
    object fields: [JSONField<Inner>],
    of subject: @escaping @Sendable (Subject) -> Inner?,
  ) {
    key = JSONKey(name, meaning, inside: fields.map(\.key))
    value = { subject($0).map { .object(fields, $0) } ?? .null }
  }

  /// A key whose value is an array of objects.
  init<Inner>(
    _ name: String,
    _ meaning: String,
    array fields: [JSONField<Inner>],
    of subjects: @escaping @Sendable (Subject) -> [Inner],
  ) {
    key = JSONKey(name, meaning, inside: fields.map(\.key))
    value = { .array(subjects($0).map { .object(fields, $0) }) }
  }

  /// The same key in objects that tell of more than this subject.
  func of<Whole>(_ subject: @escaping @Sendable (Whole) -> Subject) -> JSONField<Whole> {
    JSONField<Whole>(key.name, key.meaning) { value(subject($0)) }
  }
}

extension JSONValue {
  static func object<Subject>(_ fields: [JSONField<Subject>], _ subject: Subject) -> JSONValue {
    .object(fields.map { JSONMember($0.key.name, $0.value(subject)) })
  }
}

extension TextOutput {
  /// Prints an array of objects, one a line.
  func printJSON<Subject>(
    _ subjects: some Sequence<Subject>,
    _ fields: [JSONField<Subject>],
  ) {
    var array = JSONArrayPrinter(self)
    for subject in subjects { array.print(.object(fields, subject)) }
    array.finish()
  }
}
