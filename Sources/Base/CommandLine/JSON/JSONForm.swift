package struct JSONForm: Hashable, Sendable {
  let isArray: Bool
  /// A sentence without a full stop.
  let meaning: String
  let keys: [JSONKey]

  package init(isArray: Bool, meaning: String, keys: [JSONKey]) {
    self.isArray = isArray
    self.meaning = meaning
    self.keys = keys
  }

  package static func array<Subject>(_ meaning: String, _ fields: [JSONField<Subject>]) -> JSONForm
  {
    JSONForm(isArray: true, meaning: meaning, keys: fields.map(\.key))
  }

  package static func object<Subject>(
    _ meaning: String,
    _ fields: [JSONField<Subject>],
  ) -> JSONForm {
    JSONForm(isArray: false, meaning: meaning, keys: fields.map(\.key))
  }
}

package struct JSONKey: Hashable, Sendable {
  package let name: String
  let meaning: String
  /// The keys of the object that is its value, or of the objects in the array.
  let inside: [JSONKey]

  package init(_ name: String, _ meaning: String, inside: [JSONKey] = []) {
    self.name = name
    self.meaning = meaning
    self.inside = inside
  }
}

/// A key of the objects that describe a `Subject`, with its value in them.
package struct JSONField<Subject>: Sendable {
  package let key: JSONKey
  let value: @Sendable (Subject) -> PrintedJSON

  package init(
    _ name: String,
    _ meaning: String,
    inside keys: [JSONKey] = [],
    value: @escaping @Sendable (Subject) -> PrintedJSON,
  ) {
    key = JSONKey(name, meaning, inside: keys)
    self.value = value
  }

  /// Makes a key whose value is an object, or null without a subject for it.
  package init<Inner>(
    _ name: String,
    _ meaning: String,
    object fields: [JSONField<Inner>],
    of subject: @escaping @Sendable (Subject) -> Inner?,
  ) {
    self.init(name, meaning, inside: fields.map(\.key)) {
      subject($0).map { .object(fields, $0) } ?? .null
    }
  }

  package init<Inner>(
    _ name: String,
    _ meaning: String,
    array fields: [JSONField<Inner>],
    of subjects: @escaping @Sendable (Subject) -> [Inner],
  ) {
    self.init(name, meaning, inside: fields.map(\.key)) {
      .array(subjects($0).map { .object(fields, $0) })
    }
  }

  package func of<Whole>(_ subject: @escaping @Sendable (Whole) -> Subject) -> JSONField<Whole> {
    JSONField<Whole>(key.name, key.meaning, inside: key.inside) { value(subject($0)) }
  }
}

extension PrintedJSON {
  package static func object<Subject>(
    _ fields: [JSONField<Subject>],
    _ subject: Subject,
  ) -> PrintedJSON {
    .object(fields.map { ($0.key.name, $0.value(subject)) })
  }

  package func adding(_ key: String, _ value: PrintedJSON?) -> PrintedJSON {
    guard case .object(let members) = self, let value else { return self }
    return .object(members + [(key, value)])
  }
}

extension TextOutput {
  package func printJSON<Subject>(
    _ subjects: some Sequence<Subject>,
    _ fields: [JSONField<Subject>],
  ) {
    var array = JSONArrayPrinter(self)
    for subject in subjects { array.print(.object(fields, subject)) }
    array.finish()
  }
}
