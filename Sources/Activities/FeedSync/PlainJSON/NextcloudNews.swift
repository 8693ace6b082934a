internal import CommandLine
import FeedFetching
import FeedModel
import FeedReading
import System

/// Nextcloud News' API 1.3 (nextcloud.github.io/news/api/api-v1-3).
enum NextcloudNews: PagedInterface {
  static func root(of url: String) -> String {
    cut(url, before: ["/index.php/", "/apps/"]) + "/index.php/apps/news/api/v1-3"
  }

  static let logIns: [ServiceCall.LogIn] = [.basic]
  static let folders = NamedAnswerReading(
    "folders",
    [.list: "folders", .id: "id", .title: "name"],
  )
  static let feeds = NamedAnswerReading(
    "feeds",
    [.list: "feeds", .id: "id", .url: "url", .title: "title", .folder: "folderId"],
  )
  static let stories = NamedAnswerReading(
    "items",
    [
      .list: "items", .id: "id", .feed: "feedId", .guid: "guid", .url: "url", .title: "title",
      .html: "body", .author: "author", .date: "pubDate", .changed: "lastModified",
      .read: "unread=false", .starred: "starred=true",
    ],
  )

  static let all = "type=3&id=0&getRead=true"

  /// A story changes after it came, and later ones have higher ids: those below one that has not
  /// changed since a date came before it, too.
  ///
  /// `items/updated` is not asked: it has no pages.
  static func lists(since: Date) -> [(query: String, end: Date?)] {
    [("type=3&id=0&getRead=false", nil), ("type=2&id=0&getRead=true", nil), (all, since)]
  }

  static func page(below: UInt64, size: Int) -> String {
    "batchSize=\(size)&offset=\(below)&oldestFirst=false"
  }

  static func call(_ edit: ServerEdit, of ids: [Int]) -> PlainCall {
    let word = (edit.isSet ? "" : "un") + (edit.mark == .read ? "read" : "star")
    let ids = PrintedJSON.array(ids.map { .integer($0) })
    return PlainCall("items/\(word)/multiple", [("itemIds", ids)])
  }

  static func follow(_ url: String, in folder: Int?) -> PlainCall {
    PlainCall("feeds", [("url", .string(url)), ("folderId", .number(folder))])
  }

  static func rename(_ feed: String, _ title: String) -> PlainCall {
    PlainCall("feeds/\(feed)/rename", [("feedTitle", .string(title))])
  }

  static func move(_ feed: String, to folder: Int?) -> PlainCall {
    PlainCall("feeds/\(feed)/move", [("folderId", .number(folder))])
  }

  static func makeFolder(_ name: String) -> PlainCall {
    PlainCall("folders", [("name", .string(name))])
  }
}
