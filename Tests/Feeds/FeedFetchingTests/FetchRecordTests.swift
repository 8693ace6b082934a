import FeedModel
import System
import TestSupport
import Testing

@testable import FeedFetching

@Suite("What one process tells another of what it fetched")
struct FetchRecordTests {
  @Test(
    "an error comes as it was",
    arguments: [
      FetchError.invalidURL, .library(LibraryFault(.curl, "x")), .resourcesExhausted,
      .passwordMissing(host: "h"),
      .nameNotResolved(host: "h"), .nameUnknown(host: "h"), .connectionRefused(host: "h"),
      .networkUnreachable(host: "h"), .connectionFailed(host: "h"),
      .connectTimeout(.seconds(10), host: "h"), .tls(.wrongHost), .proxyFailed(status: nil),
      .proxyFailed(status: 407), .stalled(.seconds(15)), .tooSlow(.seconds(15)),
      .transferTimeout(.seconds(60)), .deadline, .cancelled, .truncated, .readerEnded,
      .bodyTooLarge(maximumBytes: 5), .headersTooLarge(maximumBytes: 6),
      .tooManyRedirects(maximum: 10), .redirectWithoutLocation(status: 301),
      .redirected(to: "https://a.example/"), .status(404),
      .library(LibraryFault(.idn2, "x")), .refusedCall(status: 403, answer: "no"),
      .hostBusy(status: 429, retryAfter: .delay(7)), .protectionService(status: 403, name: "n"),
      .other("words"), .unsupportedScheme, .secretInTheClear, .proxyNotResolved, .connectionClosed,
      .brokenHTTP2,
      .proxyRefused, .notBegun, .malformedResponse, .undecodableBody, .unexpectedNotModified,
      .restRefused, .compressedFile, .stoppedByReceiver, .redirectLoop, .redirectUnsupported,
      .redirectDowngrade, .redirectToPrivateNetwork, .privateNetwork,
    ] as [FetchError],
  )
  func errors(_ error: FetchError) {
    #expect(FetchError(record: error.record) == error)
    let outcome = FetchOutcome.failed(error, nil)
    #expect(FetchOutcome(record: outcome.record) == outcome)
  }

  @Test("an answer comes as it was, and a request as it was made")
  func answers() throws {
    var response = FetchResponse(status: 200, url: "https://a.example/f")
    response.validators = CacheValidators(
      etag: "\"e\"",
      lastModified: nil,
      url: "https://a.example/f",
    )
    response.freshness.maximumAge = 60
    response.retryAfter = .instant(Date(timeIntervalSince1970: 1))
    response.duration = .milliseconds(12)
    (response.isOnInternet, response.concessions) = (false, .all)
    let outcomes = [
      FetchOutcome.content(response), .notModified(response), .failed(.truncated, response),
    ]
    for outcome in outcomes { #expect(FetchOutcome(record: outcome.record) == outcome) }
    var request = FetchRequest(url: "https://user@a.example/f", index: 3)
    request.headers.fields = [try #require(RequestHeader("X-A: b"))]
    request.call = ServiceCall(form: "a=b")
    request.file = FileRequest(from: 7, of: "\"v\"")
    request.concessions = [.noCoding, .http1]
    (request.content, request.isStreamed, request.reading) = (.text, true, [1, 2, 3])
    request.kept = [NetrcEntry(host: "a.example", user: "user", password: "word")]
    #expect(FetchRequest(record: request.record) == request)
    // One URL that no one can fetch must not cost the batch.
    request.url = "http://a.example/\u{1}\u{7f}\0"
    #expect(FetchRequest(record: request.record) == request)
  }

  @Test("control characters in words of servers are told as blanks")
  func controls() {
    let error = FetchError.redirected(to: "https://a.example/\u{7f}b\u{1}c")
    #expect(FetchError(record: error.record) == .redirected(to: "https://a.example/ b c"))
  }

  @Test("each value of an answer is refused that is none of its kind")
  func kinds() {
    #expect(ReaderAnswer.faults(fit: ["hostBusy", "delay"].map { Array($0.utf8) }) == [])
  }

  @Test("an account in a URL does not cross, and a URL that is none of the web is none")
  func addresses() throws {
    var response = FetchResponse(status: 301, url: "https://me:word@a.example/f")
    response.permanentURL = "exec:touch x"
    let read = try #require(FetchOutcome(record: FetchOutcome.content(response).record))
    #expect(read.response?.url == "https://a.example/f")
    #expect(read.response?.permanentURL == nil)
  }

  @Test("bytes that are no record are taken for none")
  func damaged() {
    let record = FetchOutcome.failed(.status(500), FetchResponse(status: 500, url: "u")).record
    for count in 0..<record.count { #expect(FetchOutcome(record: Array(record[..<count])) == nil) }
    for index in record.indices {
      var bytes = record
      bytes[index] ^= 0xff
      _ = FetchOutcome(record: bytes)
    }
    let huge = ReaderAnswer(record: [UInt8](repeating: 0xff, count: 64))
    #expect(huge == nil)
  }
}
