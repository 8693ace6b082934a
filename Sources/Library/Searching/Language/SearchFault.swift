package struct SearchFault: Error, Hashable, Sendable {
  /// The number of characters before the fault.
  package let offset: Int
  package let reason: String
}

extension SearchFault: CustomStringConvertible {
  package var description: String { "at character \(offset + 1): \(reason)" }
}
