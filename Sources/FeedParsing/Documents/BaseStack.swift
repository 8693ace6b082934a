import FeedModel

/// The bases against which relative references are resolved, nested as `xml:base` is.
struct BaseStack {
  /// Where the document came from.
  let document: String?
  /// The number of the `xml:base` that holds now; -1 without one.
  private(set) var current = -1
  /// All of them, by their numbers.
  private(set) var bases: [String] = []
  /// The last reference that was taken, with what was around it: mostly each entry has the same.
  private var last: (reference: String, outer: String?, base: String)?
  /// What stands in feeds, one an entry and more; beyond it a document is not meant for people.
  private static let maximumCount = 10_000

  init(document: String?) {
    self.document = document
  }

  /// How many are kept: to forget the later ones when an item has ended.
  var count: Int { bases.count }

  func base(_ number: Int) -> String? {
    bases.indices.contains(number) ? bases[number] : nil
  }

  /// Takes an `xml:base`, itself relative to the one around it or to the document.
  mutating func enter(_ reference: String) {
    let outer = base(current) ?? document
    guard let base = resolved(reference, outer) else { return }
    if bases.last == base {
      current = bases.count - 1
    } else if bases.count < Self.maximumCount {
      bases.append(base)
      current = bases.count - 1
    }
  }

  private mutating func resolved(_ reference: String, _ outer: String?) -> String? {
    if let last, last.reference == reference, last.outer == outer { return last.base }
    let base = WebURL.resolveBase(reference, against: outer)
    last = base.map { (reference, outer, $0) }
    return base
  }

  mutating func leave(to number: Int) {
    current = number
  }

  mutating func forget(after count: Int) {
    guard bases.count > count, current < count else { return }
    bases.removeLast(bases.count - count)
  }
}
