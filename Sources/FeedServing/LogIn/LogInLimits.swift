package import System

/// The remaining attempts to log in, of each address and of all: after too many wrong ones, further
/// ones are refused for a while.
package struct LogInLimits: Sendable {
  /// The most wrong attempts in `period`.
  package static let (mostOfAddress, mostOfAll) = (10, 200)
  /// The seconds after which an attempt no longer counts.
  package static let period = 600
  /// The most addresses that are remembered.
  private static let mostAddresses = 1_000

  private struct Tries: Sendable {
    var begun: Int
    var count = 0
  }

  private var addresses: [[UInt8]: Tries] = [:]
  private var all = Tries(begun: .min)

  package enum Verdict: Hashable, Sendable {
    case heard
    /// Attempts of the address are refused up to this time, in seconds since 1970.
    case refused(until: Int)
  }

  package init() {}

  package func verdict(_ address: NetworkAddress, at now: Date) -> Verdict {
    let tries = addresses[address.network]
    for (tries, most) in [(tries, Self.mostOfAddress), (all, Self.mostOfAll)] {
      guard let tries, tries.count >= most else { continue }
      let end = tries.begun + Self.period
      if end > now.wholeSeconds { return .refused(until: end) }
    }
    return .heard
  }

  /// Counts an attempt before its password is checked, so that simultaneous ones are as limited as
  /// others.
  package mutating func noteTry(_ address: NetworkAddress, at now: Date) -> Verdict {
    let (time, verdict) = (now.wholeSeconds, verdict(address, at: now))
    guard verdict == .heard else { return verdict }
    all = Self.adding(to: all, time)
    forgetOld(time)
    addresses[address.network] = Self.adding(to: addresses[address.network], time)
    return .heard
  }

  /// Gives back an attempt with the right password, and the earlier ones of its address.
  package mutating func noteSuccess(_ address: NetworkAddress) {
    addresses[address.network] = nil
    all.count = max(all.count - 1, 0)
  }

  private static func adding(to tries: Tries?, _ now: Int) -> Tries {
    var new = tries ?? Tries(begun: now)
    if new.begun + period <= now { new = Tries(begun: now) }
    new.count += 1
    return new
  }

  private mutating func forgetOld(_ now: Int) {
    guard addresses.count >= Self.mostAddresses else { return }
    addresses = addresses.filter { $0.value.begun + Self.period > now }
    guard addresses.count >= Self.mostAddresses,
      let oldest = addresses.min(by: { $0.value.begun < $1.value.begun })
    else { return }
    addresses[oldest.key] = nil
  }
}
