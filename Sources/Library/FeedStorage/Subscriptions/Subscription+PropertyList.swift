internal import FeedModel
internal import System

extension Subscription {
  static let table = fields.adding([.init(stateKey, { $1(&$0.state) }, in: FeedState.table)])

  static let stateKey = "state"
  /// The keys of paths of certificates: those that are trusted, the reader's own, and its key.
  static let certificateKeys: [StaticString] = ["ca", "certificate", "key"]

  /// The keys beside the state.
  static let fields = listed.adding([
    .init("passwordCommand", { $1(&$0.passwordCommand) }, .string),
    .init("headers", { $1(&$0.headers.fields) }, .headers),
    .init("headerCommand", { $1(&$0.headers.command) }, .string),
    .init("proxy", { $1(&$0.route.proxy) }, .string.accepting(FeedRoute.takesProxy)),
    .init("\(certificateKeys[0])", { $1(&$0.route.authorities) }, .string),
    .init("\(certificateKeys[1])", { $1(&$0.route.certificate) }, .string),
    .init("\(certificateKeys[2])", { $1(&$0.route.key) }, .string),
    .init("filter", { $1(&$0.filter) }, .string),
    .init("listedURL", { $1(&$0.listedURL) }, .string), .init("list", { $1(&$0.list) }, .listName),
    .former("\(arrivesReadKey)"),
  ])

  /// The key of a setting that is a rule since 1.0.
  static let arrivesReadKey: StaticString = "arrivesRead"

  /// The keys that lists of stories need.
  static let listed: PropertyListTable<Subscription> = .init(
    Subscription(url: ""),
    [
      .init("url", { $1(&$0.url) }, required: .string.accepting { !$0.isEmpty }),
      .init("title", { $1(&$0.title) }, .string), .init("tags", { $1(&$0.tags) }, .strings),
    ] + FeedSetting.allCases.map(\.key),
  )
}

extension FeedSetting {
  fileprivate var key: PropertyListKey<Subscription> {
    PropertyListKey(
      rawValue,
      read: { value, feed in
        if let new = SyncValue(value) { feed.settings[self] = new }
      },
      // PERF: most feeds have no settings, and each is looked at through a key path.
      write: { $0.settings == Self.none ? nil : $0.settings[self].propertyList },
    )
  }

  private static let none = FeedSettings()
}

extension PropertyListCoding where Value == String {
  fileprivate static var listName: Self {
    PropertyListCoding<String>.string.map({ FeedList.name(of: $0) }, back: { $0 })
  }
}

extension PropertyListCoding where Value == [RequestHeader] {
  fileprivate static var headers: Self {
    PropertyListCoding<[String]>.strings.map(
      { $0.prefix(RequestHeader.most).compactMap { RequestHeader($0) } },
      back: { $0.map(\.line) },
    )
  }
}

extension FeedState {
  static let table = listed.adding(documents + visits + due + stories)

  /// The keys that lists of stories need.
  static let listed: PropertyListTable<FeedState> = .init(
    FeedState(),
    [
      .init("title", { $1(&$0.title) }, .string), .init("language", { $1(&$0.language) }, .string),
      .init("formerURLs", { $1(&$0.formerURLs) }, .strings),
    ],
  )

  private static let documents: [PropertyListKey<Self>] = [
    .former("newestTitle"), .init("link", { $1(&$0.link) }, .string),
    .init("icon", { $1(&$0.icon) }, .string), .init("iconAsked", { $1(&$0.iconAsked) }, .date),
    .init("validators", { $1(&$0.validators) }, .dictionary(CacheValidators.table)),
    .init("bodyDigest", { $1(&$0.bodyDigest) }, .string),
    .init("bodyBytes", { $1(&$0.bodyBytes) }, .count),
    .init("isCutOff", { $1(&$0.isCutOff) }, .boolean),
  ]

  private static let visits: [PropertyListKey<Self>] = [
    .init("isOnInternet", { $1(&$0.isOnInternet) }, .boolean),
    .former("isUncoded"), .init("concessions", { $1(&$0.concessions.rawValue) }, .count),
    .init("lastAsked", { $1(&$0.lastAsked) }, .date),
    .init("lastSucceeded", { $1(&$0.lastSucceeded) }, .date),
    .init("lastPart", { $1(&$0.lastPart) }, .date),
    .init("lastOutcome", { $1(&$0.lastOutcome) }, .word),
    .init("lastError", { $1(&$0.lastError) }, .string),
    .init("lastStatus", { $1(&$0.lastStatus) }, .integer),
    .init("failures", { $1(&$0.failures) }, .count),
    .init("isUnreachable", { $1(&$0.isUnreachable) }, .boolean),
    .init("unreachedSince", { $1(&$0.unreachedSince) }, .date),
  ]

