import FeedModel
import FeedParsing
import System

@testable import FeedSync

/// The interfaces that the stand-in speaks: its answers are made from the interfaces' documentation
/// and from the requests of their public clients.
enum ServerAPI: String, CaseIterable {
  case greader, miniflux, nextcloud

  static let plain: [ServerAPI] = [.miniflux, .nextcloud]
}

extension ReaderServer.Request {
  var isOfMarks: Bool {
    name == "0/edit-tag" || path.hasSuffix("/multiple")
      || method == "PUT" && path.hasPrefix("v1/entries")
  }

  var isOfFeeds: Bool {
    name == "subscription/edit" || method != "GET" && path.contains("/feeds")
  }

  /// True for a request that stories come with.
  var isOfStories: Bool {
    name == "items/contents" || method == "GET" && ["v1/entries", "v1-3/items"].contains(name)
  }

  /// The stories that it is about.
  var ids: [ServerItemID] {
    let list = (json["entry_ids"] ?? json["itemIds"] ?? .null).elements.compactMap(\.text)
    let star = path.hasSuffix("/bookmark") ? path.split(separator: "/").map(String.init) : []
    return (form["i"] ?? []).compactMap { ServerItemID($0) }
      + (list + star).compactMap { UInt64($0).map { ServerItemID(low: $0) } }
  }

  var json: JSONValue {
    let value = Array((body ?? "").utf8).withUnsafeBytes { try? JSONDocument($0).value() }
    return (value ?? nil) ?? .null
  }

  var isLoggedIn: Bool {
    authorization == "Basic \(ReaderServer.user):\(ReaderServer.password)"
      || authorization == "Token \(ReaderServer.password)"
  }

  fileprivate func number(_ name: String) -> Int? { query[name]?.last.flatMap { Int($0) } }
}

extension ReaderServer.Account {
  typealias Answer = (status: Int, body: String)

  /// The number of a folder; the first two are none of the user's.
  fileprivate mutating func folder(_ name: String) -> Int {
    if !folders.contains(name) { folders.append(name) }
    return (folders.firstIndex(of: name) ?? 0) + 2
  }

  fileprivate func folderName(_ value: JSONValue?) -> String? {
    let number = value?.text.flatMap { Int($0) } ?? 0
    return folders.indices.contains(number - 2) ? folders[number - 2] : nil
  }

  private mutating func noteFolders() { for label in feeds.flatMap(\.labels) { _ = folder(label) } }

  private func page(
    _ stories: [ReaderServer.Story],
    below: Int,
    _ size: Int,
    _ text: (ReaderServer.Story) -> String,
  ) -> String? {
    let page = stories.sorted { $0.id > $1.id }.filter { below == 0 || $0.id.low < UInt64(below) }
      .prefix(min(size, pageSize))
    guard bad.isDisjoint(with: page.map(\.id)) else { return nil }
    return "[\(page.map(text).joined(separator: ","))]"
  }

  private mutating func follow(_ url: String, _ folder: String?) {
    next += 1
    let stream = "feed/\(next % 100_000)"
    let labels = [folder].compactMap(\.self)
    feeds.append(ReaderServer.Feed(stream: stream, url: url, title: url, labels: labels))
  }

  private mutating func unfollow(_ place: Int) {
    let gone = feeds.remove(at: place).stream
    stories.removeAll { $0.stream == gone }
  }

  private mutating func mark(_ ids: [ServerItemID], _ body: (inout ReaderServer.Story) -> Void) {
    for place in stories.indices where ids.contains(stories[place].id) { body(&stories[place]) }
  }

  // MARK: Miniflux

