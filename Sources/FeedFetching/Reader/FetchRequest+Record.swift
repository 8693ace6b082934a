package import FeedModel
package import System

// The records of a process that has another one fetch.

extension FetchRequest: RecordValue {
  package static let blank = FetchRequest(url: "")

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    coder.code(verbatim: &url)
    coder.code(&validators)
    coder.code(&index)
    coder.code(&trust)
    coder.code(&isOfSubscription)
    coder.code(&password)
    coder.code(&headers)
    coder.code(&userAgent)
    coder.code(&isHTTP1)
    coder.code(&maximumBytes)
    coder.code(&file)
    coder.code(&call)
    coder.code(&kept)
    coder.code(&reading)
    coder.code(&content, among: WantedContent.allCases)
    coder.code(&isStreamed)
  }
}

extension CacheValidators: RecordValue {
  package static let blank = CacheValidators(etag: nil, lastModified: nil, url: "")

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    coder.code(&etag)
    coder.code(&lastModified)
    coder.code(&url)
    coder.code(&isETagIgnored)
  }
}

extension RequestHeaders: RecordValue {
  package static let blank = RequestHeaders()

  /// Codes the fields, to which the command's output has been added before.
  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    fields = coder.code(constant: fields.map(\.line)).compactMap { RequestHeader($0) }
  }
}

extension NetrcEntry: RecordValue {
  package static let blank = NetrcEntry(host: "")

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    coder.code(&host)
    coder.code(&user)
    coder.code(&password)
  }
}

extension FetchOptions: RecordValue {
  package static let blank = FetchOptions()

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    coder.code(&deadline)
    coder.code(&maximumBytes)
    coder.code(&maximumHeaderBytes)
    coder.code(&maximumTransfers)
    coder.code(&maximumTransfersPerHost)
    coder.code(&maximumTransfersPerInternetHost)
    coder.code(&connectTimeout)
    coder.code(&stallTimeout)
    coder.code(&slowTime)
    coder.code(&transferTimeout)
    coder.code(&maximumRedirects)
    coder.code(&stoppedServers)
    coder.code(&userAgent)
    coder.code(&certificateAuthorities)
    coder.code(&certificateDirectory)
    coder.code(&proxies)
    coder.code(&workers)
  }
}
