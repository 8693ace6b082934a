internal import CCurl
import System

enum CurlFailure {
  /// Returns the failure behind a result; `CCURL_OK` stands for an answer without a whole head.
  ///
  /// `hasBody` is true if the answer's head had come.
  static func error(
    _ result: UInt32,
    easy: CurlEasy,
    url: HTTPURL,
    hasBody: Bool,
    options: FetchOptions,
  ) -> FetchError {
    if easy.proxyStatus >= 300 { return .proxyFailed(status: easy.proxyStatus) }
    return switch Int(result) {
    case CCURL_COULDNT_CONNECT: connection(easy, url)
    case CCURL_OPERATION_TIMEDOUT: .connectTimeout(options.connectTimeout, host: url.host)
    case _ where isOfHTTP2(result): .brokenHTTP2
    case CCURL_PARTIAL_FILE, CCURL_RECV_ERROR, CCURL_SEND_ERROR:
      hasBody ? .truncated : .connectionClosed
    // libcurl's own limit for one line of a head, by its old name and its new one.
    case CCURL_OUT_OF_MEMORY where !hasBody && easy.timeUntilConnected != nil, CCURL_TOO_LARGE:
      .headersTooLarge(maximumBytes: options.maximumHeaderBytes)
    case CCURL_SSL_CONNECT_ERROR, CCURL_SSL_CIPHER, CCURL_SSL_CLIENTCERT: .tls(.handshake)
    case CCURL_SSL_CACERT_BADFILE: .tls(.authoritiesUnreadable)
    case CCURL_PEER_FAILED_VERIFICATION: .tls(certificate(easy.errorWords))
    case CCURL_SSL_ISSUER_ERROR, CCURL_SSL_PINNEDPUBKEYNOTMATCH, CCURL_SSL_INVALIDCERTSTATUS:
      .tls(.certificate)
    case CCURL_COULDNT_RESOLVE_HOST where POSIX.lacksDescriptors: .resourcesExhausted
    case CCURL_COULDNT_RESOLVE_HOST: .nameNotResolved(host: url.host)
    case CCURL_COULDNT_RESOLVE_PROXY: .proxyNotResolved
    case CCURL_PROXY: .proxyFailed(status: nil)
    case CCURL_SSL_CERTPROBLEM: .certificates(nil)
    case CCURL_URL_MALFORMAT: .invalidURL
    case CCURL_UNSUPPORTED_PROTOCOL where easy.errorWords.contains("\"https\""):
      .other("the installed libcurl has no TLS")
    // The request's own scheme has been checked: this is about an answer like HTTP/0.9's, about one
    // whose first header line is folded, and about one that ends before its head does.
    case CCURL_UNSUPPORTED_PROTOCOL, CCURL_WEIRD_SERVER_REPLY, CCURL_BAD_FUNCTION_ARGUMENT,
      CCURL_OK:
      .malformedResponse
    case CCURL_GOT_NOTHING: .connectionClosed
    case _ where isOfCoding(result): .undecodableBody
    case CCURL_OUT_OF_MEMORY: .resourcesExhausted
    default: .other("libcurl stopped with error \(result) (see libcurl-errors(3))")
    }
  }

  /// Returns true where the server broke off a stream, or the connection of all (RFC 9113 §6.4,
  /// §6.8).
  static func isOfHTTP2(_ result: UInt32) -> Bool {
    [CCURL_HTTP2, CCURL_HTTP2_STREAM].contains(Int(result))
  }

  /// Returns true where libcurl could not undo a coding: it says so in several ways, and our own
  /// refusals of a body are known before.
  static func isOfCoding(_ result: UInt32) -> Bool {
    [CCURL_BAD_CONTENT_ENCODING, CCURL_WRITE_ERROR].contains(Int(result))
  }

  /// Tells a proxy that could not be connected to from a server: libcurl's words name the host that
  /// it tried.
  private static func connection(_ easy: CurlEasy, _ url: HTTPURL) -> FetchError {
    let isProxy =
      easy.errorWords.hasPrefix("failed to connect to ")
      && !easy.errorWords.hasPrefix("failed to connect to \(url.bareHost) port ")
    let host = isProxy ? "the proxy" : url.host
    return switch easy.systemError {
    case ECONNREFUSED: isProxy ? .proxyRefused : .connectionRefused(host: host)
    case ENETUNREACH, EHOSTUNREACH, ENETDOWN, EADDRNOTAVAIL: .networkUnreachable(host: host)
    case EMFILE, ENFILE, ENOMEM: .resourcesExhausted
    // Without a socket there is no error of connecting it.
    case 0 where POSIX.lacksDescriptors: .resourcesExhausted
    default: .connectionFailed(host: host)
    }
  }

  /// Returns why a certificate is bad, which its result does not say: OpenSSL, GnuTLS and Apple's say
  /// it in words.
  static func certificate(_ words: String) -> TLSFailure {
    let kinds: [(words: [String], failure: TLSFailure)] = [
      (["not match", "no alternative certificate", "subject name"], .wrongHost),
      (["expired"], .expired),
      (["not yet valid", "not yet activated"], .notYetValid),
      (["self signed certificate in", "self-signed certificate in"], .unknownAuthority),
      (["self signed", "self-signed"], .selfSigned),
      (["revoked"], .revoked),
      (
        ["local issuer", "unknown ca", "not trusted", "issuer", "unable to verify"],
        .unknownAuthority,
      ),
    ]
    let kind = kinds.first { kind in kind.words.contains { words.contains($0) } }
    return kind?.failure ?? .certificate
  }
}
