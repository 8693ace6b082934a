internal import FeedModel

/// A value shared by a home and a server: a mark, a subscription, a feed's title or its folders.
///
/// A server is a replica without stamps. The last agreed value stands in for them: a side that
/// differs from it has changed since.
struct ServerValue {
  /// One object on the server; a story here may be several there.
  struct Side {
    /// The value last agreed on, or nil before the first agreement.
    let base: SyncValue?
    let there: SyncValue
  }

  /// The home's value, or nil if none is recorded.
  let here: SyncValue?
  let sides: [Side]
  let merged: SyncValue

  /// Merges the sides; `isNewer` says that the home's value was set after the last merge, here or on
  /// another machine.
  init(_ here: SyncValue?, isNewer: Bool = false, _ sides: [Side]) {
    (self.here, self.sides) = (here, sides)
    merged = Self.merged(here, isNewer, sides)
  }

  /// Merges the sides: the home wins if both have changed, and a value that was never agreed on is
  /// set if either side has it.
  private static func merged(
    _ here: SyncValue?,
    _ isNewer: Bool,
    _ sides: [Side],
  ) -> SyncValue {
    if let here, sides.contains(where: { $0.base != nil && (isNewer || $0.base != here) }) {
      return here
    }
    let changed = sides.first { $0.base != nil && $0.base != $0.there }
    return changed?.there ?? sides.reduce(here ?? .none) { $0.joined(with: $1.there) }
  }

  var isSettled: Bool { merged == here ?? .none && sides.allSatisfy { $0.there == merged } }

  var isTakenBack: Bool {
    let held = here ?? sides.lazy.compactMap(\.base).first { $0 != .none } ?? .none
    return merged == .none && held != .none
  }

  /// Returns the merged value, or nil while the user must be asked because too much was removed.
  func decided(_ consent: SyncConsent, isTooMuch: Bool) -> SyncValue? {
    isTooMuch && isTakenBack && consent != .accepted ? nil : merged
  }
}

extension SyncValue {
  fileprivate func joined(with other: SyncValue) -> SyncValue {
    guard self != .none else { return other }
    guard let own = texts, let others = other.texts else { return self }
    return .texts(own + others.filter { !own.contains($0) })
  }
}
