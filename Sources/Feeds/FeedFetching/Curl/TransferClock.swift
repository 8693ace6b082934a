struct TransferClock: Sendable {
  private let options: FetchOptions
  let started = ContinuousClock.now
  private var exchangeStarted = ContinuousClock.now
  /// The time of the exchange's first byte, moved on whenever `FetchOptions.minimumBytes` more have
  /// come.
  private var countedSince: ContinuousClock.Instant?
  private var countedBytes = 0
  private var receivedBytes = 0

  init(_ options: FetchOptions) {
    self.options = options
  }

  mutating func startExchange() {
    exchangeStarted = .now
    countedSince = nil
    (countedBytes, receivedBytes) = (0, 0)
  }

  mutating func haveBytes(_ received: Int, at now: ContinuousClock.Instant) {
    receivedBytes = received
    guard countedSince == nil || received - countedBytes >= options.minimumBytes else { return }
    countedSince = now
    countedBytes = received
  }

  var slowTime: ContinuousClock.Instant {
    (countedSince ?? exchangeStarted) + options.slowTime
  }

  /// Returns the end of the patience for the transfer.
  ///
  /// `connected` is the time from the exchange's start until its connection was there, nil before.
  func end(connected: Duration?) -> ContinuousClock.Instant {
    min(transferEnd, exchangeEnd(connected: connected))
  }

  func timeout(
    at now: ContinuousClock.Instant,
    connected: Duration?,
    host: String,
  ) -> FetchError? {
    if let overdue = overdue(at: now) { return overdue }
    guard now >= exchangeEnd(connected: connected) else { return nil }
    if countedSince == nil && connected == nil {
      return .connectTimeout(options.connectTimeout, host: host)
    }
    return receivedBytes == countedBytes
      ? .stalled(options.stallTimeout) : .tooSlow(options.stallTimeout)
  }

  /// Returns the failure of a transfer that takes too long altogether, however fast it is.
  func overdue(at now: ContinuousClock.Instant) -> FetchError? {
    now >= transferEnd ? .transferTimeout(options.transferTimeout) : nil
  }

  private var transferEnd: ContinuousClock.Instant { started + options.transferTimeout }

  private func exchangeEnd(connected: Duration?) -> ContinuousClock.Instant {
    if let countedSince { return countedSince + options.stallTimeout }
    guard let connected else { return exchangeStarted + options.connectTimeout }
    return exchangeStarted + connected + options.stallTimeout
  }
}
