internal import System

/// The id of a story: a number where it is one of ours.
///
/// PERF: a string of one has 64 bytes of its own.
package enum StoryID: Hashable, Sendable {
  case number(UInt64)
  indirect case other(String)

  package init(_ text: String) {
    self = ItemID.number(of: text.utf8).map(Self.number) ?? .other(text)
  }

  package var text: String {
    switch self {
    case .number(let number): number.hexadecimal
    case .other(let text): text
    }
  }
}
