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
    coder.code(&refresh, .line)
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
    coder.code(&concessions)
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
    coder.code(cases: &self)
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

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    self = crossing
    coder.code(cases: &self)
    self = crossing
  }

  /// The error as it crosses: those of commands and files come from no other process.
  private var crossing: FetchError {
    switch self {
    case .passwordCommand, .headerCommand, .feedCommand, .filter, .file: .other("\(self)")
    default: self
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
