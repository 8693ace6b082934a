import FeedModel
import System

extension ItemBuilder {
  /// Returns the chapters as they are heard; some encoders write the last one first.
  func chapters() -> [Chapter] {
    let chapters = draft.chapters.compactMap { draft -> Chapter? in
      guard let start = PlayingTime.seconds(buffer.bytes(draft.start)) else { return nil }
      let title = FieldText.line(FieldDraft(span: draft.title, mode: .plain), in: buffer)
      return title.isEmpty
        ? nil : Chapter(start: start, title: title, url: link(draft.url, base: draft.base))
    }
    return chapters.sorted { $0.start < $1.start }
  }

  /// Returns the people, hosts first, each once in a role.
  func people() -> [Person] {
    var people: [Person] = []
    for draft in draft.people {
      let name = FieldText.line(draft.name, in: buffer)
      let role = draft.role.map { FieldText.line(FieldDraft(span: $0, mode: .plain), in: buffer) }
      var person = Person(name: name, url: link(draft.url, base: draft.base))
      if let role, !role.isEmpty { person.role = role.lowercased() }
      let isKnown = people.contains { $0.name == person.name && $0.role == person.role }
      if !name.isEmpty, !isKnown { people.append(person) }
    }
    return people.filter { $0.role == Person.host } + people.filter { $0.role != Person.host }
  }

  private func link(_ span: TextSpan?, base: Int) -> String? {
    span.flatMap { $0.isEmpty ? nil : link($0, base: base) }
  }
}
