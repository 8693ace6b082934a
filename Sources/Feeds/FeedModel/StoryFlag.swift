/// A mark that a story has or has not, as the user says.
///
/// Each case is stored, shared with other machines, undone, and found by `is:`.
package enum StoryFlag: UInt8, CaseIterable, Comparable, Sendable {
  // Files have the numbers: a new flag comes last. `StoryFlags` has room for eight.
  case read, starred

  /// The key in the data file, whose name is the flag's everywhere.
  package var field: ItemField {
    switch self {
    case .read: .read
    case .starred: .starred
    }
  }

  package static func < (one: StoryFlag, other: StoryFlag) -> Bool {
    one.rawValue < other.rawValue
  }
}

/// The flags that a story has.
package struct StoryFlags: OptionSet, Hashable, Sendable {
  package var rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package subscript(flag: StoryFlag) -> Bool {
    get { rawValue >> flag.rawValue & 1 != 0 }
    set { rawValue = rawValue & ~(1 << flag.rawValue) | (newValue ? 1 << flag.rawValue : 0) }
  }
}
