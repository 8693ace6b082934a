import FeedFetching
import FeedParsing
import FeedReading

package enum ReaderAccess: Sendable {
  /// Texts that are handed to it, and no network.
  case texts
  /// These files and folders, too.
  case files([String])
  case network
}

extension CommandContext {
  /// Returns the rights of the process that reads: files of this machine, but none of the user's.
  package func confinement(_ access: ReaderAccess) -> Confinement {
    var confinement = Confinement()
    confinement.readable = SystemFiles.readable + namedFiles
    confinement.devices = SystemFiles.devices
    if case .files(let paths) = access { confinement.readable += paths }
    confinement.cage = if case .network = access { .online } else { .offline }
    return confinement
  }

  /// The files that the environment names, and the folder to which `/etc/resolv.conf` links.
  private var namedFiles: [String] {
    let named = ["CURL_CA_BUNDLE", "SSL_CERT_FILE", "SSL_CERT_DIR", "TZDIR"]
    let libraries = (environment.variable("LD_LIBRARY_PATH") ?? "").split(separator: ":")
    let files = named.compactMap { environment.variable($0) } + libraries.map(String.init)
    let resolver = FilePath.folder(of: POSIX.resolved("/etc/resolv.conf"))
    return (resolver == "/etc" ? [] : [resolver]) + files.filter { $0.hasPrefix("/") }
  }
}

private enum SystemFiles {
  /// Libraries, certificates, names of hosts, and the number of processors.
  static let readable =
    Confinement.systemFolders + [
      "/run/systemd/resolve", "/var/lib/ca-certificates", "/sys/devices/system/cpu",
    ] + settings.map { "/etc/\($0)" }

  /// The files of `/etc` that reading needs: root's keys and passwords are there, too.
  private static let settings = [
    "ld.so.cache", "ld.so.preload", "ld.so.conf", "ld.so.conf.d", "localtime", "timezone",
    "locale.alias", "hosts", "host.conf", "nsswitch.conf", "gai.conf", "resolv.conf", "services",
    "protocols", "networks", "krb5.conf", "krb5.conf.d", "crypto-policies", "gnutls", "pkcs11",
    "ca-certificates", "ssl/certs", "ssl/cert.pem", "ssl/ca-bundle.pem", "ssl/openssl.cnf",
    "pki/ca-trust", "pki/tls/certs", "pki/tls/cert.pem", "pki/tls/openssl.cnf",
  ]

  static let devices = ["/dev/null", "/dev/random", "/dev/urandom"]
}

enum ReaderWork {
  static func run(_ connection: Int32, _ confinement: Confinement, isAwaited: Bool) {
    // Without a session it has no terminal, and a signal from there does not reach it.
    setsid()
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    // No file is opened later.
    SpilledBytes.prepare()
    let words = confinement.begin().words
    let walls = WallNames(on: words.on, off: words.off)
    // PERF: meanwhile files are read for it; an answer of the net may say that nothing is new.
    if isAwaited {
      confinement.cage == .offline ? XMLLibrary.prepare() : CurlLibrary.prepare()
    }
    // A feed's limit may be 2047 MiB.
    let messages = MessageConnection(connection, maximumMessage: 2048 << 20, takesFiles: true)
    let service = ReaderService(messages) { job, head, body in
      ReadingJob.perform(job, head, body, confinement: walls)
    }
    service.serve()
  }
}
