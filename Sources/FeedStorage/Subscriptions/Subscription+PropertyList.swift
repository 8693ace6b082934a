internal import FeedModel
internal import PropertyLists
internal import System

extension Subscription {
  /// nil for a dictionary without a URL.
  init?(_ dictionary: PropertyListDictionary) {
    guard let url = dictionary["url"]?.string, !url.isEmpty else { return nil }
    self.init(
      url: url,
      listedURL: dictionary["listedURL"]?.string,
      title: dictionary["title"]?.string,
    )
    tags = dictionary["tags"]?.asStrings ?? []
    passwordCommand = dictionary["passwordCommand"]?.string
    settings = FeedSettings(dictionary)
    state = FeedState(dictionary["state"]?.dictionary ?? PropertyListDictionary())
  }

  /// The subscription as `feeds.plist` has it, over what was there.
  func dictionary(over old: PropertyListDictionary) -> PropertyListDictionary {
    var dictionary = old
    dictionary["url"] = .string(url)
    dictionary["title"] = title.map { .string($0) }
    dictionary["tags"] = .strings(tags)
    dictionary["passwordCommand"] = passwordCommand.map { .string($0) }
    dictionary["listedURL"] = listedURL.map { .string($0) }
    dictionary["interval"] = .seconds(settings.interval)
    dictionary["keep"] = settings.keep.map { .integer(Int64($0)) }
    dictionary["maxSize"] = settings.maximumBytes.map { .integer(Int64($0)) }
    dictionary["userAgent"] = settings.userAgent.map { .string($0) }
    dictionary["full"] = settings.fetchesPages ? .boolean(true) : nil
    dictionary["download"] = settings.downloads.map { .integer(Int64($0)) }
    dictionary["downloadLimit"] = settings.downloadBytes.map { .integer(Int64($0)) }
    let state = state.dictionary(over: old["state"]?.dictionary ?? PropertyListDictionary())
    dictionary["state"] = state.entries.isEmpty ? nil : .dictionary(state)
    return dictionary
  }
}

extension FeedSettings {
  fileprivate init(_ dictionary: PropertyListDictionary) {
    self.init()
    interval = dictionary["interval"]?.asDuration
    keep = dictionary["keep"]?.asCount
    maximumBytes = dictionary["maxSize"]?.asCount
    userAgent = dictionary["userAgent"]?.string.map { SafeText.line($0) }
    fetchesPages = dictionary["full"]?.boolean ?? false
    downloads = dictionary["download"]?.asCount
    downloadBytes = dictionary["downloadLimit"]?.asCount
  }
}

extension FeedState {
  init(_ dictionary: PropertyListDictionary) {
    self.init()
    title = dictionary["title"]?.string
    link = dictionary["link"]?.string
    validators = dictionary["validators"]?.dictionary.flatMap { CacheValidators($0) }
    bodyDigest = dictionary["bodyDigest"]?.string
    bodyBytes = dictionary["bodyBytes"]?.asCount
    isOnInternet = dictionary["isOnInternet"]?.boolean
    lastAsked = dictionary["lastAsked"]?.asDate
    lastSucceeded = dictionary["lastSucceeded"]?.asDate
    lastOutcome = dictionary["lastOutcome"]?.string.flatMap { Outcome(rawValue: $0) }
    lastError = dictionary["lastError"]?.string
    lastStatus = dictionary["lastStatus"]?.asInt
    failures = dictionary["failures"]?.asCount ?? 0
    isUnreachable = dictionary["isUnreachable"]?.boolean ?? false
    unreachedSince = dictionary["unreachedSince"]?.asDate
    nextDue = dictionary["nextDue"]?.asDate
    earliestDue = dictionary["earliestDue"]?.asDate
    lastUnconditional = dictionary["lastUnconditional"]?.asDate
    lastChanged = dictionary["lastChanged"]?.asDate
    isGone = dictionary["isGone"]?.boolean ?? false
    pendingMove = dictionary["pendingMove"]?.dictionary.flatMap { PendingMove($0) }
    hints = UpdateHints(dictionary["hints"]?.dictionary ?? PropertyListDictionary())
    rhythm = dictionary["rhythm"]?.asDuration
    dropped = dictionary["dropped"]?.asHashes ?? []
    cleared = dictionary["cleared"]?.asHashes ?? []
    formerURLs = dictionary["formerURLs"]?.asStrings ?? []
    server = dictionary["server"]?.string
    deaths = dictionary["deaths"]?.dictionary.flatMap { RunDeaths($0) }
    pages = (dictionary["pages"]?.array?.prefix(WantedPage.most) ?? []).compactMap {
      WantedPage($0)
    }
  }

