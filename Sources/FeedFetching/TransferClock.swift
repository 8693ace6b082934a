/// How long a transfer and its exchange with one server have taken, and may take.
struct TransferClock: Sendable {
  let started = ContinuousClock.now
  private var exchangeStarted = ContinuousClock.now
  /// When the exchange's last bytes came; nil before the first.
  private(set) var lastBytes: ContinuousClock.Instant?

  mutating func startExchange() {
    exchangeStarted = .now
    lastBytes = nil
  }

  mutating func haveBytes(at now: ContinuousClock.Instant) {
    lastBytes = now
  }

  /// When patience ends.
  ///
  /// `connected` is the time from the exchange's start until its connection was there, nil before.
  func end(_ options: FetchOptions, connected: Duration?) -> ContinuousClock.Instant {
    min(started + options.transferTimeout, exchangeEnd(options, connected: connected))
  }

  /// The failure of a transfer whose patience has ended; nil for others.
  func timeout(
    _ options: FetchOptions,
    connected: Duration?,
    host: String,
  ) -> FetchError? {
    let now = ContinuousClock.now
    if now >= started + options.transferTimeout {
      return .transferTimeout(options.transferTimeout)
    }
    guard now >= exchangeEnd(options, connected: connected) else { return nil }
    return lastBytes == nil && connected == nil
      ? .connectTimeout(options.connectTimeout, host: host)
      : .stalled(options.stallTimeout)
  }

  private func exchangeEnd(
    _ options: FetchOptions,
    connected: Duration?,
  ) -> ContinuousClock.Instant {
    if let lastBytes { return lastBytes + options.stallTimeout }
    guard let connected else { return exchangeStarted + options.connectTimeout }
    return exchangeStarted + connected + options.stallTimeout
  }
}
