import Testing

@testable import FeedFetching

@Suite("The words of TLS libraries are understood")
struct CertificateWordsTests {
  @Test(
    "OpenSSL's, GnuTLS's and LibreSSL's",
    arguments: [
      ("ssl certificate problem: certificate has expired", .expired),
      ("ssl certificate problem: certificate is not yet valid", .notYetValid),
      ("ssl certificate problem: self-signed certificate", .selfSigned),
      ("ssl certificate problem: self signed certificate", .selfSigned),
      ("ssl certificate problem: self-signed certificate in certificate chain", .unknownAuthority),
      ("ssl certificate problem: unable to get local issuer certificate", .unknownAuthority),
      ("ssl: no alternative certificate subject name matches target host name 'a'", .wrongHost),
      ("ssl: certificate subject name 'b' does not match target host name 'a'", .wrongHost),
      ("server certificate verification failed. cafile: none", .certificate),
      ("ssl certificate problem: certificate revoked", .revoked),
      ("", .certificate),
    ] as [(String, TLSFailure)],
  )
  func words(_ words: String, _ failure: TLSFailure) {
    #expect(CurlFailure.certificate(words) == failure)
  }

  @Test("every result of libcurl has a sentence of ours", arguments: [false, true])
  func results(_ hasBody: Bool) throws {
    try CurlLibrary.load()
    let easy = try #require(CurlEasy())
    let url = try HTTPURL("http://a.example/")
    for result in UInt32(0)...120 {
      let words = CurlFailure.error(
        result,
        easy: easy,
        url: url,
        hasBody: hasBody,
        options: .quick,
      ).description
      #expect(!words.contains("no error") && !words.contains("function"))
    }
    let unknown = CurlFailure.error(45, easy: easy, url: url, hasBody: hasBody, options: .quick)
    #expect("\(unknown)" == "libcurl stopped with error 45 (see libcurl-errors(3))")
  }
}