  mutating func miniflux(_ request: ReaderServer.Request) -> Answer {
    guard request.path.hasPrefix("v1/") else { return (404, "") }
    guard request.isLoggedIn else { return (401, "{\"error_message\":\"Access Unauthorized\"}") }
    noteFolders()
    let parts = request.path.split(separator: "/").map(String.init)
    let place = parts.count > 2 ? feeds.firstIndex { $0.stream == "feed/\(parts[2])" } : nil
    let missing: Answer = (404, "{\"error_message\":\"Resource Not Found\"}")
    switch (request.method, parts[1], parts.count) {
    case ("GET", "me", 2): return (200, "{\"id\":\(user),\"username\":\"\(ReaderServer.user)\"}")
    case ("GET", "categories", 2):
      let all = [(1, "All")] + folders.map { (folder($0), $0) }
      return (200, "[\(all.map { "{\"id\":\($0),\"title\":\"\($1)\"}" }.joined(separator: ","))]")
    case ("POST", "categories", 2): _ = folder(request.json["title"]?.text ?? "")
    case ("GET", "feeds", 2):
      let all = feeds.map { feed in
        "{\"id\":\(feed.stream.dropFirst(5)),\"feed_url\":\"\(feed.url)\","
          + "\"title\":\"\(feed.title)\",\"category\":{"
          + "\"id\":\(feed.labels.first.map { folder($0) } ?? 1),\"title\":\"x\"}}"
      }
      return (200, "[\(all.joined(separator: ","))]")
    case ("POST", "feeds", 2):
      let url = request.json["feed_url"]?.text ?? ""
      guard !refusedFeeds.contains(url), !feeds.contains(where: { $0.url == url }) else {
        return (400, "{\"error_message\":\"Bad Request!\"}")
      }
      follow(url, folderName(request.json["category_id"]))
      return (201, "{\"feed_id\":\(feeds.last?.stream.dropFirst(5) ?? "")}")
    case ("PUT", "feeds", 3):
      guard let place else { return missing }
      if let title = request.json["title"]?.text { feeds[place].title = title }
      if let id = request.json["category_id"] {
        feeds[place].labels = [folderName(id)].compactMap(\.self)
      }
      return (201, "{}")
    case ("DELETE", "feeds", 3):
      guard let place else { return missing }
      unfollow(place)
    case ("GET", "entries", 2): return entries(request)
    case ("PUT", "entries", 2):
      let status = request.json["status"]?.text
      mark(request.ids) { $0.isRead = status == "read" }
    case ("PUT", "entries", 4): mark(request.ids) { $0.isStarred.toggle() }
    default: return missing
    }
    return (204, "")
  }

  private func entries(_ request: ReaderServer.Request) -> Answer {
    let query = request.query
    let statuses = query["status"] ?? []
    guard query["order"] == ["id"], query["direction"] == ["desc"] else { return (400, "") }
    let listed = stories.filter { story in
      statuses.contains(story.isRead ? "read" : "unread")
        && (query["starred"] == nil || query["starred"] == ["\(story.isStarred)"])
        && story.date > request.number("changed_after") ?? 0
    }
    let size = request.number("limit") ?? 100
    let page = page(listed, below: request.number("before_entry_id") ?? 0, size) { story in
      let date = { (time: Int) in RFC3339.string(Date(timeIntervalSince1970: Double(time))) }
      let came = story.came.map { "\"created_at\":\"\(date($0))\"," } ?? ""
      return
        "{\"id\":\(story.id.low),\"user_id\":1,\"feed_id\":\(story.stream.dropFirst(5)),\(came)"
        + "\"status\":\"\(story.isRead ? "read" : "unread")\",\"starred\":\(story.isStarred),"
        + "\"title\":\"\(story.title)\",\"url\":\"\(story.link)\",\"author\":\"\",\"tags\":[],"
        + "\"published_at\":\"\(date(story.date))\",\"content\":\"\(story.html)\"}"
    }
    guard let page else { return (500, "{\"error_message\":\"oops\"}") }
    return (200, "{\"total\":\(listed.count),\"entries\":\(page)}")
  }

  // MARK: Nextcloud News

  mutating func nextcloud(_ request: ReaderServer.Request) -> Answer {
    let root = "index.php/apps/news/api/v1-3/"
    guard request.path.hasPrefix(root) else { return (404, "<html>no page</html>") }
    guard request.isLoggedIn else {
      return (401, "{\"message\":\"Current user is not logged in\"}")
    }
    noteFolders()
    let parts = request.path.dropFirst(root.count).split(separator: "/").map(String.init)
    let place = parts.count > 1 ? feeds.firstIndex { $0.stream == "feed/\(parts[1])" } : nil
    let folderID = folderName(request.json["folderId"])
    switch (request.method, parts[0], parts.count) {
    case ("GET", "folders", 1):
      let all = folders.map { "{\"id\":\(folder($0)),\"name\":\"\($0)\",\"feeds\":[]}" }
      return (200, "{\"folders\":[\(all.joined(separator: ","))]}")
    case ("POST", "folders", 1): _ = folder(request.json["name"]?.text ?? "")
    case ("GET", "feeds", 1):
      let all = feeds.map { feed in
        "{\"id\":\(feed.stream.dropFirst(5)),\"url\":\"\(feed.url)\",\"title\":\"\(feed.title)\","
          + "\"folderId\":\(feed.labels.first.map { "\(folder($0))" } ?? "null")}"
      }
      return (200, "{\"feeds\":[\(all.joined(separator: ","))],\"starredCount\":2}")
    case ("POST", "feeds", 1):
      let url = request.json["url"]?.text ?? ""
      guard !refusedFeeds.contains(url) else { return (422, "{\"message\":\"Bad Request!\"}") }
      guard !feeds.contains(where: { $0.url == url }) else { return (409, "") }
      follow(url, folderID)
    case ("DELETE", "feeds", 2):
      guard let place else { return (404, "") }
      unfollow(place)
    case ("POST", "feeds", 3):
      guard let place else { return (404, "") }
      if parts[2] == "rename" { feeds[place].title = request.json["feedTitle"]?.text ?? "" }
      if parts[2] == "move" { feeds[place].labels = [folderID].compactMap(\.self) }
    case ("GET", "items", 1): return items(request)
    case ("POST", "items", 3):
      mark(request.ids) { story in
        switch parts[1] {
        case "read", "unread": story.isRead = parts[1] == "read"
        default: story.isStarred = parts[1] == "star"
        }
      }
    default: return (404, "")
    }
    return (200, "[]")
  }

  private func items(_ request: ReaderServer.Request) -> Answer {
    let listed = stories.filter { story in
      (request.number("type") == 3 || story.isStarred)
        && (request.query["getRead"] == ["true"] || !story.isRead)
    }
    let size = request.number("batchSize") ?? -1
    let page = page(listed, below: request.number("offset") ?? 0, size) { story in
      "{\"id\":\(story.id.low),\"guid\":\"guid \(story.link)\",\"url\":\"\(story.link)\","
        + "\"title\":\"\(story.title)\",\"author\":null,\"pubDate\":\(story.date),"
        + "\"body\":\"\(story.html)\",\"feedId\":\(story.stream.dropFirst(5)),"
        + "\"unread\":\(!story.isRead),\"starred\":\(story.isStarred),"
        + "\"lastModified\":\(story.came ?? story.date)}"
    }
    guard let page else { return (500, "{\"message\":\"oops\"}") }
    return (200, "{\"items\":\(page)}")
  }
}
