package import System

/// The reason why something could not be fetched.
///
/// `description` is the sentence that users read: lower case, no full stop, without the URL (the
/// caller names the feed), without secrets, and without text that a server chose, but for the
/// answer to a call that the reader's own server refuses.
package enum FetchError: Error, Codable, Hashable, Sendable {
  // Before anything is sent
  case invalidURL
  case unsupportedScheme
  case library(LibraryFault)
  case resourcesExhausted

  // Commands and passwords
  case passwordCommand(CommandFailure)
  case headerCommand(CommandFailure)
  case feedCommand(CommandFailure)
  case filter(CommandFailure)
  case passwordMissing(host: String)
  /// The files of the feed's route, which cannot be read or, with nil, not be used.
  case certificates(FileFailure?)
  /// A secret would go to a server of the internet over plain http.
  case secretInTheClear

  // The network
  /// No resolver could be asked, or none could answer.
  case nameNotResolved(host: String)
  case nameUnknown(host: String)
  case proxyNotResolved
  case connectionRefused(host: String)
  case networkUnreachable(host: String)
  case connectionFailed(host: String)
  case connectTimeout(Duration, host: String)
  case connectionClosed
  /// The server broke off a stream of HTTP/2 or its connection (RST_STREAM, GOAWAY).
  case brokenHTTP2
  case tls(TLSFailure)
  case proxyRefused
  /// The proxy's own status, where it answered.
  case proxyFailed(status: Int?)

  // Time
  case stalled(Duration)
  /// Fewer than 64 bytes a second came for so long.
  case tooSlow(Duration)
  case transferTimeout(Duration)
  case deadline
  case notBegun
  case cancelled

  // The answer
  case malformedResponse
  /// The connection ended in the middle of the body; the bytes before that went to the receiver.
  case truncated
  case undecodableBody
  case bodyTooLarge(maximumBytes: Int)
  case headersTooLarge(maximumBytes: Int)
  case unexpectedNotModified
  case restRefused
  case compressedFile
  case stoppedByReceiver
  /// The process that reads ended while it was at this answer alone.
  case readerEnded

  // Redirects
  case tooManyRedirects(maximum: Int)
  case redirectLoop
  case redirectWithoutLocation(status: Int)
  case redirectUnsupported
  case redirectDowngrade
  case redirected(to: String)
  case redirectToPrivateNetwork
  /// The host has an address in a private network, and it was not the reader who named it.
  case privateNetwork

  // The status
  case status(Int)
  /// The server's answer to a call: a line of text, or a JSON object in a line.
  case refusedCall(status: Int, answer: String)
  case hostBusy(status: Int, retryAfter: RetryAfter?)
  /// The page wants to see a browser; `name` is that of the service, empty where it is not known.
  case protectionService(status: Int, name: String)

  // Files
  case file(FileFailure)

  case other(String)
}

extension FetchError {
  package var status: Int? {
    switch self {
    case .status(let status), .redirectWithoutLocation(let status), .hostBusy(let status, _),
      .protectionService(let status, _), .refusedCall(let status, _):
      status
    case .unexpectedNotModified: 304
    case .proxyFailed(let status): status
    default: nil
    }
  }

  /// True where the end of the body was missed, or is damaged: a whole document may have come
  /// before.
  package var mayComeAfterWhole: Bool {
    switch self {
    case .truncated, .brokenHTTP2, .undecodableBody, .stalled, .tooSlow, .transferTimeout: true
    default: false
    }
  }

  package var isGone: Bool {
    self == .status(410)
  }

  /// True if it looks as though nothing could be reached from here.
  ///
  /// When all hosts fail like this, the machine is offline. A refused connection is none of these
  /// failures, nor is a name that has no address: somebody answered. Nor is a host in a private
  /// network, which was not asked.
  package var isNetworkUnreachable: Bool {
    switch self {
    case .nameNotResolved, .proxyNotResolved, .networkUnreachable, .connectionFailed,
      .connectTimeout:
      true
    default:
      false
    }
  }

  /// True if the run ended before an answer, or the request was never made, even if this machine
  /// could not make it.
  package var isUnasked: Bool {
    switch self {
    case .deadline, .notBegun, .cancelled, .hostBusy, .library, .resourcesExhausted: true
    default: false
    }
  }

  /// Returns true if the server had its turn, which came `elapsed` ago.
  ///
  /// One that had a second could have answered: no local queue makes a request wait so long between
  /// its start and its end.
  package func hadItsTurn(after elapsed: Duration) -> Bool {
    self == .deadline ? elapsed >= .seconds(1) : !isUnasked
  }

  package var retryAfter: RetryAfter? {
    if case .hostBusy(_, let retryAfter) = self { retryAfter } else { nil }
  }
}

/// A failure of a command of the reader's.
///
/// It is `refused` where somebody else may have written it. `status` has its last words, where they
/// are not secret. `noAnswer` is an output without anything of the kind that is wanted.
package enum CommandFailure: Error, Codable, Hashable, Sendable {
  case refused(String)
  case notStarted
  case status(Int32, said: String = "")
  case noAnswer
  case timedOut(Duration)
}

package enum TLSFailure: Codable, Hashable, Sendable {
  case expired
  case notYetValid
  case selfSigned
  case wrongHost
  case unknownAuthority
  case revoked
  /// The server has no common version (1.2 at least) or cipher, or no TLS at all.
  case handshake
  case certificate
  case authoritiesUnreadable
}

package enum FileFailure: Error, Codable, Hashable, Sendable {
  case notFound
  case isDirectory
  case permissionDenied
  /// A socket or another thing that has no bytes to read.
  case notReadable
  case invalidURL
  case system(Int32)

  /// True where the failure says nothing of the file: this machine ran out of something.
  var isExhaustion: Bool {
    guard case .system(let code) = self else { return false }
    return [EMFILE, ENFILE, ENOMEM].contains(code)
  }

  init(_ code: Int32) {
    self =
      switch code {
      case ENOENT, ENOTDIR: .notFound
      case EISDIR: .isDirectory
      case EACCES, EPERM: .permissionDenied
      case ENXIO, EOPNOTSUPP: .notReadable
      default: .system(code)
      }
  }
}
