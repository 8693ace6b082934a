/// How many objects values make up in a binary property list, at most: keys count once.
package struct PropertyListCount {
  package private(set) var objects = 0
  private var keys: Set<String> = []

  package init(_ value: PropertyListValue) {
    add(value)
  }

  package mutating func add(_ value: PropertyListValue) {
    objects += 1
    switch value {
    case .array(let values):
      for value in values { add(value) }
    case .dictionary(let dictionary):
      for entry in dictionary.entries {
        if keys.insert(entry.key).inserted { objects += 1 }
        add(entry.value)
      }
    default: break
    }
  }
}
