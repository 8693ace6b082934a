internal import CCurl
import System

/// One of libcurl's easy handles, for one exchange.
///
/// It is used once: libcurl before 8.1 uses memory that it has freed where the first header line of
/// a handle's second exchange is folded (curl issue 11101). The connections are the multi handle's,
/// so that a handle of its own costs an exchange nothing that can be measured.
final class CurlEasy {
  let handle: UnsafeMutableRawPointer
  /// The text of a failure, in libcurl's words mixed with the server's; never shown.
  private let errorBuffer: UnsafeMutablePointer<CChar>
  private var headerLines: UnsafeMutablePointer<ccurl_slist>?

  init?() {
    guard let handle = ccurl_easy_init() else { return nil }
    self.handle = handle
    errorBuffer = .allocate(capacity: Int(CCURL_ERROR_SIZE))
    errorBuffer.initialize(repeating: 0, count: Int(CCURL_ERROR_SIZE))
  }

  deinit {
    ccurl_easy_cleanup(handle)
    ccurl_slist_free_all(headerLines)
    errorBuffer.deallocate()
  }

  /// Uses a proxy, or with nil the server itself, whatever the environment says.
  func use(proxy: String?) {
    set(CCURL_OPTION_PROXY, proxy ?? "")
    set(CCURL_OPTION_NOPROXY, "")
  }

  /// Trusts and shows the certificates of the feed's route; false where libcurl cannot: with GnuTLS.
  func use(_ certificates: RouteCertificates) -> Bool {
    [
      (CCURL_OPTION_CAINFO_BLOB, certificates.authorities),
      (CCURL_OPTION_SSLCERT_BLOB, certificates.certificate),
      (CCURL_OPTION_SSLKEY_BLOB, certificates.key),
    ].allSatisfy { option, bytes in
      bytes.isEmpty
        || bytes.withUnsafeBytes { bytes in
          let data = UnsafeMutableRawPointer(mutating: bytes.baseAddress)
          var blob = ccurl_blob(data: data, length: bytes.count, flags: UInt32(CCURL_BLOB_COPY))
          return ccurl_easy_set_blob(handle, UInt32(option), &blob) == CCURL_OK
        }
    }
  }

  /// Sends a user and password; bearer tokens are for the header lines.
  ///
  /// Over https, and in calls, a Basic password goes along unasked: servers hide feeds behind a 404
  /// or a page to log in. In the clear nothing does, and a server that has Digest never gets the
  /// password.
  func identify(
    by credentials: Credentials,
    at url: HTTPURL,
    isUnasked: Bool,
    byDigest: Bool,
  ) {
    switch credentials {
    case .ofURL: set(CCURL_OPTION_URL, url.text)
    case .password(let user, let password):
      set(CCURL_OPTION_USERNAME, user)
      set(CCURL_OPTION_PASSWORD, password)
    case .token: return
    }
    let either = CCURL_AUTH_BASIC | CCURL_AUTH_DIGEST
    let first = isUnasked ? CCURL_AUTH_BASIC : either
    set(CCURL_OPTION_HTTPAUTH, byDigest ? CCURL_AUTH_DIGEST : first)
  }

  /// Sends a call with its body, of which libcurl keeps a copy; a form is of RFC 1866 §8.2.1.
  func make(_ call: ServiceCall, _ body: String?) {
    if call.isToggle { set(CCURL_OPTION_FRESH_CONNECT, 1) }
    guard call.method != .get else { return }
    set(CCURL_OPTION_POST, 1)
    set(CCURL_OPTION_COPYPOSTFIELDS, body ?? "")
    if call.method != .post { set(CCURL_OPTION_CUSTOMREQUEST, call.method.rawValue) }
  }

  /// Sends cookies where they belong to (RFC 6265), and keeps those of the answer in the handle's
  /// memory alone.
  ///
  /// `own` is the value of the reader's own field, where there is one.
  func use(cookies: CookieJar, own: String?) {
    set(CCURL_OPTION_COOKIEFILE, "")
    for line in cookies.lines { set(CCURL_OPTION_COOKIELIST, line) }
    if let own { set(CCURL_OPTION_COOKIE, own) }
  }

  var cookies: CookieJar {
    var list: UnsafeMutablePointer<ccurl_slist>?
    _ = ccurl_easy_get_list(handle, UInt32(CCURL_INFO_COOKIELIST), &list)
    defer { ccurl_slist_free_all(list) }
    var lines: [String] = []
    var next = list
    while let entry = next?.pointee {
      if let line = entry.data { lines.append(String(cString: line)) }
      next = entry.next
    }
    return CookieJar(lines: lines)
  }

