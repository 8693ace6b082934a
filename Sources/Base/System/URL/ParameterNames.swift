/// Names of a query's parameters, which are found in any case of their letters.
///
/// PERF: a set would have a text made of each name.
struct ParameterNames: Sendable {
  private struct Name {
    let text: StaticString
    let isPrefix: Bool
  }

  /// Those whose first letters are alike in their lowest five bits stand together.
  private var names = [[Name]](repeating: [], count: 32)

  init(_ names: [StaticString], prefixes: [StaticString] = []) {
    for text in names { insert(Name(text: text, isPrefix: false)) }
    for text in prefixes { insert(Name(text: text, isPrefix: true)) }
  }

  private mutating func insert(_ name: Name) {
    names[Int(name.text.utf8Start[0] & 31)].append(name)
  }

  /// Looks for what stands before the first `=` of a parameter.
  func contains(nameOf parameter: UnsafeRawBufferPointer) -> Bool {
    guard let first = parameter.first else { return false }
    let end = ByteScan.first(0x3D, in: parameter, from: 0) ?? parameter.count
    return names[Int(first & 31)].contains { name in
      let count = name.text.utf8CodeUnitCount
      return (count == end || name.isPrefix && count < end) && parameter.hasASCII(name.text, at: 0)
    }
  }
}
