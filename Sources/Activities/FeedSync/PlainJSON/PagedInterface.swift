internal import CommandLine
import FeedFetching
import FeedModel
import FeedReading
import System

/// An interface of plain JSON whose lists are pages of whole stories, the newest ids first.
///
/// `PagedClient` is the client of each.
protocol PagedInterface: SendableMetatype {
  /// Returns the URL at which the interface begins, of one that people know.
  static func root(of url: String) -> String

  static var logIns: [ServiceCall.LogIn] { get }
  /// The call for the user's id; nil without one.
  static var user: NamedAnswerReading? { get }
  static var folders: NamedAnswerReading { get }
  static var feeds: NamedAnswerReading { get }
  static var stories: NamedAnswerReading { get }

  /// The query of all stories.
  static var all: String { get }
  /// The queries of lists with all that are unread, all that are starred, and all since a date, at
  /// which the last may be ended.
  static func lists(since: Date) -> [(query: String, end: Date?)]
  /// The query of the stories below an id; 0 is the top.
  static func page(below: UInt64, size: Int) -> String

  static func call(_ edit: ServerEdit, of ids: [Int]) -> PlainCall
  static func follow(_ url: String, in folder: Int?) -> PlainCall
  static func rename(_ feed: String, _ title: String) -> PlainCall
  static func move(_ feed: String, to folder: Int?) -> PlainCall
  static func makeFolder(_ name: String) -> PlainCall
  /// Returns the folder of feeds that are in none.
  static func noFolder(_ folders: [ServerReading.Feed]) -> Int?
}

struct PlainCall {
  typealias Body = [(key: String, value: PrintedJSON)]

  let path: String
  let body: Body?
  let method: ServiceCall.Method
  /// True for a call for one story that takes a mark back where it is set.
  var isToggle = false

  init(_ path: String, _ body: Body? = nil, by method: ServiceCall.Method = .post) {
    (self.path, self.body, self.method) = (path, body, method)
  }
}

extension PagedInterface {
  static var user: NamedAnswerReading? { nil }
  static func noFolder(_: [ServerReading.Feed]) -> Int? { nil }

  /// Cuts a URL before the first of some parts of its path.
  static func cut(_ url: String, before parts: [String]) -> String {
    var url = url.prefix { !"?#".contains($0) } + "/"
    for part in parts {
      let range = url.dropFirst("https://".count).firstRange(of: part)
      if let range { url = url[..<range.lowerBound] }
    }
    while url.hasSuffix("/") { url.removeLast() }
    return String(url)
  }
}