  /// Speaks HTTP/1.1 alone, on a connection of its own: one that is open may speak HTTP/2.
  func useHTTP1() {
    set(CCURL_OPTION_HTTP_VERSION, CCURL_HTTP_VERSION_1_1)
    set(CCURL_OPTION_FRESH_CONNECT, 1)
  }

  /// Offers all codings that libcurl has, and has it undo those that the answer names.
  func undoCodings() {
    set(CCURL_OPTION_ACCEPT_ENCODING, "")
  }

  /// Makes the transfer decide on every address before libcurl connects to it, and before a request
  /// is sent on a connection that was opened for another one.
  func guardAddresses(context: UnsafeMutableRawPointer) {
    _ = ccurl_easy_set_pointer(handle, UInt32(CCURL_OPTION_PREREQDATA), context)
    let ask = UInt32(CCURL_OPTION_PREREQFUNCTION)
    let asksBefore = ccurl_easy_set_prerequest(handle, ask) { context, peer, _, _, _ in
      guard let peer, let transfer = Transfer.fromCallback(context) else { return 1 }
      return transfer.mayConnect(to: PrivateAddress.bytes(String(cString: peer))) ? 0 : 1
    }
    // libcurl before 7.80 does not ask: it gets no other transfer's connection.
    if asksBefore != 0 { set(CCURL_OPTION_FRESH_CONNECT, 1) }
    _ = ccurl_easy_set_pointer(handle, UInt32(CCURL_OPTION_OPENSOCKETDATA), context)
    let open = UInt32(CCURL_OPTION_OPENSOCKETFUNCTION)
    _ = ccurl_easy_set_open_socket(handle, open) { context, _, address in
      guard let address, let transfer = Transfer.fromCallback(context) else { return -1 }
      let length = MemoryLayout<ccurl_sockaddr>.offset(of: \.addr) ?? 0
      let bytes = UnsafeRawBufferPointer(
        start: UnsafeRawPointer(address) + length,
        count: Int(address.pointee.addrlen),
      )
      let family = address.pointee.family
      guard transfer.mayConnect(to: PrivateAddress.bytes(bytes, family: family)) else {
        return -1
      }
      return POSIX.openSocket(
        family: family,
        type: address.pointee.socktype,
        protocol: address.pointee.protocol,
      )
    }
  }

  /// Lets a transfer that nobody waits for wait for the resolver for as long as it takes: libcurl's
  /// own time-out would join the resolver's thread.
  func giveUpTimeouts() {
    set(CCURL_OPTION_CONNECTTIMEOUT_MS, 1 << 30)
  }

  /// Sets up an exchange whose callbacks get `context`, which must outlive it.
  func prepare(
    _ url: HTTPURL,
    headers: [String],
    options: FetchOptions,
    context: UnsafeMutableRawPointer,
  ) {
    setSafety(options)
    setCallbacks(context)
    setHeaders(headers)
    set(CCURL_OPTION_URL, url.publicText)
    set(CCURL_OPTION_USERAGENT, options.userAgent)
    set(CCURL_OPTION_HTTP_VERSION, CCURL_HTTP_VERSION_2TLS)
    // With TLS wait to see whether the first connection takes several requests (HTTP/2).
    set(CCURL_OPTION_PIPEWAIT, url.isSecure ? 1 : 0)
    set(CCURL_OPTION_BUFFERSIZE, 64 << 10)
    // The worker's own look at the clock comes first: libcurl before 7.87 joins the resolver's
    // thread when this time is over.
    set(CCURL_OPTION_CONNECTTIMEOUT_MS, options.connectTimeout.milliseconds + 1_000)
  }

