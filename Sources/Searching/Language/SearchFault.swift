/// Why a search is not understood, and where.
package struct SearchFault: Error, Hashable, Sendable {
  /// Characters before the place of the fault.
  package let offset: Int
  package let reason: String
}

extension SearchFault: CustomStringConvertible {
  package var description: String { "at character \(offset + 1): \(reason)" }
}
