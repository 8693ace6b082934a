/// A person as collected: Atom's children, or RSS's text.
struct PersonDraft: Hashable, Sendable {
  var start = 0
  /// Where the person's own text ends, because a child element begins.
  var textEnd: Int?
  var isAtom = false
  /// Whether it is the author of an entry's `source`.
  var isInSource = false
  var name: FieldDraft?
  var email: FieldDraft?
}
