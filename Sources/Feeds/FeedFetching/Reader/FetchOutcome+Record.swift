package import System

// The records of a process that fetches for another one.

extension ResponseHead: RecordValue {
  package static let blank = ResponseHead(status: nil, url: "")

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    coder.code(&status, in: 0...999)
    coder.code(&url, .webURL)
    coder.code(&contentType, .field)
    coder.code(&charset, .field)
    coder.code(&links, .line)
    coder.code(&file)
    coder.code(&size, in: FileRequest.sizes)
  }
}

extension FetchResponse: RecordValue {
  package static let blank = FetchResponse(status: nil, url: "")

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    coder.code(&status, in: 0...999)
    coder.code(&url, .webURL)
    coder.code(&permanentURL, .webURL)
    coder.code(&validators)
    coder.code(&freshness)
    coder.code(&retryAfter)
    coder.code(&contentType, .field)
    coder.code(&charset, .field)
    coder.code(&fileSize, in: FileRequest.sizes)
    coder.code(&isOnInternet)
    coder.code(&speaksForOneFeed)
    coder.code(&trust)
    coder.code(&isUncoded)
    coder.code(&bytes, in: FileRequest.sizes)
    coder.code(&requests, in: 0...1_000)
    coder.code(&duration)
  }
}

extension Freshness: RecordValue {
  package static let blank = Freshness()

  private static let seconds = 0...1 << 31

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    coder.code(&maximumAge, in: Self.seconds)
    coder.code(&isNoStore)
    coder.code(&isNoCache)
    coder.code(&expires)
    coder.code(&date)
    coder.code(&age, in: Self.seconds)
  }
}

extension RetryAfter: RecordValue {
  package static let blank = RetryAfter.delay(0)

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    var (delay, instant): (Int?, Date?) = (nil, nil)
    switch self {
    case .delay(let seconds): delay = seconds
    case .instant(let date): instant = date
    }
    coder.code(&delay, in: 0...Int.max)
    coder.code(&instant)
    self = instant.map(RetryAfter.instant) ?? .delay(delay ?? 0)
  }
}

extension FetchOutcome: RecordValue {
  package static let blank = FetchOutcome.failed(.cancelled, nil)

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    var (isUnchanged, error, response) = (false, self.error, self.response)
    if case .notModified = self { isUnchanged = true }
    coder.code(&isUnchanged)
    coder.code(&error)
    coder.code(&response)
    switch (error, response) {
    case (let error?, _): self = .failed(error, response)
    case (nil, let response?): self = isUnchanged ? .notModified(response) : .content(response)
    case (nil, nil): coder.fail()
    }
  }
}

extension FetchError: RecordValue {
  package static let blank = FetchError.cancelled

  private static let bare: [FetchError] = [
    .invalidURL, .unsupportedScheme, .resourcesExhausted, .secretInTheClear, .proxyNotResolved,
    .connectionClosed, .proxyRefused, .deadline, .notBegun, .cancelled, .malformedResponse,
    .truncated, .undecodableBody, .unexpectedNotModified, .restRefused,
    .compressedFile, .stoppedByReceiver, .redirectLoop, .redirectUnsupported, .redirectDowngrade,
    .redirectToPrivateNetwork, .privateNetwork, .readerEnded,
  ]

  private static let tls: [TLSFailure] = [
    .expired, .notYetValid, .selfSigned, .wrongHost, .unknownAuthority, .revoked, .handshake,
    .certificate, .authoritiesUnreadable,
  ]

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    var parts = ErrorParts(self, bare: Self.bare, tls: Self.tls)
    coder.code(&parts.kind, in: 0...ErrorParts.lastKind)
    coder.code(&parts.number, in: 0...Int.max)
    coder.code(&parts.text, .line)
    coder.code(&parts.duration)
    coder.code(&parts.retryAfter)
    guard let error = parts.error(bare: Self.bare, tls: Self.tls) else { return coder.fail() }
    self = error
  }
}

/// The parts of an error; those of commands and files, which come from no other process, become
/// `other`.
private struct ErrorParts {
  var kind = 0
  var number: Int?
  var text = ""
  var duration = Duration.zero
  var retryAfter: RetryAfter?

  private static let firstKind = 100
  static let lastKind = firstKind + 22

