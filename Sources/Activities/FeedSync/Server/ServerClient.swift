internal import FeedFetching
internal import FeedModel
internal import FeedParsing
internal import FeedReading
internal import System

/// A conversation with a server, kept in memory for one run.
protocol ServerClient {
  /// The URL at which the interface begins; empty before the log-in.
  var root: String { get }

  /// Finds the interface and logs in; `known` is the root of the last sync.
  mutating func logIn(known: String?) throws(ServerError)

  /// Reads the server's feeds and its lists: all unread and starred stories, and all since a date.
  mutating func lists(since: Date) throws(ServerError) -> ServerReading

  mutating func feeds() throws(ServerError) -> [ServerReading.Feed]

  /// Asks for stories, and passes `take` the ids of each request with the stories of its answer.
  ///
  /// A story that is missing in the answer is gone.
  mutating func stories(
    _ ids: ArraySlice<ServerItemID>,
    _ take: (ArraySlice<ServerItemID>, [ServerStory]) -> Void,
  ) throws(ServerError)

  /// Sends marks, and passes `done` each part's error, or nil where the server took it.
  mutating func send(
    _ marks: [ServerEdit: [ServerItemID]],
    _ done: (ServerEdit, ArraySlice<ServerItemID>, ServerError?) -> Void,
  ) throws(ServerError)

  /// Changes a subscription on the server, and returns the server's id of the feed.
  mutating func send(_ edit: ServerFeedEdit) throws(ServerError) -> String
}

enum ServerError: Error, Hashable, CustomStringConvertible {
  case request(FetchError)
  case answer(String)
  /// A refused log-in, after which nothing else can be asked.
  case refused(String)
  /// The server does not have the interface.
  case absent

  var description: String {
    switch self {
    case .answer(let reason), .refused(let reason): reason
    case .absent: "the interface is not there"
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

  /// True if the server may have another interface.
  var mayBeOfInterface: Bool {
    switch self {
    case .answer, .refused, .absent, .request(.redirected): true
    case .request(let error):
      !error.isUnasked && error.status.map { 400..<500 ~= $0 && $0 != 429 } ?? false
    }
  }

  private static let maximumReason = 200

  /// The reason in a server's answer: a plain line, or the text in a JSON object; nil for an answer
  /// without one.
  static func reason(in answer: String) -> String? {
    var reason: String? = answer
    if answer.hasPrefix("{") {
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
