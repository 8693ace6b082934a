package import System

/// The remaining attempts to log in, of each source and of all: after too many wrong ones, further
/// ones are refused for a while.
///
/// A source is an address; nil, one that a proxy did not say, counts as one of the internet.
package struct LogInLimits: Sendable {
  /// The most wrong attempts in `period`.
  package static let (mostOfAddress, mostOfAll) = (10, 200)
  /// The seconds after which an attempt no longer counts.
  package static let period = 600
  /// The most sources that are remembered.
  private static let mostSources = 1_000

  private struct Tries: Sendable {
    var begun: Int
    var count = 0

    mutating func add(_ now: Int) {
      if begun + period <= now { self = Tries(begun: now) }
      count += 1
    }
  }

  private var sources: [[UInt8]?: Tries] = [:]
  /// The attempts of all private addresses, and those of all others, which block no private one.
  private var all: [Bool: Tries] = [:]

  package init() {}

  /// Returns false while attempts of a source are refused.
  package func hears(_ source: NetworkAddress?, at now: Date) -> Bool {
    let counted = [
      (sources[source?.network], Self.mostOfAddress),
      (all[source?.isPrivate == true], Self.mostOfAll),
    ]
    return counted.allSatisfy { tries, most in
      guard let tries, tries.count >= most else { return true }
      return tries.begun + Self.period <= now.wholeSeconds
    }
  }

  /// Counts an attempt before its password is checked, so that simultaneous ones are as limited as
  /// others; returns false where it is refused.
  package mutating func noteTry(_ source: NetworkAddress?, at now: Date) -> Bool {
    guard hears(source, at: now) else { return false }
    let time = now.wholeSeconds
    forgetOld(time)
    all[source?.isPrivate == true, default: Tries(begun: time)].add(time)
    sources[source?.network, default: Tries(begun: time)].add(time)
    return true
  }

  /// Gives back an attempt with the right password, and the earlier ones of its source.
  package mutating func noteSuccess(_ source: NetworkAddress?) {
    sources[source?.network] = nil
    if let count = all[source?.isPrivate == true]?.count, count > 0 {
      all[source?.isPrivate == true]?.count = count - 1
    }
  }

  private mutating func forgetOld(_ now: Int) {
    guard sources.count >= Self.mostSources else { return }
    sources = sources.filter { $0.value.begun + Self.period > now }
    guard sources.count >= Self.mostSources,
      let oldest = sources.min(by: { $0.value.begun < $1.value.begun })
    else { return }
    sources[oldest.key] = nil
  }
}