  init(_ error: FetchError, bare: [FetchError], tls: [TLSFailure]) {
    let first = Self.firstKind
    switch error {
    case .invalidURL, .unsupportedScheme, .resourcesExhausted, .secretInTheClear, .proxyNotResolved,
      .connectionClosed, .proxyRefused, .deadline, .notBegun, .cancelled, .malformedResponse,
      .truncated, .undecodableBody, .unexpectedNotModified, .restRefused, .compressedFile,
      .stoppedByReceiver, .redirectLoop, .redirectUnsupported, .redirectDowngrade,
      .redirectToPrivateNetwork, .privateNetwork, .readerEnded:
      kind = bare.firstIndex(of: error) ?? -1
    case .library(let fault):
      (kind, text) = (first, fault.reason)
      number = LoadedLibrary.allCases.firstIndex(of: fault.library)
    case .passwordMissing(let host): (kind, text) = (first + 1, host)
    case .nameNotResolved(let host): (kind, text) = (first + 2, host)
    case .nameUnknown(let host): (kind, text) = (first + 3, host)
    case .connectionRefused(let host): (kind, text) = (first + 4, host)
    case .networkUnreachable(let host): (kind, text) = (first + 5, host)
    case .connectionFailed(let host): (kind, text) = (first + 6, host)
    case .connectTimeout(let time, let host): (kind, text, duration) = (first + 7, host, time)
    case .tls(let failure): (kind, number) = (first + 8, tls.firstIndex(of: failure))
    case .proxyFailed(let status): (kind, number) = (first + 9, status)
    case .stalled(let time): (kind, duration) = (first + 10, time)
    case .tooSlow(let time): (kind, duration) = (first + 11, time)
    case .transferTimeout(let time): (kind, duration) = (first + 12, time)
    case .bodyTooLarge(let bytes): (kind, number) = (first + 13, bytes)
    case .headersTooLarge(let bytes): (kind, number) = (first + 14, bytes)
    case .tooManyRedirects(let maximum): (kind, number) = (first + 15, maximum)
    case .redirectWithoutLocation(let status): (kind, number) = (first + 16, status)
    case .redirected(let url): (kind, text) = (first + 17, url)
    case .status(let status): (kind, number) = (first + 18, status)
    case .hostBusy(let status, let wait): (kind, number, retryAfter) = (first + 19, status, wait)
    case .protectionService(let status, let name):
      (kind, number, text) = (first + 20, status, name)
    case .other(let words): (kind, text) = (first + 21, words)
    case .refusedCall(let status, let answer):
      (kind, number, text) = (first + 22, status, answer)
    case .passwordCommand, .headerCommand, .feedCommand, .filter, .file:
      (kind, text) = (first + 21, "\(error)")
    }
  }

  func error(bare: [FetchError], tls: [TLSFailure]) -> FetchError? {
    if bare.indices.contains(kind) { return bare[kind] }
    let number = number ?? 0
    return switch kind - Self.firstKind {
    case 0:
      LoadedLibrary.allCases.indices.contains(number)
        ? .library(LibraryFault(LoadedLibrary.allCases[number], text)) : nil
    case 1: .passwordMissing(host: text)
    case 2: .nameNotResolved(host: text)
    case 3: .nameUnknown(host: text)
    case 4: .connectionRefused(host: text)
    case 5: .networkUnreachable(host: text)
    case 6: .connectionFailed(host: text)
    case 7: .connectTimeout(duration, host: text)
    case 8: tls.indices.contains(number) ? .tls(tls[number]) : nil
    case 9: .proxyFailed(status: self.number)
    case 10: .stalled(duration)
    case 11: .tooSlow(duration)
    case 12: .transferTimeout(duration)
    case 13: .bodyTooLarge(maximumBytes: number)
    case 14: .headersTooLarge(maximumBytes: number)
    case 15: .tooManyRedirects(maximum: number)
    case 16: .redirectWithoutLocation(status: number)
    case 17: .redirected(to: text)
    case 18: .status(number)
    case 19: .hostBusy(status: number, retryAfter: retryAfter)
    case 20: .protectionService(status: number, name: text)
    case 21: .other(text)
    case 22: .refusedCall(status: number, answer: text)
    default: nil
    }
  }
}

extension ContinuousClock.Instant: RecordValue {
  package static var blank: Self { .now }

  /// Codes the time from now on: clocks of two processes have no common zero.
  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    let now = Self.now
    self = now + coder.code(constant: now.duration(to: self))
  }
}
