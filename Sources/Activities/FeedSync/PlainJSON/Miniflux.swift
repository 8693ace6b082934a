internal import CommandLine
import FeedFetching
import FeedModel
import FeedReading
import System

/// Miniflux's own API (miniflux.app/docs/api.html), which is always there.
enum Miniflux: PagedInterface {
  static func root(of url: String) -> String { cut(url, before: ["/v1/"]) + "/v1" }

  /// A key of the API stands in the place of the password.
  static let logIns: [ServiceCall.LogIn] = [.basic, .token]
  static let user: NamedAnswerReading? = NamedAnswerReading("me", [.id: "id", .title: "username"])
  static let folders = NamedAnswerReading("categories", [.id: "id", .title: "title"])
  static let feeds = NamedAnswerReading(
    "feeds",
    [.id: "id", .url: "feed_url", .title: "title", .folder: "category.id"],
  )
  static let stories = NamedAnswerReading(
    "entries",
    [
      .list: "entries", .id: "id", .feed: "feed_id", .url: "url", .title: "title",
      .html: "content", .author: "author", .tags: "tags", .date: "published_at",
      .arrived: "created_at", .read: "status=read", .starred: "starred=true",
    ],
  )

  static let all = "status=unread&status=read"

  static func lists(since: Date) -> [(query: String, end: Date?)] {
    let seconds = max(Int(since.timeIntervalSince1970), 1)
    return ["status=unread", "status=read&starred=true", "status=read&changed_after=\(seconds)"]
      .map { ($0, nil) }
  }

  static func page(below: UInt64, size: Int) -> String {
    "order=id&direction=desc&limit=\(size)&before_entry_id=\(below)"
  }

  static func call(_ edit: ServerEdit, of ids: [Int]) -> PlainCall {
    guard edit.mark == .read else {
      var call = PlainCall("entries/\(ids[0])/bookmark", by: .put)
      call.isToggle = true
      return call
    }
    let ids = PrintedJSON.array(ids.map { .integer($0) })
    let status = edit.isSet ? "read" : "unread"
    return PlainCall("entries", [("entry_ids", ids), ("status", .string(status))], by: .put)
  }

  static func follow(_ url: String, in folder: Int?) -> PlainCall {
    PlainCall("feeds", [("feed_url", .string(url)), ("category_id", .number(folder))])
  }

  static func rename(_ feed: String, _ title: String) -> PlainCall {
    PlainCall("feeds/\(feed)", [("title", .string(title))], by: .put)
  }

  static func move(_ feed: String, to folder: Int?) -> PlainCall {
    PlainCall("feeds/\(feed)", [("category_id", .number(folder))], by: .put)
  }

  static func makeFolder(_ name: String) -> PlainCall {
    PlainCall("categories", [("title", .string(name))])
  }

  /// Every feed has a category: that of the others is the user's first, which is called All.
  static func noFolder(_ folders: [ServerReading.Feed]) -> Int? {
    let all = folders.filter { $0.title == "All" }
    return (all.isEmpty ? folders : all).compactMap { Int($0.stream) }.min()
  }
}
