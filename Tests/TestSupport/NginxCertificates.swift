/// A certificate authority that lasts for one test, made by `openssl`.
package final class TestAuthority {
  package struct Certificate: Sendable {
    package let path: String
    package let keyPath: String
  }

  private let folder: TemporaryFolder
  /// The authority's own certificate, which a client has to trust.
  package let certificate: Certificate

  package init() throws {
    folder = try TemporaryFolder()
    certificate = try Self.selfSigned("authority", for: "news test authority", days: 2, in: folder)
  }

  /// Returns a certificate for a host, signed by the authority; with negative days it has expired.
  package func certificate(for host: String, days: Int = 2) throws -> Certificate {
    let name = "\(host)-\(days)"
    let made = Certificate(path: folder.path("\(name).pem"), keyPath: folder.path("\(name).key"))
    let request = folder.path("\(name).csr")
    let extensions = try folder.write("subjectAltName=DNS:\(host)\n", to: "\(name).cnf")
    try openSSL(
      ["req", "-new", "-subj", "/CN=\(host)", "-keyout", made.keyPath, "-out", request]
        + Self.newKey
    )
    try openSSL([
      "x509", "-req", "-in", request, "-CA", certificate.path, "-CAkey", certificate.keyPath,
      "-CAcreateserial", "-days", "\(days)", "-extfile", extensions, "-out", made.path,
    ])
    return made
  }

  package func selfSigned(for host: String) throws -> Certificate {
    try Self.selfSigned("self-\(host)", for: host, days: 2, in: folder)
  }

  private static let newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]

  private static func selfSigned(
    _ name: String,
    for subject: String,
    days: Int,
    in folder: TemporaryFolder,
  ) throws -> Certificate {
    let made = Certificate(path: folder.path("\(name).pem"), keyPath: folder.path("\(name).key"))
    try openSSL(
      [
        "req", "-x509", "-subj", "/CN=\(subject)", "-days", "\(days)", "-keyout", made.keyPath,
        "-out", made.path, "-addext", "subjectAltName=DNS:\(subject.replacing(" ", with: "-"))",
      ] + newKey
    )
    return made
  }
}

private func openSSL(_ arguments: [String]) throws {
  let result = try Subprocess.run(["openssl"] + arguments)
  guard result.status == 0 else { throw OpenSSLFailure(description: result.errorText) }
}

private struct OpenSSLFailure: Error, CustomStringConvertible {
  let description: String
}
