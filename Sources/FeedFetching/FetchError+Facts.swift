extension FetchError {
  /// The HTTP status that the failure is about.
  package var status: Int? {
    switch self {
    case .status(let status), .redirectWithoutLocation(let status), .hostBusy(let status, _),
      .protectionService(let status, _):
      status
    case .unexpectedNotModified: 304
    case .proxyFailed(let status): status
    default: nil
    }
  }

  /// Whether the server said that the feed is gone for good (410).
  package var isGone: Bool {
    self == .status(410)
  }

  /// Whether it looks as though nothing could be reached from here.
  ///
  /// When all hosts fail like this, the machine is offline. A refused connection is not of these,
  /// nor is a name that has no address: somebody answered. Names that all lead into the network of
  /// this machine are what a captive portal's resolver says.
  package var isNetworkUnreachable: Bool {
    switch self {
    case .nameNotResolved, .proxyNotResolved, .networkUnreachable, .connectionFailed,
      .connectTimeout, .privateNetwork:
      true
    default:
      false
    }
  }

  /// Whether the request was not answered because the run ended, or was never made: not for this
  /// machine's own want either.
  package var isUnasked: Bool {
    switch self {
    case .deadline, .cancelled, .hostBusy, .libraryMissing, .resourcesExhausted: true
    default: false
    }
  }

  /// When a server that was not asked wants to be asked again, where it said so.
  package var retryAfter: RetryAfter? {
    switch self {
    case .hostBusy(_, let retryAfter): retryAfter
    default: nil
    }
  }
}
