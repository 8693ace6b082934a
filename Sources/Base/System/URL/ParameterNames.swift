/// Names of a query's parameters, which are found in any case of their letters.
///
/// PERF: a set would have a text made of each name.
struct ParameterNames: Sendable {
  private struct Name {
    let text: StaticString
    let isPrefix: Bool
    /// The index of another name in the same slot; -1 for none.
    let next: Int
  }

  private var names: [Name] = []
  /// The index of a name by the lowest five bits of the first two letters; -1 for none.
  private var slots = [Int](repeating: -1, count: 256)

  init(_ names: [StaticString], prefixes: [StaticString] = []) {
    for text in names { insert(text, isPrefix: false) }
    for text in prefixes { insert(text, isPrefix: true) }
  }

  private mutating func insert(_ text: StaticString, isPrefix: Bool) {
    let slot = Self.slot(text.utf8Start[0], text.utf8Start[1])
    names.append(Name(text: text, isPrefix: isPrefix, next: slots[slot]))
    slots[slot] = names.count - 1
  }

  private static func slot(_ first: UInt8, _ second: UInt8) -> Int {
    Int(first & 31) << 3 ^ Int(second & 31)
  }

  /// Looks for what stands before the first `=` of a parameter.
  func contains(nameOf parameter: UnsafeRawBufferPointer) -> Bool {
    guard parameter.count > 1 else { return false }
    var index = slots[Self.slot(parameter[0], parameter[1])]
    guard index >= 0 else { return false }
    let end = ByteScan.first(0x3D, in: parameter, from: 0) ?? parameter.count
    while index >= 0 {
      let name = names[index]
      let count = name.text.utf8CodeUnitCount
      if count == end || name.isPrefix && count < end, parameter.hasASCII(name.text, at: 0) {
        return true
      }
      index = name.next
    }
    return false
  }
}
