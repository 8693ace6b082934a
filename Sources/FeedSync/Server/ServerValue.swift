internal import FeedModel

/// A value that a home and a server have in common: a mark of a story, that a feed is followed, a
/// feed's title or its folders.
///
/// A server is a replica without stamps, for which the last agreed values stand in: a side that has
/// another value has changed it since.
struct ServerValue {
  /// One thing of the server; a story here may be several there.
  struct Side {
    /// The value that both agreed on last; nil where they never did.
    let base: SyncValue?
    let there: SyncValue
  }

  /// The home's value; nil where none is recorded.
  let here: SyncValue?
  let sides: [Side]
  /// The value that both are to have.
  let merged: SyncValue

  init(_ here: SyncValue?, _ sides: [Side]) {
    (self.here, self.sides) = (here, sides)
    merged = Self.merged(here, sides)
  }

  /// Of a value that both have changed the home's wins; one that never was agreed on is set where
  /// either side has it.
  private static func merged(_ here: SyncValue?, _ sides: [Side]) -> SyncValue {
    if let here, sides.contains(where: { $0.base != nil && $0.base != here }) { return here }
    let changed = sides.first { $0.base != nil && $0.base != $0.there }
    return changed?.there ?? sides.reduce(here ?? .none) { $0.joined(with: $1.there) }
  }

  /// True where neither side has anything to do.
  var isSettled: Bool { merged == here ?? .none && sides.allSatisfy { $0.there == merged } }

  /// True where the server has taken away what the home has.
  var isTakenBack: Bool { merged == .none && held != .none }

  private var held: SyncValue {
    here ?? sides.lazy.compactMap(\.base).first { $0 != .none } ?? .none
  }

  /// Returns the value that both get now; nil as long as the reader is to be asked first, since the
  /// server has taken back too much.
  func decided(_ consent: SyncConsent, isTooMuch: Bool) -> SyncValue? {
    guard isTooMuch, isTakenBack, consent != .accepted else { return merged }
    return consent == .restored ? held : nil
  }
}

extension SyncValue {
  fileprivate func joined(with other: SyncValue) -> SyncValue {
    guard self != .none else { return other }
    guard let own = texts, let others = other.texts else { return self }
    return .texts(own + others.filter { !own.contains($0) })
  }
}
