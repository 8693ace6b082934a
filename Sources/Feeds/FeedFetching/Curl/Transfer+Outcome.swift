import FeedModel

extension Transfer {
  /// Returns nil where the transfer is to be prepared again: the chain has moved on, or the server
  /// wants Digest or a concession.
  func conclude(_ result: UInt32) -> FetchOutcome? {
    if let failure { return .failed(failure, response) }
    if let concession = wantedConcession(result) {
      concessions.insert(concession)
      return again()
    }
    guard headers.isComplete else {
      let error = hasRefusedAddress ? refusal : error(result)
      return .failed(error, nil)
    }
    // A name that looks local says nothing of the server that answered behind a proxy.
    if chain.hops == 0 {
      isOnInternet = proxy == nil || answersFromInternet ? answersFromInternet : nil
    }
    switch headers.status {
    case 401 where mayTryDigest:
      isByDigest = true
      return again()
    case _ where isContent: return content(result)
    case _ where isEmpty && job.request.file == nil: return nothingNew()
    case 304: return notModified()
    case ..<100: return .failed(.malformedResponse, nil)
    case let status where RedirectChain.isRedirect(status): return redirect()
    case 500... where mayBeProxysOwn:
      return .failed(.proxyFailed(status: headers.status), nil)
    default: return .failed(statusError, response)
    }
  }

  private func content(_ result: UInt32) -> FetchOutcome {
    guard result == 0 else { return .failed(error(result), response) }
    if let fileFailure { return .failed(fileFailure, response) }
    begin()
    return .content(response)
  }

  private func nothingNew() -> FetchOutcome {
    var response = response
    response.validators = conditions.validators
    return .notModified(response)
  }

  private func notModified() -> FetchOutcome {
    var response = response
    response.validators = conditions.refreshed(by: headers)
    return response.validators == nil
      ? .failed(.unexpectedNotModified, response) : .notModified(response)
  }

  private func redirect() -> FetchOutcome? {
    let (url, isOnInternet) = (chain.url, answersFromInternet)
    let isFollowed = job.request.call == nil
    do throws(FetchError) {
      try chain.follow(status: headers.status, location: headers.location, with: easy.cookies)
    } catch {
      return .failed(error, response)
    }
    guard isFollowed else { return .failed(.redirected(to: chain.url.publicText), response) }
    trust.follow(from: url, to: chain.url, isOnInternet: isOnInternet)
    isByDigest = false
    return again()
  }

  private func again() -> FetchOutcome? {
    guard let next = CurlEasy() else { return .failed(.resourcesExhausted, response) }
    cookies = easy.cookies
    easy = next
    return nil
  }

  /// Returns what may help where nothing of the body has been taken, if it was not granted before.
  private func wantedConcession(_ result: UInt32) -> Concessions? {
    if job.request.call?.isToggle == true { return nil }
    if isMiscoded(result) { return .noCoding }
    if CurlFailure.isOfHTTP2(result), bytes == 0, !isHTTP1 { return .http1 }
    let mayAskForAnyType =
      headers.status == 406 && job.request.call == nil && job.request.file == nil
    return mayAskForAnyType && !concessions.contains(.anyType) ? .anyType : nil
  }

  /// Returns true for content that libcurl cannot decode, of which a part may have been received.
  ///
  /// Calls are repeated, too, but for those that toggle: what the others set once is as it is twice.
  private func isMiscoded(_ result: UInt32) -> Bool {
    undoesCodings && CurlFailure.isOfCoding(result) && (isContent || !headers.isComplete)
  }

  /// True for a proxy's answer over plain http; one over https comes through its tunnel, and is the
  /// server's.
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
    if let call = job.request.call {
      let secrets = call.secrets + [call.user.flatMap(password)].compactMap(\.self)
      if let answer = RefusedCall.answer(page, hiding: secrets) {
        return .refusedCall(status: status, answer: answer)
      }
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

  var response: FetchResponse {
    var response = FetchResponse(
      status: headers.status == 0 ? nil : headers.status,
      url: chain.url.publicText,
    )
    response.permanentURL = chain.permanent?.text
    if isContent { response.validators = newValidators }
    response.freshness = headers.freshness
    response.retryAfter = headers.retryAfter?.counted(from: headers.freshness)
    response.isOnInternet = isOnInternet
    response.speaksForOneFeed = job.request.isOfSubscription && !answersFromInternet
    response.trust = trust
    response.trust.follow(from: chain.url, to: chain.url, isOnInternet: answersFromInternet)
    response.contentType = headers.mediaType?.name
    response.charset = headers.mediaType?.charset
    response.fileSize = fileHead?.size
    response.bytes = bytes
    response.requests = requests
    response.concessions = concessions
    response.duration = clock.started.duration(to: .now)
    return response
  }

  /// The validators of the answer; those of the request itself keep its spelling, so that they are
  /// found again.
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
