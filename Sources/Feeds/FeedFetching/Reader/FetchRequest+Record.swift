package import FeedModel
package import System

// The records of a process that has another one fetch.

extension FetchRequest: RecordValue {
  package static let blank = FetchRequest(url: "")

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    coder.code(&url, .own)
    // A request says it as it is stored.
    var place = validators?.url ?? ""
    coder.code(&validators)
    coder.code(&place, .own)
    validators?.url = place
    coder.code(&index, in: 0...Int.max)
    coder.code(&trust)
    coder.code(&isOfSubscription)
    coder.code(&password, .own)
    coder.code(&headers)
    coder.code(&route.proxy, .own)
    coder.code(&certificates)
    coder.code(&userAgent, .own)
    coder.code(&isHTTP1)
    coder.code(&concessions)
    coder.code(&maximumBytes, in: FileRequest.sizes)
    coder.code(&file)
    coder.code(&call)
    coder.code(&kept)
    coder.code(&reading) { _ in true }
    coder.code(&content, among: WantedContent.allCases)
    coder.code(&isStreamed)
  }
}

extension Concessions: RecordValue {
  package static let blank: Concessions = []

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    coder.code(&rawValue, in: 0...Self.all.rawValue)
  }
}

extension CacheValidators: RecordValue {
  package static let blank = CacheValidators(etag: nil, lastModified: nil, url: "")

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    coder.code(&etag, .field)
    coder.code(&lastModified, .field)
    // PERF: nearly all addresses cross as they stand; to take one apart costs as much as its answer.
    if !coder.isReading, !url.withUTF8(RecordText.webURL.accepts) {
      url = (try? HTTPURL(url))?.publicText ?? ""
    }
    coder.code(&url, .webURL)
    coder.code(&isETagIgnored)
  }
}

extension RequestHeaders: RecordValue {
  package static let blank = RequestHeaders()

  /// Codes the fields, to which the command's output has been added before.
  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    var lines = fields.map(\.line)
    coder.code(&lines, .own)
    fields = lines.compactMap { RequestHeader($0) }
  }
}

extension NetrcEntry: RecordValue {
  package static let blank = NetrcEntry(host: "")

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    coder.code(&host, .own)
    coder.code(&user, .own)
    coder.code(&password, .own)
  }
}

extension FetchOptions: RecordValue {
  package static let blank = FetchOptions()

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    coder.code(&deadline)
    coder.code(&maximumBytes, in: 0...Int.max)
    coder.code(&maximumHeaderBytes, in: 0...Int.max)
    coder.code(&maximumTransfers, in: 0...Int.max)
    coder.code(&maximumTransfersPerHost, in: 0...Int.max)
    coder.code(&maximumTransfersPerInternetHost, in: 0...Int.max)
    coder.code(&connectTimeout)
    coder.code(&stallTimeout)
    coder.code(&slowTime)
    coder.code(&transferTimeout)
    coder.code(&maximumRedirects, in: 0...Int.max)
    coder.code(&stoppedServers) { $0.code(&$1) }
    coder.code(&userAgent, .own)
    coder.code(&certificateAuthorities, .own)
    coder.code(&certificateDirectory, .own)
    coder.code(&proxies)
    coder.code(&workers, in: 1...Int.max)
  }
}
