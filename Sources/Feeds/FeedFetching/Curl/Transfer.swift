import FeedModel

/// One web request from its first connection to its outcome, through all redirects.
///
/// Lives in one worker's thread. libcurl's callbacks note what came and the first failure; the
/// outcome is decided when libcurl has returned.
final class Transfer {
  let job: FetchJob
  var easy: CurlEasy
  let run: FetchRun
  var clock: TransferClock
  /// True once the queue has been told that the exchange's server lets it wait.
  var isSlow = false
  var chain: RedirectChain
  var headers = ResponseHeaders()
  private var headerBytes = 0
  private var exchangeHeaderBytes = 0
  var bytes = 0
  var page: [UInt8] = []
  var conditions = RequestConditions()
  var cookies = CookieJar()
  var failure: FetchError?
  private var hasBegun = false
  var trust: RequestTrust
  var proxy: String?
  var credentials: Credentials?
  /// True once the server has refused Basic and offers Digest.
  var isByDigest = false
  var concessions: Concessions
  private(set) var requests = 0
  var isOnInternet: Bool?
  var hasRefusedAddress = false

  /// The limit of a body that is not content: a connection can be used again after a short error
  /// page, and an endless one is left.
  private static let maximumOtherBytes = 64 << 10
  /// The number of codings one within the other: no server has more than two, and what a few bytes
  /// become in three could keep libcurl for hours.
  private static let maximumCodings = 2

  init(job: FetchJob, url: HTTPURL, easy: CurlEasy, run: FetchRun) {
    self.job = job
    self.easy = easy
    self.run = run
    clock = TransferClock(run.options)
    trust = job.request.trust
    concessions = job.request.concessions
    chain = RedirectChain(url: url, maximum: run.options.maximumRedirects)
  }