  /// Sets the options that no caller decides about; HSTS and alt-svc are off unless asked for.
  private func setSafety(_ options: FetchOptions) {
    // The names are newer (7.85) than the numbers, and the numbers are on their way out.
    if ccurl_easy_set_string(handle, UInt32(CCURL_OPTION_PROTOCOLS_STR), "http,https") != 0 {
      set(CCURL_OPTION_PROTOCOLS, CCURL_PROTOCOLS_HTTP_HTTPS)
      set(CCURL_OPTION_REDIR_PROTOCOLS, CCURL_PROTOCOLS_HTTP_HTTPS)
    }
    set(CCURL_OPTION_REDIR_PROTOCOLS_STR, "http,https")
    set(CCURL_OPTION_FOLLOWLOCATION, 0)
    set(CCURL_OPTION_NOSIGNAL, 1)
    set(CCURL_OPTION_NOPROGRESS, 1)
    set(CCURL_OPTION_HTTP09_ALLOWED, 0)
    set(CCURL_OPTION_SUPPRESS_CONNECT_HEADERS, 1)
    set(CCURL_OPTION_SSL_VERIFYPEER, 1)
    set(CCURL_OPTION_SSL_VERIFYHOST, 2)
    set(CCURL_OPTION_SSLVERSION, CCURL_SSLVERSION_TLSV1_2)
    if let authorities = options.certificateAuthorities {
      set(CCURL_OPTION_CAINFO, authorities)
    }
    if let directory = options.certificateDirectory { set(CCURL_OPTION_CAPATH, directory) }
    // Not known before 7.87, where removing a transfer may wait for the resolver.
    set(CCURL_OPTION_QUICK_EXIT, 1)
    _ = ccurl_easy_set_pointer(handle, UInt32(CCURL_OPTION_ERRORBUFFER), errorBuffer)
  }

  private func setCallbacks(_ context: UnsafeMutableRawPointer) {
    _ = ccurl_easy_set_pointer(handle, UInt32(CCURL_OPTION_WRITEDATA), context)
    _ = ccurl_easy_set_pointer(handle, UInt32(CCURL_OPTION_HEADERDATA), context)
    _ = ccurl_easy_set_data_callback(handle, UInt32(CCURL_OPTION_WRITEFUNCTION)) {
      Transfer.fromCallback($3)?.didReceive(body: .init(start: $0, count: $1 * $2)) ?? 0
    }
    _ = ccurl_easy_set_data_callback(handle, UInt32(CCURL_OPTION_HEADERFUNCTION)) {
      Transfer.fromCallback($3)?.didReceive(header: .init(start: $0, count: $1 * $2)) ?? 0
    }
  }

  private func setHeaders(_ lines: [String]) {
    for line in lines { headerLines = ccurl_slist_append(headerLines, line) ?? headerLines }
    _ = ccurl_easy_set_list(handle, UInt32(CCURL_OPTION_HTTPHEADER), headerLines)
  }

  private func set<Option: BinaryInteger>(_ option: Option, _ value: String) {
    _ = ccurl_easy_set_string(handle, UInt32(option), value)
  }

  private func set<Option: BinaryInteger, Value: BinaryInteger>(_ option: Option, _ value: Value) {
    _ = ccurl_easy_set_long(handle, UInt32(option), Int(value))
  }

  // MARK: - What came of it

  /// The numeric address that answered: the proxy's where there is one.
  var peerAddress: String { string(CCURL_INFO_PRIMARY_IP) ?? "" }

  /// The number of the body's bytes as they were sent: compressed.
  var bodyBytes: Int { Int(clamping: offset(CCURL_INFO_SIZE_DOWNLOAD_T)) }

  var hasResolvedName: Bool { offset(CCURL_INFO_NAMELOOKUP_TIME_T) > 0 }

  /// The time from the start of the exchange until its request could be sent; nil before.
  var timeUntilConnected: Duration? {
    let microseconds = offset(CCURL_INFO_PRETRANSFER_TIME_T)
    return microseconds > 0 ? .microseconds(microseconds) : nil
  }

  var systemError: Int32 { Int32(truncatingIfNeeded: long(CCURL_INFO_OS_ERRNO)) }

  /// The status of a proxy's answer to `CONNECT`, or 0.
  var proxyStatus: Int { long(CCURL_INFO_HTTP_CONNECTCODE) }

  var errorWords: String { String(cString: errorBuffer).lowercased() }

  private func long<Info: BinaryInteger>(_ info: Info) -> Int {
    var value = 0
    _ = ccurl_easy_get_long(handle, UInt32(info), &value)
    return value
  }

  private func string<Info: BinaryInteger>(_ info: Info) -> String? {
    var value: UnsafePointer<CChar>?
    _ = ccurl_easy_get_string(handle, UInt32(info), &value)
    return value.map { String(cString: $0) }
  }

  private func offset<Info: BinaryInteger>(_ info: Info) -> Int64 {
    var value: Int64 = 0
    _ = ccurl_easy_get_offset(handle, UInt32(info), &value)
    return value
  }
}

extension Duration {
  /// The number of milliseconds, at least 1, as libcurl takes 0 for its own default.
  fileprivate var milliseconds: Int {
    Int(min(max(self / .milliseconds(1), 1), 1e9))
  }
}
