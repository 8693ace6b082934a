internal import CommandLine
internal import FeedModel
internal import FeedStorage

/// A call of the interface by a user who has logged in.
struct InterfaceCall {
  let interface: ReaderInterface
  let request: HTTPRequest
  let fields: FormFields
  /// The path after the interface's root, such as `tag/list`.
  let name: Substring

  init(_ interface: ReaderInterface, _ request: HTTPRequest, _ name: Substring) {
    (self.interface, self.request, self.name) = (interface, request, name)
    fields = request.fields
  }

  func answer() throws(RequestFault) -> HTTPAnswer {
    guard fields.isWhole || name == "subscription/import" else { throw .tooManyFields }
    switch name {
    case "token": return try token()
    case "user-info": return .json(user.description)
    case "tag/list": return listed(try tags())
    case "subscription/list": return listed(try subscriptions())
    case "unread-count": return listed(try unreadCount())
    case "preference/list": return listed(.object([("prefs", .array([]))]))
    case "preference/stream/list": return listed(.object([("streamprefs", .object([]))]))
    case "stream/items/ids": return try itemIDs()
    case "stream/items/count": return try itemCount()
    case "stream/items/contents": return try itemContents()
    case _ where name == "stream/contents" || name.hasPrefix("stream/contents/"):
      return try streamContents(name.dropFirst(16))
    case _ where name.hasPrefix("atom/"): return try streamFeed(name.dropFirst(5))
    default: return try change()
    }
  }

  func stories() throws(RequestFault) -> ServedStories {
    do { return try interface.library.stories() } catch {
      throw .failed("\(error)")
    }
  }

  /// Returns the token for changes, which is that of the log-in: apps of Miniflux post no other
  /// proof.
  private func token() throws(RequestFault) -> HTTPAnswer {
    guard let token = interface.token(of: request) else { throw .badToken }
    return .text(token)
  }

  private var user: PrintedJSON {
    let number = String(interface.account?.number ?? 0)
    return .object([
      ("userId", .string(number)), ("userName", .string("news")),
      ("userProfileId", .string(number)), ("userEmail", .string("")),
      ("isBloggerUser", .boolean(false)), ("signupTimeSec", .integer(0)),
      ("isMultiLoginEnabled", .boolean(false)),
    ])
  }
}

// MARK: Lists

extension InterfaceCall {
  /// Returns the star, the folders, and the tags of stories; a tag of both kinds counts as a
  /// folder.
  private func tags() throws(RequestFault) -> PrintedJSON {
    let (folders, tags) = try stories().labels
    let labels = folders.map { ($0, "folder") } + tags.map { ($0, "tag") }
    let entries = labels.map { name, type in
      PrintedJSON.object([("id", .string(StreamID.label(name).text)), ("type", .string(type))])
    }
    let starred = PrintedJSON.object([("id", .string(StreamID.starred.text))])
    return .object([("tags", .array([starred] + entries))])
  }

  private func subscriptions() throws(RequestFault) -> PrintedJSON {
    let icons = ServedIcons(interface, request)
    let feeds = try stories().feeds.all.map { Self.subscription($0, icons) }
    return .object([("subscriptions", .array(feeds))])
  }

  private static func subscription(_ feed: Subscription, _ icons: ServedIcons) -> PrintedJSON {
    let id = StreamID.feed(ServedFeeds.name(ofFeed: feed.url)).text
    let address = ServedFeeds.address(ofFeed: feed.url)
    return .object([
      ("id", .string(id)), ("title", .string(feed.servedTitle)),
      ("categories", .array(feed.tags.map(category))),
      // Readrops reads no list with an empty URL, and Fluent Reader no two equal ones.
      ("url", .string(address.isEmpty ? id : address)),
      ("htmlUrl", .string(feed.page ?? "")), ("iconUrl", .string(icons.address(of: feed.url))),
    ])
  }

  private static func category(_ tag: String) -> PrintedJSON {
    .object([("id", .string(StreamID.label(tag).text)), ("label", .string(tag))])
  }

  /// Returns the numbers of unread stories of each feed, each folder and tag, and of all.
  private func unreadCount() throws(RequestFault) -> PrintedJSON {
    let stories = try stories()
    let feeds = stories.feeds.all.map { StreamID.feed(ServedFeeds.name(ofFeed: $0.url)) }
    let (folders, tags) = stories.labels
    let counts = ServedUnreadCounts(stories)
    let streams = feeds + (folders + tags).map { .label($0) } + [.readingList]
    let entries = streams.map { stream in
      let count = counts.count(stream)
      return PrintedJSON.object([
        ("id", .string(stream.text)), ("count", .integer(count.stories)),
        ("newestItemTimestampUsec", .string(String(count.newest))),
      ])
    }
    let all = counts.count(.readingList).stories
    return .object([("max", .integer(all)), ("unreadcounts", .array(entries))])
  }
}

extension ServedStories {
  /// The folders, and the tags of stories that are no folders.
  fileprivate var labels: (folders: [String], tags: [String]) {
    let folders = feeds.folders
    let known = Set(folders.map { $0.lowercased() })
    return (folders, tags.filter { !known.contains($0.lowercased()) })
  }
}
