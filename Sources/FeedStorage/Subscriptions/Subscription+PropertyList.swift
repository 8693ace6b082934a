internal import FeedModel
internal import PropertyLists
internal import System

/// How `feeds.plist` has a subscription.
extension Subscription {
  static let table = PropertyListTable(
    Subscription(url: ""),
    [
      .init("url", \.url, required: .string.accepting { !$0.isEmpty }),
      .init("title", \.title, .string),
      .init("tags", \.tags, .strings),
      .init("passwordCommand", \.passwordCommand, .string),
      .init("listedURL", \.listedURL, .string),
    ],
  )
  .adding(FeedSetting.allCases.map(\.key))
  .adding([.init("state", \.state, in: FeedState.table)])
}

extension FeedSetting {
  fileprivate var key: PropertyListKey<Subscription> {
    PropertyListKey(
      rawValue,
      read: { value, feed in
        if let new = SyncValue(value) { feed.settings[self] = new }
      },
      write: { $0.settings[self].propertyList },
    )
  }
}

extension FeedState {
  fileprivate static let table = PropertyListTable(
    FeedState(),
    [
      .former("newestTitle"),
      .init("title", \.title, .string), .init("link", \.link, .string),
      .init("validators", \.validators, .dictionary(CacheValidators.table)),
      .init("bodyDigest", \.bodyDigest, .string), .init("bodyBytes", \.bodyBytes, .count),
      .init("isOnInternet", \.isOnInternet, .boolean),
      .init("lastAsked", \.lastAsked, .date), .init("lastSucceeded", \.lastSucceeded, .date),
      .init("lastOutcome", \.lastOutcome, .word), .init("lastError", \.lastError, .string),
      .init("lastStatus", \.lastStatus, .integer),
      .init("failures", \.failures, .count),
      .init("isUnreachable", \.isUnreachable, .boolean),
      .init("unreachedSince", \.unreachedSince, .date),
      .init("nextDue", \.nextDue, .date), .init("earliestDue", \.earliestDue, .date),
      .init("lastUnconditional", \.lastUnconditional, .date),
      .init("lastChanged", \.lastChanged, .date),
      .init("isGone", \.isGone, .boolean),
      .init("pendingMove", \.pendingMove, .dictionary(PendingMove.table)),
      .init("hints", \.hints, .dictionary(UpdateHints.table)),
      .init("rhythm", \.rhythm, .seconds),
      .init("dropped", \.dropped, .hashes),
      .init("cleared", \.cleared, .hashes),
      .init("formerURLs", \.formerURLs, .strings),
      .init("deaths", \.deaths, .deaths),
      .init("server", \.server, .string),
      .init("pages", \.pages, .pages),
    ],
  )
}

extension CacheValidators {
  fileprivate static let table = PropertyListTable(
    CacheValidators(etag: nil, lastModified: nil, url: ""),
    [
      .init("url", \.url, required: .string), .init("etag", \.etag, .string),
      .init("lastModified", \.lastModified, .string),
      .init("isETagIgnored", \.isETagIgnored, .boolean),
    ],
  )
}

extension PendingMove {
  fileprivate static let table = PropertyListTable(
    PendingMove(url: "", days: 1, lastSeen: .distantPast, firstSeen: .distantPast),
    [
      .init("url", \.url, required: .string),
      .init("days", \.days, always: .count),
      .init("lastSeen", \.lastSeen, required: .date),
      .init("firstSeen", \.firstSeen, always: .date),
    ],
  )
}

extension UpdateHints {
  fileprivate static let table = PropertyListTable(
    UpdateHints(),
    [
      .init("timeToLive", \.timeToLive, .count),
      .init("skipHours", \.skipHours, .integers),
      .init("skipDays", \.skipDays, .integers),
      .init("updatePeriod", \.updatePeriod, .seconds),
      .init("updateFrequency", \.updateFrequency, .count),
      .init("updateBase", \.updateBase, .date),
    ],
  )
}

extension PropertyListCoding where Value == RunDeaths {
  fileprivate static var deaths: Self {
    let table = PropertyListTable(
      RunDeaths(count: 0, isAlone: false),
      [
        .init("count", \.count, required: .count(atMost: RunDeaths.most)),
        .init("isAlone", \.isAlone, always: .boolean),
      ],
    )
    return .dictionary(table).accepting { $0.count > 0 }
  }
}

extension PropertyListCoding where Value == [WantedPage] {
  fileprivate static var pages: Self {
    let table = PropertyListTable(
      WantedPage(id: ""),
      [
        .init("id", \.id, required: .string), .init("tries", \.tries, always: .count),
      ],
    )
    return PropertyListCoding.list(of: .dictionary(table))
      .map({ Array($0.prefix(WantedPage.most)) }, back: { $0 })
  }
}
