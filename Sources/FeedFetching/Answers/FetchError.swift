package import System

/// Why something could not be fetched.
///
/// `description` is the sentence that users read: lower case, no full stop, without the URL (the
/// caller names the feed), without secrets, and without text that a server chose, but for the answer
/// to a call that the reader's own server refuses.
package enum FetchError: Error, Hashable, Sendable {
  // Before anything is sent
  /// Not an absolute URL, or one that nobody can fetch.
  case invalidURL
  /// Neither http nor https nor file.
  case unsupportedScheme
  case library(LibraryFault)
  /// This machine ran out of something, such as descriptors.
  case resourcesExhausted

  // Commands and passwords
  case passwordCommand(CommandFailure)
  case headerCommand(CommandFailure)
  /// Of the command that prints the feed, and of the filter through which its document goes.
  case feedCommand(CommandFailure)
  case filter(CommandFailure)
  /// There is none in `~/.netrc`, and no command that says it.
  case passwordMissing(host: String)
  /// Plain http to a server of the internet, which is to be told who asks.
  case secretInTheClear

  // The network
  /// No resolver could be asked, or none could tell.
  case nameNotResolved(host: String)
  /// The name has no address, as a resolver said.
  case nameUnknown(host: String)
  case proxyNotResolved
  case connectionRefused(host: String)
  case networkUnreachable(host: String)
  case connectionFailed(host: String)
  case connectTimeout(Duration, host: String)
  case connectionClosed
  case tls(TLSFailure)
  case proxyRefused
  /// What it answered itself, where it answered.
  case proxyFailed(status: Int?)

  // Time
  /// No byte for so long.
  case stalled(Duration)
  /// Fewer than 64 bytes a second for so long.
  case tooSlow(Duration)
  case transferTimeout(Duration)
  case deadline
  /// The deadline came before its turn.
  case notBegun
  case cancelled

  // The answer
  /// What came is not HTTP, or breaks its rules.
  case malformedResponse
  /// The connection ended in the middle of the body; what came before went to the receiver.
  case truncated
  case undecodableBody
  case bodyTooLarge(maximumBytes: Int)
  case headersTooLarge(maximumBytes: Int)
  case unexpectedNotModified
  /// The bytes of a file that came are not those that were asked for.
  case restRefused
  /// A file that somebody compressed for the way, so that its bytes cannot be counted.
  case compressedFile
  /// The receiver refused to take more.
  case stoppedByReceiver
  /// The process that reads ended while it was at this answer alone.
  case readerEnded

  // Redirects
  case tooManyRedirects(maximum: Int)
  case redirectLoop
  case redirectWithoutLocation(status: Int)
  /// Leads to something that is not an http or https URL with a host.
  case redirectUnsupported
  case redirectDowngrade
  /// Where redirects are not followed.
  case redirected(to: String)
  /// Leads from the internet to an address of this machine or its own network.
  case redirectToPrivateNetwork
  /// The host itself has such an address, and it is not the reader who says so.
  case privateNetwork

  // The status
  case status(Int)
  /// The refusal of a call, with what the server said: a line of text, or a JSON object in a line.
  case refusedCall(status: Int, answer: String)
  /// Not asked, because the server answered another request so: it wants to be left in peace.
  case hostBusy(status: Int, retryAfter: RetryAfter?)
  /// A page that wants to see a browser, of the service of that name; without one, where nobody knows
  /// whose it is.
  case protectionService(status: Int, name: String)

  // Files
  case file(FileFailure)

  /// Anything else, in fixed words of ours.
  case other(String)
}

extension FetchError {
  /// The HTTP status that the failure is about.
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

  /// True where the end of the body was missed, or something wrong with it: a document may have come
  /// whole before.
  package var mayComeAfterWhole: Bool {
    switch self {
    case .truncated, .undecodableBody, .stalled, .tooSlow, .transferTimeout: true
    default: false
    }
  }

  package var isGone: Bool {
    self == .status(410)
  }

  /// Whether it looks as though nothing could be reached from here.
  ///
  /// When all hosts fail like this, the machine is offline. A refused connection is not of these,
  /// nor is a name that has no address: somebody answered. Nor is a host in a private network, which was
  /// not asked.
  package var isNetworkUnreachable: Bool {
    switch self {
    case .nameNotResolved, .proxyNotResolved, .networkUnreachable, .connectionFailed,
      .connectTimeout:
      true
    default:
      false
    }
  }

  /// Whether the request was not answered because the run ended, or was never made: not for this
  /// machine's own want either.
  package var isUnasked: Bool {
    switch self {
    case .deadline, .notBegun, .cancelled, .hostBusy, .library, .resourcesExhausted: true
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

/// Why a command of the reader's did not say what is wanted of it.
package enum CommandFailure: Error, Hashable, Sendable {
  /// Somebody else may have written it.
  case refused(String)
  case notStarted
  /// With what it said last, where that is nobody's secret.
  case status(Int32, said: String = "")
  /// It printed nothing, or nothing of the kind.
  case noAnswer
  case timedOut(Duration)
}

/// What is wrong with a server's certificate or handshake.
package enum TLSFailure: Hashable, Sendable {
  case expired
  case notYetValid
  case selfSigned
  case wrongHost
  case unknownAuthority
  case revoked
  /// No common version (1.2 at least) or cipher, or no TLS at all.
  case handshake
  case certificate
  case authoritiesUnreadable
}

/// Why a file cannot be read.
package enum FileFailure: Error, Hashable, Sendable {
  case notFound
  case isDirectory
  case permissionDenied
  /// A socket or another thing that has no bytes to read.
  case notReadable
  /// A `file:` URL without an absolute path, or of another machine.
  case invalidURL
  /// `errno` of the call that failed.
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