  func dictionary(over old: PropertyListDictionary) -> PropertyListDictionary {
    var dictionary = old
    dictionary["title"] = title.map { .string($0) }
    dictionary["link"] = link.map { .string($0) }
    dictionary["validators"] = validators.map { .dictionary($0.dictionary()) }
    // Of earlier versions.
    dictionary["newestTitle"] = nil
    dictionary["bodyDigest"] = bodyDigest.map { .string($0) }
    dictionary["bodyBytes"] = bodyBytes.map { .integer(Int64($0)) }
    dictionary["isOnInternet"] = isOnInternet.map { .boolean($0) }
    dictionary["lastAsked"] = .date(lastAsked)
    dictionary["lastSucceeded"] = .date(lastSucceeded)
    dictionary["lastOutcome"] = lastOutcome.map { .string($0.rawValue) }
    dictionary["lastError"] = lastError.map { .string($0) }
    dictionary["lastStatus"] = lastStatus.map { .integer(Int64($0)) }
    dictionary["failures"] = failures == 0 ? nil : .integer(Int64(failures))
    dictionary["isUnreachable"] = isUnreachable ? .boolean(true) : nil
    dictionary["unreachedSince"] = .date(unreachedSince)
    dictionary["nextDue"] = .date(nextDue)
    dictionary["earliestDue"] = .date(earliestDue)
    dictionary["lastUnconditional"] = .date(lastUnconditional)
    dictionary["lastChanged"] = .date(lastChanged)
    dictionary["isGone"] = isGone ? .boolean(true) : nil
    dictionary["pendingMove"] = pendingMove.map { .dictionary($0.dictionary()) }
    let hints = hints.dictionary()
    dictionary["hints"] = hints.entries.isEmpty ? nil : .dictionary(hints)
    dictionary["rhythm"] = .seconds(rhythm)
    dictionary["dropped"] = .hashes(dropped)
    dictionary["cleared"] = .hashes(cleared)
    dictionary["formerURLs"] = .strings(formerURLs)
    dictionary["deaths"] = deaths.map { .dictionary($0.dictionary()) }
    dictionary["server"] = server.map { .string($0) }
    dictionary["pages"] = pages.isEmpty ? nil : .array(pages.map(\.value))
    return dictionary
  }
}

extension CacheValidators {
  fileprivate init?(_ dictionary: PropertyListDictionary) {
    guard let url = dictionary["url"]?.string else { return nil }
    self.init(
      etag: dictionary["etag"]?.string,
      lastModified: dictionary["lastModified"]?.string,
      url: url,
      isETagIgnored: dictionary["isETagIgnored"]?.boolean ?? false,
    )
  }

  fileprivate func dictionary() -> PropertyListDictionary {
    var dictionary: PropertyListDictionary = ["url": .string(url)]
    dictionary["etag"] = etag.map { .string($0) }
    dictionary["lastModified"] = lastModified.map { .string($0) }
    dictionary["isETagIgnored"] = isETagIgnored ? .boolean(true) : nil
    return dictionary
  }
}

extension PendingMove {
  fileprivate init?(_ dictionary: PropertyListDictionary) {
    guard let url = dictionary["url"]?.string, let lastSeen = dictionary["lastSeen"]?.asDate else {
      return nil
    }
    self.init(
      url: url,
      days: dictionary["days"]?.asCount ?? 1,
      lastSeen: lastSeen,
      firstSeen: dictionary["firstSeen"]?.asDate ?? .distantPast,
    )
  }

  fileprivate func dictionary() -> PropertyListDictionary {
    [
      "url": .string(url), "days": .integer(Int64(days)),
      "lastSeen": .date(lastSeen.timeIntervalSinceReferenceDate),
      "firstSeen": .date(firstSeen.timeIntervalSinceReferenceDate),
    ]
  }
}

extension RunDeaths {
  fileprivate init?(_ dictionary: PropertyListDictionary) {
    guard let count = dictionary["count"]?.asCount, count > 0 else { return nil }
    self.init(count: min(count, Self.most), isAlone: dictionary["isAlone"]?.boolean ?? false)
  }

  fileprivate func dictionary() -> PropertyListDictionary {
    ["count": .integer(Int64(count)), "isAlone": .boolean(isAlone)]
  }
}

extension WantedPage {
  fileprivate init?(_ value: PropertyListValue) {
    guard let dictionary = value.dictionary, let id = dictionary["id"]?.string else { return nil }
    self.init(id: id, tries: dictionary["tries"]?.asCount ?? 0)
  }

  fileprivate var value: PropertyListValue {
    .dictionary(["id": .string(id), "tries": .integer(Int64(tries))])
  }
}

extension UpdateHints {
  fileprivate init(_ dictionary: PropertyListDictionary) {
    self.init()
    timeToLive = dictionary["timeToLive"]?.asCount
    skipHours = Set(dictionary["skipHours"]?.array?.compactMap(\.asInt) ?? [])
    skipDays = Set(dictionary["skipDays"]?.array?.compactMap(\.asInt) ?? [])
    updatePeriod = dictionary["updatePeriod"]?.asDuration
    updateFrequency = dictionary["updateFrequency"]?.asCount
    updateBase = dictionary["updateBase"]?.asDate
  }

  fileprivate func dictionary() -> PropertyListDictionary {
    var dictionary = PropertyListDictionary()
    dictionary["timeToLive"] = timeToLive.map { .integer(Int64($0)) }
    dictionary["skipHours"] = .integers(skipHours)
    dictionary["skipDays"] = .integers(skipDays)
    dictionary["updatePeriod"] = .seconds(updatePeriod)
    dictionary["updateFrequency"] = updateFrequency.map { .integer(Int64($0)) }
    dictionary["updateBase"] = .date(updateBase)
    return dictionary
  }
}