  private static let due: [PropertyListKey<Self>] = [
    .init("nextDue", { $1(&$0.nextDue) }, .date),
    .init("earliestDue", { $1(&$0.earliestDue) }, .date),
    .init("lastUnconditional", { $1(&$0.lastUnconditional) }, .date),
    .init("lastChanged", { $1(&$0.lastChanged) }, .date),
    .init("isGone", { $1(&$0.isGone) }, .boolean),
    .init("pendingMove", { $1(&$0.pendingMove) }, .dictionary(PendingMove.table)),
    .init("announcedMove", { $1(&$0.announcedMove) }, .dictionary(AnnouncedMove.table)),
    .init("newAddress", { $1(&$0.newAddress) }, .string),
    .init("siteAsked", { $1(&$0.siteAsked) }, .date),
    .init("hints", { $1(&$0.hints) }, .dictionary(UpdateHints.table)),
    .init("rhythm", { $1(&$0.rhythm) }, .seconds),
  ]

  private static let stories: [PropertyListKey<Self>] = [
    .init("dropped", { $1(&$0.evicted) }, .hashes),
    .init("cleared", { $1(&$0.cleared) }, .hashes),
    .init("server", { $1(&$0.server) }, .string), .init("site", { $1(&$0.site) }, .string),
    .init("pages", { $1(&$0.pages) }, .pages),
    .init("older", { $1(&$0.older) }, .dictionary(OlderPages.table)),
  ]
}

extension FeedList {
  static let table: PropertyListTable<FeedList> = .init(
    FeedList(source: Subscription(url: "")),
    [
      .init("source", { $1(&$0.source) }, required: .dictionary(Subscription.table)),
      .init("feeds", { $1(&$0.feeds) }, .strings), .init("bringing", { $1(&$0.bringing) }, .count),
      .init("taking", { $1(&$0.taking) }, .count),
    ],
  )
}

extension CacheValidators {
  fileprivate static let table: PropertyListTable<CacheValidators> = .init(
    CacheValidators(etag: nil, lastModified: nil, url: ""),
    [
      .init("url", { $1(&$0.url) }, required: .string), .init("etag", { $1(&$0.etag) }, .string),
      .init("lastModified", { $1(&$0.lastModified) }, .string),
      .init("isETagIgnored", { $1(&$0.isETagIgnored) }, .boolean),
    ],
  )
}

extension OlderPages {
  fileprivate static let table: PropertyListTable<OlderPages> = .init(
    OlderPages(),
    [
      .init("next", { $1(&$0.next) }, .string), .init("end", { $1(&$0.end) }, .string),
      .init("oldest", { $1(&$0.oldest) }, .date),
    ],
  )
}

extension AnnouncedMove {
  fileprivate static let table: PropertyListTable<AnnouncedMove> = .init(
    AnnouncedMove(url: ""),
    [
      .init("url", { $1(&$0.url) }, required: .string), .init("tried", { $1(&$0.tried) }, .date),
    ],
  )
}

extension PendingMove {
  fileprivate static let table: PropertyListTable<PendingMove> = .init(
    PendingMove(url: "", days: 1, lastSeen: .distantPast, firstSeen: .distantPast),
    [
      .init("url", { $1(&$0.url) }, required: .string),
      .init("days", { $1(&$0.days) }, always: .count),
      .init("lastSeen", { $1(&$0.lastSeen) }, required: .date),
      .init("firstSeen", { $1(&$0.firstSeen) }, always: .date),
    ],
  )
}

extension UpdateHints {
  fileprivate static let table: PropertyListTable<UpdateHints> = .init(
    UpdateHints(),
    [
      .init("timeToLive", { $1(&$0.timeToLive) }, .count),
      .init("skipHours", { $1(&$0.skipHours) }, .integers),
      .init("skipDays", { $1(&$0.skipDays) }, .integers),
      .init("updatePeriod", { $1(&$0.updatePeriod) }, .seconds),
      .init("updateFrequency", { $1(&$0.updateFrequency) }, .count),
      .init("updateBase", { $1(&$0.updateBase) }, .date),
    ],
  )
}

extension PropertyListCoding where Value == [WantedPage] {
  fileprivate static var pages: Self {
    let table: PropertyListTable<WantedPage> = .init(
      WantedPage(id: ""),
      [
        .init("id", { $1(&$0.id) }, required: .string),
        .init("tries", { $1(&$0.tries) }, always: .count),
      ],
    )
    return PropertyListCoding.list(of: .dictionary(table))
      .map({ Array($0.prefix(WantedPage.most)) }, back: { $0 })
  }
}
