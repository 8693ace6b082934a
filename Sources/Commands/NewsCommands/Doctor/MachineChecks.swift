import CommandSupport
import FeedFetching
import FollowingCommands
import System

struct MachineChecks {
  let xml: Result<String, LibraryFault>
  let curl: Result<String, LibraryFault>
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
    [
      finding("libxml2", xml, isNeeded: true), finding("libcurl", curl, isNeeded: needsWeb),
      finding("libidn2", names, isNeeded: false), authorities, clock,
    ] + others.map { .note($0.library.name, "\($0)", $0.advice) }
  }

  private func finding(
    _ library: String,
    _ version: Result<String, LibraryFault>,
    isNeeded: Bool,
  ) -> Finding {
    switch version {
    case .success(let version): .ok(library, version)
    case .failure(let fault):
      (isNeeded ? Finding.wrong : Finding.note)(library, "\(fault)", fault.advice)
    }
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
    let finding = needsCertificates ? Finding.wrong : Finding.note
    return finding("certificates", "no authorities to trust were found", TLSFailure.advice)
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
