import FeedModel

/// One web request from its first connection to its outcome, through all redirects.
///
/// Lives in one worker's thread. libcurl's callbacks note what came and the first failure; what it
/// comes to is decided when libcurl has returned.
final class Transfer {
  let job: FetchJob
  private(set) var easy: CurlEasy
  private let run: FetchRun
  private var clock: TransferClock
  /// The exchange's server lets it wait, as the queue has been told.
  var isSlow = false
  private(set) var chain: RedirectChain
  private var headers = ResponseHeaders()
  /// Of all exchanges.
  private var headerBytes = 0
  private var exchangeHeaderBytes = 0
  private var bytes = 0
  private var page: [UInt8] = []
  private var conditions = RequestConditions()
  private var failure: FetchError?
  private var hasBegun = false
  private var trust: RequestTrust
  /// Of the current exchange.
  private var proxy: String?
  /// Of the current exchange.
  private var credentials: Credentials?
  /// The server has refused Basic and offers Digest.
  private var isByDigest = false
  private var isOnInternet: Bool?
  private var hasRefusedAddress = false

  /// Bytes of a body that is not content: more is not read, so that a connection can be used
  /// again after a short error page, and an endless one is left.
  private static let maximumOtherBytes = 64 << 10

  init(job: FetchJob, url: HTTPURL, easy: CurlEasy, run: FetchRun) {
    self.job = job
    self.easy = easy
    self.run = run
    clock = TransferClock(run.options)
    trust = job.request.trust
    chain = RedirectChain(url: url, maximum: run.options.maximumRedirects)
  }

