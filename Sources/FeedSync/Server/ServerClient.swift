internal import FeedFetching
internal import FeedModel
internal import FeedParsing
internal import System

/// A conversation with a server, in the interface that it has for programs.
///
/// What is kept of it is kept in memory alone, for one run.
protocol ServerClient {
  /// Where the interface begins; empty before the log-in.
  var root: String { get }

  /// Finds the interface (`known` is where it was the last time), and says who asks.
  mutating func logIn(known: String?) throws(ServerError)

  /// What the server follows, and the stories that it lists: all that are unread or starred, and all
  /// from `since` on.
  mutating func lists(since: Date) throws(ServerError) -> ServerReading

  /// What the server follows.
  mutating func feeds() throws(ServerError) -> [ServerReading.Feed]

  /// Asks for stories by their ids, and gives `take` the ids of each answer with the stories that it
  /// has: what is not among them is gone.
  mutating func stories(
    _ ids: ArraySlice<ServerItemID>,
    _ take: (ArraySlice<ServerItemID>, [ServerStory]) -> Void,
  ) throws(ServerError)

  /// Marks stories, and tells `done` of those of each request how it went.
  mutating func send(
    _ marks: [ServerEdit: [ServerItemID]],
    _ done: (ServerEdit, ArraySlice<ServerItemID>, ServerError?) -> Void,
  ) throws(ServerError)

  /// Changes what the server follows.
  ///
  /// - Returns: what it calls the feed.
  mutating func send(_ edit: ServerFeedEdit) throws(ServerError) -> String
}

/// A story as a server tells of it.
struct ServerStory: Sendable {
  let id: ServerItemID
  /// What the server calls its feed.
  let stream: String
  let content: ForeignStory
  /// Seconds since 1970.
  let date: Int?
  let isRead: Bool
  let isStarred: Bool
}

/// Why a server did not do what it was asked for.
enum ServerError: Error, Hashable, CustomStringConvertible {
  /// The request failed.
  case request(FetchError)
  /// Its answer is not what it should be, in words.
  case answer(String)
  /// It lets nobody in, in words: nothing else can be asked.
  case refused(String)

  var description: String {
    switch self {
    case .answer(let reason), .refused(let reason): reason
    case .request(.status(let status)): Self.words(status: status)
    case .request(.refusedCall(let status, let answer)):
      Self.words(status: status) + (Self.reason(in: answer).map { ": \($0)" } ?? "")
    case .request(.hostBusy(let status, _)):
      "the server wants to be left in peace for a while (\(status))"
    case .request(let error): "\(error)"
    }
  }

  private static func words(status: Int) -> String {
    [401, 403].contains(status)
      ? "the server refuses to answer (\(status))" : "server answered \(status)"
  }

  private static let maximumReason = 200

  /// The server's own reason in what it answered: a line of plain text, or the text of a JSON object
  /// that is called so; nil for anything else.
  static func reason(in answer: String) -> String? {
    var reason: String? = answer
    if answer.hasPrefix("{") {
      // What is no JSON has no reason.
      let value = try? Array(answer.utf8).withUnsafeBytes { bytes throws(FeedParsingError) in
        try JSONDocument(bytes).value()
      }
      let object = value ?? nil
      let names = ["error_message", "error_description", "message", "error", "detail"]
      reason =
        names.lazy.compactMap { object?[$0]?.text }.first
        ?? object?["errors"]?.elements.first?.text
    }
    guard let reason else { return nil }
    let line = SafeText.prefix(SafeText.line(reason), maximumCharacters: maximumReason)
    return line.isEmpty ? nil : line
  }
}
