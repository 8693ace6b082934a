/// A real nginx on 127.0.0.1, with a configuration, a folder and ports of its own.
///
/// It is killed with the last reference to it. It serves `folder.path("www")` with ETag and gzip.
package final class Nginx {
  package struct LogLine: Hashable, Sendable {
    package let target: String
    package let status: Int
    package let ifNoneMatch: String?
    package let ifModifiedSince: String?
    package let userAgent: String?
    package let connection: Int
    package let protocolName: String
    /// The bytes of the answer's body as sent.
    package let bytes: Int
  }

  package let folder: TemporaryFolder
  package let port: Int
  /// The port of the TLS server; 0 without a certificate.
  package let securePort: Int
  private var process: Subprocess?

  /// Starts nginx, and returns when it accepts connections.
  ///
  /// `site` has directives for both `server` blocks, `http` those around them, such as
  /// `limit_req_zone`. A certificate makes the second server, with TLS and HTTP/2, whose further
  /// directives are `tls`.
  package init(
    site: String = "",
    http: String = "",
    certificate: TestAuthority.Certificate? = nil,
    tls: String = "",
    in folder: TemporaryFolder? = nil,
  ) throws {
    let folder = try folder ?? TemporaryFolder()
    self.folder = folder
    try makeFolder(folder.path("www"))
    for attempt in 1... {
      let ports = (try freePort(), certificate == nil ? 0 : try freePort())
      let text = Self.configuration(folder, ports, site, http, certificate, tls)
      let file = try folder.write(text, to: "nginx.conf")
      let errors = folder.path("error.log")
      let process = try Subprocess([Self.program, "-c", file, "-p", folder.path, "-e", errors])
      if Self.isReady(process, folder) {
        (port, securePort, self.process) = (ports.0, ports.1, process)
        return
      }
      // Another process may have taken the port in between.
      if attempt == 5 { throw NginxFailure(log: (try? readText(errors)) ?? "nginx did not start") }
    }
    throw NginxFailure(log: "nginx did not start")
  }

  private static var program: String {
    let usual = ["/usr/sbin/nginx", "/opt/homebrew/bin/nginx", "/usr/local/bin/nginx"]
    return usual.first { access($0, X_OK) == 0 } ?? "nginx"
  }

  private static func configuration(
    _ folder: TemporaryFolder,
    _ ports: (Int, Int),
    _ site: String,
    _ http: String,
    _ certificate: TestAuthority.Certificate?,
    _ tls: String,
  ) -> String {
    let secure =
      certificate.map { certificate in
        """
        server {
          listen 127.0.0.1:\(ports.1) ssl http2 backlog=1024;
          ssl_certificate \(certificate.path);
          ssl_certificate_key \(certificate.keyPath);
          \(tls)
          \(site)
        }
        """
      } ?? ""
    return """
      daemon off;
      master_process off;
      pid \(folder.path)/nginx.pid;
      events { worker_connections 1024; }
      http {
        log_format test '$request_uri\t$status\t$http_if_none_match\t$http_if_modified_since\t'
          '$http_user_agent\t$connection\t$server_protocol\t$body_bytes_sent';
        access_log \(folder.path)/access.log test;
        types { application/rss+xml rss xml; application/atom+xml atom; }
        root \(folder.path)/www;
        gzip on;
        gzip_types application/rss+xml application/atom+xml;
        client_body_temp_path \(folder.path)/body;
        proxy_temp_path \(folder.path)/proxy;
        fastcgi_temp_path \(folder.path)/fastcgi;
        uwsgi_temp_path \(folder.path)/uwsgi;
        scgi_temp_path \(folder.path)/scgi;
        keepalive_requests 100000;
        \(http)
        server {
          listen 127.0.0.1:\(ports.0) backlog=1024;
          \(site)
        }
        \(secure)
      }
      """
  }

  /// Returns true once it accepts connections, or false if it has ended.
  private static func isReady(_ process: Subprocess, _ folder: TemporaryFolder) -> Bool {
    // nginx writes this file when all its ports are open. A connection would prove nothing: another
    // process may have taken the port in between.
    while (try? readText(folder.path("nginx.pid"))) != "\(process.pid)\n" {
      var status: Int32 = 0
      guard waitpid(process.pid, &status, WNOHANG) == 0 else { return false }
      usleep(1_000)
    }
    return true
  }

  package func url(_ path: String) -> String {
    "http://127.0.0.1:\(port)\(path)"
  }

  /// Returns the URL of a path over TLS; the certificate decides which hosts are allowed.
  package func secureURL(_ path: String, host: String = "localhost") -> String {
    "https://\(host):\(securePort)\(path)"
  }

  package func serve(_ text: String, as name: String) throws {
    try folder.write(text, to: "www/\(name)")
  }

  package func stop() throws {
    guard let process else { return }
    // nginx looks for signals, then waits for events: a signal in between does not wake it.
    while !process.hasEnded {
      process.send(SIGTERM)
      usleep(10_000)
    }
    _ = try process.wait()
    self.process = nil
  }

  package func restart() throws {
    guard process == nil else { return }
    let errors = folder.path("error.log")
    let again = try Subprocess(
      [Self.program, "-c", folder.path("nginx.conf"), "-p", folder.path, "-e", errors])
    guard Self.isReady(again, folder) else { throw NginxFailure(log: try readText(errors)) }
    process = again
  }

  /// Stops it, so that every request is in the log, and reads the log.
  package func stopAndReadLog() throws -> [LogLine] {
    try stop()
    return try readText(folder.path("access.log")).split(separator: "\n").compactMap { line in
      LogLine(line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init))
    }
  }
}

extension Nginx.LogLine {
  init?(_ fields: [String]) {
    guard fields.count == 8, let status = Int(fields[1]), let connection = Int(fields[5]),
      let bytes = Int(fields[7])
    else { return nil }
    // nginx writes a missing header as "-", and a quote as \x22.
    let header = { (text: String) -> String? in
      text == "-"
        ? nil
        : text.split(separator: "\\x22", omittingEmptySubsequences: false)
          .joined(separator: "\"")
    }
    target = fields[0]
    self.status = status
    ifNoneMatch = header(fields[2])
    ifModifiedSince = header(fields[3])
    userAgent = header(fields[4])
    self.connection = connection
    protocolName = fields[6]
    self.bytes = bytes
  }
}

package struct NginxFailure: Error, CustomStringConvertible {
  package let log: String

  package var description: String { "nginx did not start: \(log)" }
}
