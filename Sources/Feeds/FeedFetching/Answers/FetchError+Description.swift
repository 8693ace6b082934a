import System

extension FetchError: CustomStringConvertible {
  package var description: String {
    switch self {
    // Before anything is sent, commands and passwords
    case .unsupportedScheme: "only http, https and file URLs can be fetched"
    case .library(let fault): fault.sentence
    case .resourcesExhausted: "this machine is out of memory, threads or open files"
    case .file(let failure): failure.description
    case .passwordCommand(let failure):
      Self.words(
        failure,
        of: "the command for its password",
        withoutAnswer: "printed none in its first line",
      )
    case .headerCommand(let failure):
      Self.words(
        failure,
        of: "the command for its headers",
        withoutAnswer: "printed a line that is no header",
      )
    case .feedCommand(let failure): Self.words(failure, of: "the command")
    case .filter(let failure): Self.words(failure, of: "the filter")
    case .passwordMissing(let host):
      "no password: neither does a command say it, nor does ~/.netrc for \(Self.printable(host))"
    case .certificates(let failure):
      "its own certificates (--ca, --certificate, --key) cannot be "
        + (failure.map { "read: \($0)" } ?? "used by the installed libcurl")
    case .secretInTheClear:
      "a password goes over plain http into a private network alone; use https"
    case .other(let words): Self.printable(words)
    case .invalidURL: "not a URL that can be fetched"

    // The network
    case .nameNotResolved(let host):
      "the address of the host \(Self.printable(host)) could not be looked up"
    case .nameUnknown(let host): "there is no address for the host \(Self.printable(host))"
    case .proxyNotResolved: "there is no address for the proxy; \(Self.proxyAdvice)"
    case .connectionRefused(let host): "connection refused by \(Self.printable(host))"
    case .networkUnreachable(let host):
      "there is no way to \(Self.printable(host)) from this network"
    case .connectTimeout(let limit, let host):
      "timed out after \(Self.words(limit)) while connecting to \(Self.printable(host))"
    case .connectionClosed: "the server closed the connection without an answer"
    case .brokenHTTP2: "the server broke off its answer by HTTP/2"
    case .tls(let failure): failure.description
    case .proxyRefused:
      "connection refused by the proxy; \(Self.proxyAdvice)"
    case .proxyFailed(let status?): "the proxy answered \(status)"
    case .proxyFailed: "the proxy does not work; \(Self.proxyAdvice)"
    case .connectionFailed(let host): "could not connect to \(Self.printable(host))"

    // Time
    case .stalled(let limit): "timed out after \(Self.words(limit)) without a byte"
    case .tooSlow(let limit):
      "slower than \(FetchOptions.minimumBytesPerSecond) bytes a second for \(Self.words(limit))"
    case .transferTimeout(let limit): "not finished after \(Self.words(limit))"
    case .cancelled: "stopped before it answered"
    case .notBegun: "the deadline came before its turn"
    case .deadline: "not finished before the deadline"

    // Redirects
    case .tooManyRedirects(let maximum): "more than \(maximum) redirects"
    case .redirectLoop: "redirects in a circle"
    case .redirectWithoutLocation(let status): "server answered \(status) without saying where"
    case .redirected(let url): "redirects to \(Self.printable(url)), which is not followed"
    case .redirectDowngrade: "redirects from https to http, which is not followed"
    case .redirectToPrivateNetwork:
      "redirects from the internet into a private network, which is not followed"
    case .privateNetwork:
      "its host is in a private network; allow that with --allow-private"
    case .redirectUnsupported: "redirects to something that is not an http or https URL"

    // The answer
    case .truncated: "the connection ended in the middle of the body"
    case .undecodableBody: "the body is not encoded (compressed) as the server says"
    case .bodyTooLarge(let maximum): "body is larger than \(Self.words(bytes: maximum))"
    case .headersTooLarge(let maximum): "headers are larger than \(maximum) bytes"
    case .unexpectedNotModified: "server answered 304 to an unconditional request"
    case .restRefused: "the server sent other bytes of the file than requested"
    case .compressedFile: "the file is compressed for the way, and its bytes cannot be counted"
    case .stoppedByReceiver: "the body was refused"
    case .readerEnded: "the process that reads documents ended at this one"
    case .status(let status): Self.words(status: status)
    case .refusedCall(let status, let answer): "server answered \(status): \(SafeText.line(answer))"
    case .hostBusy(let status, _):
      "not asked, because its server answered \(status) to another feed"
    case .protectionService(let status, ""):
      "refused by a wall against bots, which lets only browsers in (\(status))"
    case .protectionService(let status, let name):
      "refused by the protection service \(name), which lets only browsers in (\(status))"
    case .malformedResponse: "the server's answer is not valid HTTP"
    }
  }