  /// The worker keeps the transfer for as long as its easy handle is in use.
  static func fromCallback(_ context: UnsafeMutableRawPointer?) -> Transfer? {
    context.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Sets up the exchange with the URL that the chain has reached.
  ///
  /// - Returns: why that may not be asked, or nil.
  func prepare() -> FetchError? {
    isSlow = false
    proxy = run.options.proxies.proxy(for: chain.url)
    guard proxy == nil || trust.mayAskProxy(for: chain.url) else { return refusal }
    if isSecretInTheClear, proxy != nil, !LocalHost.contains(chain.url.host) { return refusal }
    headers = ResponseHeaders()
    exchangeHeaderBytes = 0
    page = []
    hasRefusedAddress = false
    clock.startExchange()
    conditions = RequestConditions(job.request, at: chain)
    let call = job.request.call
    if call == nil {
      credentials = trust.credentials(
        for: chain.url,
        password: job.request.password,
        kept: run.keptPassword,
      )
    }
    var form = call?.form
    if let user = call?.user {
      guard let password = password(of: user) else {
        return .passwordMissing(host: chain.url.host)
      }
      form = (form.map { $0 + "&" } ?? "") + ServiceCall.form([("Passwd", password)])
    }
    setUpHandle()
    if let form { easy.post(form) }
    return nil
  }

  private func password(of user: String) -> String? {
    job.request.password ?? run.keptPassword(for: chain.url.host, user: user)?.password
  }

  private func setUpHandle() {
    let context = Unmanaged.passUnretained(self).toOpaque()
    var lines = job.request.call?.headerLines ?? conditions.headerLines
    if case .token(let token) = credentials { lines.append("Authorization: Bearer \(token)") }
    lines = trust.adding(job.request.headers.fields, to: lines)
    var options = run.options
    options.userAgent = job.request.userAgent ?? options.userAgent
    easy.prepare(
      chain.url,
      headers: lines,
      decodes: job.request.file == nil,
      options: options,
      context: context,
    )
    easy.use(proxy: proxy)
    if let credentials { easy.identify(by: credentials, at: chain.url, byDigest: isByDigest) }
    if proxy == nil, isSecretInTheClear || !trust.reachesPrivateNetworks {
      easy.guardAddresses(context: context)
    }
  }

  // MARK: - Where it may connect

  /// Whether libcurl may ask at an address that somebody else than the reader has chosen.
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

  private var refusal: FetchError {
    if isSecretInTheClear { return .secretInTheClear }
    return chain.hops == 0 ? .privateNetwork : .redirectToPrivateNetwork
  }

  private var answersFromInternet: Bool {
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
    // libcurl would undo several, and count the bytes of the last.
    if headers.codings > 1 { failure = .bodyCompressedTwice }
    return failure == nil ? line.count : 0
  }

  func didReceive(body piece: UnsafeRawBufferPointer) -> Int {
    guard isInTime() else { return 0 }
    bytes += piece.count
    let isTaken = isContent ? take(content: piece) : take(other: piece)
    return isTaken ? piece.count : 0
  }

  /// A look at the clock for each piece: a little that is sent can be inflated for a minute.
  private func isInTime() -> Bool {
    let now = ContinuousClock.now
    clock.haveBytes(exchangeHeaderBytes + easy.bodyBytes, at: now)
    failure = failure ?? (run.isOver(at: now) ? .deadline : clock.overdue(at: now))
    return failure == nil
  }

  private var isContent: Bool {
    headers.status == 200 || headers.status == 206 && job.request.file != nil
  }

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

  /// Why the file that the answer brings is not the one that was asked for, or not taken.
  private var fileFailure: FetchError? {
    guard let wanted = job.request.file, let head = fileHead else { return nil }
    if headers.codings > 0 { return .compressedFile }
    let limit = job.request.maximumBytes(run.options)
    if let size = head.size, size > limit { return .bodyTooLarge(maximumBytes: limit) }
    if headers.status == 200 {
      // A script that sends the rest and calls it the whole.
      return headers.contentRange?.start ?? 0 == 0 ? nil : .restRefused
    }
    let isRest = head.start == wanted.start && head.size != nil
    return isRest && !(wanted.validator.map(head.contradicts) ?? false) ? nil : .restRefused
  }

  private var fileHead: FileHead? { job.request.file.map { _ in FileHead(headers) } }

  private func take(other piece: UnsafeRawBufferPointer) -> Bool {
    page.append(contentsOf: piece.prefix(ProtectionService.pageBytes - page.count))
    return bytes <= Self.maximumOtherBytes
  }

  private func begin() {
    guard !hasBegun else { return }
    hasBegun = true
    var head = ResponseHead(
      status: headers.status,
      url: chain.url.publicText,
      contentType: headers.mediaType?.name,
      charset: headers.mediaType?.charset,
    )
    head.file = fileHead
    job.begin(head)
  }

  // MARK: - Time

  /// When to look again whether it has timed out.
  var nextCheck: ContinuousClock.Instant {
    let end = clock.end(connected: easy.timeUntilConnected)
    return isSlow ? end : min(end, slowTime)
  }

  /// When its server is called slow, unless enough comes before.
  var slowTime: ContinuousClock.Instant { clock.slowTime }

  func timeout(at now: ContinuousClock.Instant) -> FetchError? {
    clock.timeout(at: now, connected: easy.timeUntilConnected, host: chain.url.host)
  }

  // MARK: - What it comes to

  enum Conclusion {
    case ended(FetchOutcome)
    /// To be prepared and asked again: the chain has moved on, or the password is wanted otherwise.
    case redirected
  }

  /// Decides, when libcurl has ended the exchange with `result` and is out of it.
  func conclude(_ result: UInt32) -> Conclusion {
    if let failure { return .ended(.failed(failure, response)) }
    guard headers.isComplete else {
      let error = hasRefusedAddress ? refusal : error(result)
      return .ended(.failed(error, nil))
    }
    // A name that looks local says nothing of what answered behind a proxy.
    if chain.hops == 0 {
      isOnInternet = proxy == nil || answersFromInternet ? answersFromInternet : nil
    }
    switch headers.status {
    case 401 where mayTryDigest:
      isByDigest = true
      return again()
    case _ where isContent: return .ended(content(result))
    case 304: return .ended(notModified())
    case ..<100: return .ended(.failed(.malformedResponse, nil))
    case let status where RedirectChain.isRedirect(status): return redirect()
    case 500... where mayBeProxysOwn:
      return .ended(.failed(.proxyFailed(status: headers.status), nil))
    default: return .ended(.failed(statusError, response))
    }
  }

  private func content(_ result: UInt32) -> FetchOutcome {
    guard result == 0 else { return .failed(error(result), response) }
    if let fileFailure { return .failed(fileFailure, response) }
    begin()
    return .content(response)
  }

  private func notModified() -> FetchOutcome {
    var response = response
    response.validators = conditions.refreshed(by: headers)
    return response.validators == nil
      ? .failed(.unexpectedNotModified, response) : .notModified(response)
  }

  private func redirect() -> Conclusion {
    let (url, isOnInternet) = (chain.url, answersFromInternet)
    let isFollowed = job.request.call == nil
    do throws(FetchError) {
      try chain.follow(status: headers.status, location: headers.location)
    } catch {
      return .ended(.failed(error, response))
    }
    guard isFollowed else {
      return .ended(.failed(.redirected(to: chain.url.publicText), response))
    }
    trust.follow(from: url, to: chain.url, isOnInternet: isOnInternet)
    isByDigest = false
    return again()
  }

  private func again() -> Conclusion {
    guard let next = CurlEasy() else { return .ended(.failed(.resourcesExhausted, response)) }
    easy = next
    bytes = 0
    return .redirected
  }

  /// An answer for https comes through the proxy's tunnel, and is the server's.
  private var mayBeProxysOwn: Bool {
    proxy != nil && !chain.url.isSecure && !headers.isPassedOn
  }

  private var mayTryDigest: Bool {
    switch credentials {
    case .ofURL, .password: chain.url.isSecure && headers.offersDigest && !isByDigest
    default: false
    }
  }

  private var statusError: FetchError {
    let status = headers.status
    if let service = ProtectionService.name(headers: headers, page: page) {
      return .protectionService(status: status, name: service)
    }
    return .status(status)
  }

  private func error(_ result: UInt32) -> FetchError {
    CurlFailure.error(
      result,
      easy: easy,
      url: chain.url,
      hasBody: headers.isComplete,
      options: run.options,
    )
  }

  /// What the last answer said; also for a transfer that is ended from outside.
  var response: FetchResponse {
    var response = FetchResponse(
      status: headers.status == 0 ? nil : headers.status,
      url: chain.url.publicText,
    )
    response.permanentURL = chain.permanent?.text
    if headers.status == 200 { response.validators = newValidators }
    response.freshness = headers.freshness
    response.retryAfter = headers.retryAfter
    response.isOnInternet = isOnInternet
    response.speaksForOneFeed = job.request.isOfSubscription && !answersFromInternet
    response.trust = trust
    response.trust.follow(from: chain.url, to: chain.url, isOnInternet: answersFromInternet)
    response.contentType = headers.mediaType?.name
    response.charset = headers.mediaType?.charset
    response.fileSize = fileHead?.size
    response.bytes = bytes
    response.requests = chain.hops + 1
    response.duration = clock.started.duration(to: .now)
    return response
  }

  /// Of the request itself they bear its own spelling, so that they are found again.
  private var newValidators: CacheValidators? {
    guard headers.etag != nil || headers.lastModified != nil else { return nil }
    return CacheValidators(
      etag: headers.etag,
      lastModified: headers.lastModified,
      url: chain.hops == 0 ? job.request.url : chain.url.text,
      isETagIgnored: conditions.isETagIgnored(by: headers),
    )
  }
}
