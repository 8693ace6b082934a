/// The tags of a feed or a story: at most `most`, whoever sets them; those behind find no room.
@propertyWrapper
package struct TagList: Hashable, Sendable {
  package static let most = 100

  private var names: [String] = []
  /// The number of tags that found no room at the last change.
  package private(set) var leftOut = 0

  package var wrappedValue: [String] {
    get { names }
    set {
      names = Self.bounded(newValue)
      leftOut = newValue.count - names.count
    }
  }

  package var projectedValue: TagList { self }

  package init(wrappedValue: [String]) { self.wrappedValue = wrappedValue }

  package static func bounded(_ names: [String]) -> [String] {
    names.count > most ? Array(names.prefix(most)) : names
  }
}

package struct TagLimit: Error, CustomStringConvertible {
  package init() {}

  package var description: String { "a feed or a story has at most \(TagList.most) tags" }
}