  private static let proxyAdvice = "check the feed's --proxy, http_proxy and https_proxy"

  private static func words(status: Int) -> String {
    let answered = "server answered \(status)"
    return switch status {
    case 401:
      "\(answered): it needs a user and password, in the URL, from --password-command or, for "
        + "https, in ~/.netrc; those given are missing or wrong"
    case 403: "\(answered): it refuses this program or this network; open the URL in a browser"
    case 404: "\(answered): there is nothing at this URL"
    case 407: "\(answered): the proxy needs a user and password, in http_proxy or https_proxy"
    case 410: "\(answered): the feed is gone for good"
    case 429: "\(answered): it is asked too often"
    default: answered
    }
  }

  private static func words(
    _ failure: CommandFailure,
    of command: String,
    withoutAnswer fault: String = "printed nothing",
  ) -> String {
    switch failure {
    case .refused(let reason): "\(command) is not run: \(SafeText.line(reason))"
    case .notStarted: "\(command) cannot be started"
    case .status(let status, ""): "\(command) exited with status \(status)"
    case .status(let status, let said):
      "\(command) exited with status \(status): "
        + SafeText.prefix(SafeText.line(said), maximumCharacters: 200)
    case .noAnswer: "\(command) \(fault)"
    case .timedOut(let limit): "\(command) took more than \(words(limit))"
    }
  }

  /// Returns words such as `32 MiB`, the unit of `--max-size`.
  private static func words(bytes: Int) -> String {
    bytes % (1 << 20) == 0 ? "\(bytes >> 20) MiB" : "\(bytes) bytes"
  }

  private static func words(_ duration: Duration) -> String {
    let milliseconds = Int(duration / .milliseconds(1))
    if milliseconds % 1_000 == 0 { return "\(milliseconds / 1_000) s" }
    return "\(Double(milliseconds) / 1_000) s"
  }

  /// Replaces what could be a control character, and cuts at 200 characters: hosts can come from a
  /// redirect.
  private static func printable(_ text: String) -> String {
    String(
      text.unicodeScalars.prefix(200).map { scalar in
        (0x20...0x7E).contains(scalar.value) ? Character(scalar) : "?"
      }
    )
  }
}

extension TLSFailure: CustomStringConvertible {
  package var description: String {
    switch self {
    case .expired: "certificate has expired"
    case .notYetValid: "certificate is not valid yet; check this machine's clock"
    case .selfSigned: "certificate is self-signed"
    case .wrongHost: "certificate is for another host"
    case .unknownAuthority: "certificate is from an unknown authority"
    case .revoked: "certificate has been revoked"
    case .handshake: "no secure connection: the TLS handshake failed"
    case .certificate: "certificate is not valid"
    case .authoritiesUnreadable: "the file of trusted authorities cannot be read; \(Self.advice)"
    }
  }

  package static let advice =
    "install ca-certificates: apt-get install ca-certificates, or the like; or name a file of "
    + "authorities in SSL_CERT_FILE or CURL_CA_BUNDLE"
}

extension FileFailure: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notFound: "no such file"
    case .isDirectory: "is a directory"
    case .permissionDenied: "permission denied"
    case .notReadable: "is not a file that can be read"
    case .invalidURL: "not a file URL with an absolute path on this machine"
    case .system(let number): POSIX.errorMessage(number)
    }
  }
}