  /// Returns the transfer of a callback; the worker keeps it for as long as its easy handle is in
  /// use.
  static func fromCallback(_ context: UnsafeMutableRawPointer?) -> Transfer? {
    context.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Sets up the exchange with the URL that the chain has reached, or returns why that may not be
  /// asked.
  func prepare() -> FetchError? {
    isSlow = false
    proxy = job.request.route.proxy(else: run.options.proxies.proxy(for: chain.url))
    guard proxy == nil || trust.mayAskProxy(for: chain.url) else { return refusal }
    if isSecretInTheClear, proxy != nil, !LocalHost.contains(chain.url.host) { return refusal }
    headers = ResponseHeaders()
    exchangeHeaderBytes = 0
    page = []
    (bytes, hasBegun) = (0, false)
    requests += 1
    hasRefusedAddress = false
    clock.startExchange()
    conditions = RequestConditions(job.request, at: chain, concessions)
    let call = job.request.call
    if call == nil {
      credentials = trust.credentials(
        for: chain.url,
        password: job.request.password,
        kept: job.request.kept,
      )
    }
    var body = call?.json ?? call?.form
    if let call, let user = call.user {
      guard let password = password(of: user) else {
        return .passwordMissing(host: chain.url.host)
      }
      switch call.logIn {
      case .form: body = (body.map { $0 + "&" } ?? "") + ServiceCall.form([("Passwd", password)])
      case .basic: credentials = .password(user: user, password)
      case .token: break
      }
    }
    setUpHandle()
    if let call { easy.make(call, body) }
    let isUsed = !trust.givesPasswords || easy.use(job.request.certificates)
    return isUsed ? nil : .certificates(nil)
  }

  func password(of user: String) -> String? {
    job.request.password ?? job.request.kept.entry(of: user)?.password
  }

  private func setUpHandle() {
    let context = Unmanaged.passUnretained(self).toOpaque()
    let call = job.request.call
    let token = call?.logIn == .token ? call?.user.flatMap(password) : nil
    var lines = call?.headerLines(token: token) ?? conditions.headerLines
    if concessions.contains(.noCoding), job.request.file == nil {
      lines.append("Accept-Encoding: identity")
    }
    if case .token(let token) = credentials { lines.append("Authorization: Bearer \(token)") }
    lines = trust.adding(job.request.headers.fields, to: lines)
    let ownCookies = call == nil ? CookieJar.remove(from: &lines) : nil
    var options = run.options
    options.userAgent = job.request.userAgent ?? options.userAgent
    easy.prepare(
      chain.url,
      headers: lines,
      options: options,
      context: context,
    )
    if undoesCodings { easy.undoCodings() }
    easy.use(proxy: proxy)
    if isHTTP1 { easy.useHTTP1() }
    if call == nil { easy.use(cookies: cookies, own: ownCookies) }
    if let credentials {
      let isUnasked = call != nil || chain.url.isSecure
      easy.identify(by: credentials, at: chain.url, isUnasked: isUnasked, byDigest: isByDigest)
    }
    if proxy == nil, isSecretInTheClear || !trust.reachesPrivateNetworks {
      easy.guardAddresses(context: context)
    }
  }

  var isHTTP1: Bool { job.request.isHTTP1 || concessions.contains(.http1) }

  /// False for a file, too, of which the server's own bytes are wanted.
  var undoesCodings: Bool { !concessions.contains(.noCoding) && job.request.file == nil }

  // MARK: - Where it may connect

  /// Returns false for an address that the request may not reach, and for nil, which is no address.
  func mayConnect(to address: [UInt8]?) -> Bool {
    let isAllowed =
      address.map { address in
        trust.mayConnect(to: address)
          && (!isSecretInTheClear || PrivateAddress.contains(bytes: address))
      } ?? false
    hasRefusedAddress = hasRefusedAddress || !isAllowed
    return isAllowed
  }

  private var isSecretInTheClear: Bool { job.request.call != nil && !chain.url.isSecure }

  var refusal: FetchError {
    if isSecretInTheClear { return .secretInTheClear }
    return chain.hops == 0 ? .privateNetwork : .redirectToPrivateNetwork
  }

  var answersFromInternet: Bool {
    RequestTrust.isOnInternet(chain.url, address: easy.peerAddress, isProxied: proxy != nil)
  }

  // MARK: - libcurl's callbacks: the bytes taken; another number stops the exchange

  func didReceive(header line: UnsafeRawBufferPointer) -> Int {
    headerBytes += line.count
    exchangeHeaderBytes += line.count
    guard isInTime() else { return 0 }
    guard headerBytes <= run.options.maximumHeaderBytes else {
      failure = .headersTooLarge(maximumBytes: run.options.maximumHeaderBytes)
      return 0
    }
    headers.read(line)
    let codings = headers.transferCodings + (undoesCodings ? headers.codings : [])
    return codings.count <= Self.maximumCodings ? line.count : 0
  }

  func didReceive(body piece: UnsafeRawBufferPointer) -> Int {
    guard isInTime() else { return 0 }
    bytes += piece.count
    return (isContent ? take(content: piece) : take(other: piece)) ? piece.count : 0
  }

  /// Looks at the clock for each piece: a little that is sent can be inflated for a minute.
  private func isInTime() -> Bool {
    let now = ContinuousClock.now
    clock.haveBytes(exchangeHeaderBytes + easy.bodyBytes, at: now)
    failure = failure ?? (run.isOver(at: now) ? .deadline : clock.overdue(at: now))
    return failure == nil
  }

  /// True for any success with a body; an unknown one counts as 200, too (RFC 9110 §15).
  ///
  /// A part that nobody has asked for is taken for the whole.
  var isContent: Bool { (200..<300).contains(headers.status) && !isEmpty }

  /// True for 204 and 205, which mean that a feed has nothing new; for a call they are a success.
  var isEmpty: Bool { [204, 205].contains(headers.status) && job.request.call == nil }

  private func take(content piece: UnsafeRawBufferPointer) -> Bool {
    let limit = job.request.maximumBytes(run.options)
    let start = fileHead?.start ?? 0
    failure = fileFailure ?? (start + bytes > limit ? .bodyTooLarge(maximumBytes: limit) : nil)
    guard failure == nil else { return false }
    begin()
    guard !piece.isEmpty else { return true }
    guard job.receive(piece) else {
      failure = .stoppedByReceiver
      return false
    }
    return true
  }

  var fileFailure: FetchError? {
    guard let wanted = job.request.file, let head = fileHead else { return nil }
    if !headers.codings.isEmpty { return .compressedFile }
    let limit = job.request.maximumBytes(run.options)
    if let size = head.size, size > limit { return .bodyTooLarge(maximumBytes: limit) }
    if headers.status != 206 {
      // A script sends the rest, and calls it the whole.
      return headers.contentRange?.start ?? 0 == 0 ? nil : .restRefused
    }
    let isRest = head.start == wanted.start && head.size != nil
    return isRest && !(wanted.validator.map(head.contradicts) ?? false) ? nil : .restRefused
  }

  var fileHead: FileHead? { job.request.file.map { _ in FileHead(headers) } }

  private func take(other piece: UnsafeRawBufferPointer) -> Bool {
    page.append(contentsOf: piece.prefix(ProtectionService.pageBytes - page.count))
    return bytes <= Self.maximumOtherBytes
  }

  func begin() {
    guard !hasBegun else { return }
    hasBegun = true
    var head = ResponseHead(
      status: headers.status,
      url: chain.url.publicText,
      contentType: headers.mediaType?.name,
      charset: headers.mediaType?.charset,
    )
    (head.links, head.refresh) = (headers.links, headers.refresh)
    head.file = fileHead
    job.begin(head)
  }

  // MARK: - Time

  var nextCheck: ContinuousClock.Instant {
    let end = clock.end(connected: easy.timeUntilConnected)
    return isSlow ? end : min(end, slowTime)
  }

  var slowTime: ContinuousClock.Instant { clock.slowTime }

  func timeout(at now: ContinuousClock.Instant) -> FetchError? {
    // Much may come of which libcurl's decoders make nothing, so that nobody is told.
    let (sent, limit) = (easy.bodyBytes, job.request.maximumBytes(run.options))
    if sent > limit { return .bodyTooLarge(maximumBytes: limit) }
    if sent > 0 { clock.haveBytes(exchangeHeaderBytes + sent, at: now) }
    return clock.timeout(at: now, connected: easy.timeUntilConnected, host: chain.url.host)
  }
}
