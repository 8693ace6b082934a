package import System

/// The origin of an attempt to log in.
package struct LogInSource: Hashable, Sendable {
  let address: NetworkAddress
  /// True for a page in a browser, which must not block the apps of its reader.
  let isWebPage: Bool

  package init(address: NetworkAddress, isWebPage: Bool = false) {
    (self.address, self.isWebPage) = (address, isWebPage)
  }
}

/// The remaining attempts to log in, of each source and of all: after too many wrong ones, further
/// ones are refused for a while.
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

  private struct Key: Hashable {
    let network: [UInt8]
    let isWebPage: Bool

    init(_ source: LogInSource) {
      (network, isWebPage) = (source.address.network, source.isWebPage)
    }
  }

  private var sources: [Key: Tries] = [:]
  /// The attempts of all private addresses, and those of all others, which block no private one.
  private var all: [Bool: Tries] = [:]

  package enum Verdict: Hashable, Sendable {
    case heard
    /// Attempts of the source are refused up to this time, in seconds since 1970.
    case refused(until: Int)
  }

  package init() {}

  package func verdict(_ source: LogInSource, at now: Date) -> Verdict {
    let counted = [
      (sources[Key(source)], Self.mostOfAddress), (all[source.address.isPrivate], Self.mostOfAll),
    ]
    for (tries, most) in counted {
      guard let tries, tries.count >= most else { continue }
      let end = tries.begun + Self.period
      if end > now.wholeSeconds { return .refused(until: end) }
    }
    return .heard
  }

  /// Counts an attempt before its password is checked, so that simultaneous ones are as limited as
  /// others.
  package mutating func noteTry(_ source: LogInSource, at now: Date) -> Verdict {
    let (time, verdict) = (now.wholeSeconds, verdict(source, at: now))
    guard verdict == .heard else { return verdict }
    forgetOld(time)
    all[source.address.isPrivate, default: Tries(begun: time)].add(time)
    sources[Key(source), default: Tries(begun: time)].add(time)
    return .heard
  }

  /// Gives back an attempt with the right password, and the earlier ones of its source.
  package mutating func noteSuccess(_ source: LogInSource) {
    sources[Key(source)] = nil
    if let count = all[source.address.isPrivate]?.count, count > 0 {
      all[source.address.isPrivate]?.count = count - 1
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
