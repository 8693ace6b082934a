import CommandSupport
import FeedFetching
import FeedParsing
import FeedUpdating
import FollowingCommands
import System

struct MachineChecks {
  let xml: Result<String, FeedParsingError>
  let curl: Result<String, FetchError>
  let names: Result<String, LibraryFault>
  let namedCertificates: String?
  /// Seconds since 1970.
  let now: Double
  let needsWeb: Bool
  let needsCertificates: Bool
  let hasCertificate: (String) -> Bool
  /// Missing libraries and programs besides libxml2, libcurl and libidn2.
  var others: [LibraryFault] = []

  private static let certificates = [
    "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem", "/usr/local/share/certs/ca-root-nss.crt",
  ]

  func findings() -> [Finding] {
    [parser, fetcher, hosts, authorities, clock]
      + others.map { .note($0.library.name, "\($0)", $0.advice) }
  }

  private var parser: Finding {
    switch xml {
    case .success(let version): .ok("libxml2", version)
    case .failure(let error):
      .wrong("libxml2", "\(error)", Self.advice(FailureRemedy(error)))
    }
  }

  private var fetcher: Finding {
    switch curl {
    case .success(let version): return .ok("libcurl", version)
    case .failure(let error):
      let advice = Self.advice(FailureRemedy(error))
      return needsWeb
        ? .wrong("libcurl", "\(error)", advice) : .note("libcurl", "\(error)", advice)
    }
  }

  private var hosts: Finding {
    switch names {
    case .success(let version): .ok("libidn2", version)
    case .failure(let fault): .note("libidn2", "\(fault)", fault.advice)
    }
  }

  private static func advice(_ remedy: FailureRemedy) -> String {
    if case .install(let fault) = remedy { fault.advice } else { LibraryFault.freeResources }
  }

  private var authorities: Finding {
    if let named = namedCertificates {
      return hasCertificate(named)
        ? .ok("certificates", named)
        : .wrong(
          "certificates",
          "no certificate in \(named), which CURL_CA_BUNDLE or SSL_CERT_FILE names",
          "unset CURL_CA_BUNDLE SSL_CERT_FILE",
        )
    }
    if let found = Self.certificates.first(where: hasCertificate) {
      return .ok("certificates", found)
    }
    let text = "no authorities to trust were found"
    let advice = "install them: apt-get install ca-certificates, or the like"
    return needsCertificates
      ? .wrong("certificates", text, advice) : .note("certificates", text, advice)
  }

  /// Refuses only impossible years: the times of servers tell more.
  private var clock: Finding {
    let year = 1970 + Int(clamping: now) / 31_556_952
    guard (2026...2100).contains(year) else {
      return .wrong("clock", "it says that the year is \(year)", ServerClock.advice)
    }
    return .ok("clock", "the year is \(year)")
  }
}
