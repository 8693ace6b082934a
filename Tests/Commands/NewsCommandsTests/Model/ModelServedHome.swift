import FeedStorage
import TestSupport

@testable import FeedServing
@testable import NewsCommands
@testable import System

/// A home that answers in the place of a server, as `news serve` does.
///
/// Unchecked: as with `CommandRun`, only one thread at a time asks it.
final class ModelServedHome: @unchecked Sendable {
  let home: CommandRun
  /// The process that serves, which ends with each step and each death.
  private var process: (since: Double, interface: ReaderInterface)?
  private var backup: ModelFiles?

  /// A hash of `ReaderServer.password` that is made faster than those of `news serve password`.
  private static let hash = "$5$rounds=1000$salt$NtxBJ2DJ09jBSmaC.aHNEDHuyXCLp8CxUcysNT0Y0T7"

  init() throws {
    home = try CommandRun()
    home.machine = ("serving", "serving")
    home.programs = { [weak home] words, input in
      home?.input = input.isEmpty ? [] : [input]
      // `env`, its variable, and the program.
      home?.variables["NEWS_BY_PHONE"] = "1"
      defer { home?.variables["NEWS_BY_PHONE"] = nil }
      let result = home?.run(Array(words.dropFirst(3)))
      return result.map { .init($0.errors, status: $0.status) }
    }
    try home.store.prepareHome()
    try home.store.setServingPassword(hash: Self.hash)
  }

  var path: String { home.folder.path("home") }

  func end() { process = nil }

  // MARK: Apps

  /// Answers a request; if it is to be killed, the process ends before one of its saves.
  func answer(_ request: ReaderServer.Request, isKilled: Bool) -> (status: Int, body: String) {
    guard isKilled else { return answer(request) }
    var files: ModelFiles?
    var answer = (status: 0, body: "")
    ModelKill.before(request.target.utf8.count % 3) {
      files = ModelFiles([self.path])
    } in: {
      answer = self.answer(request)
    }
    files?.putBack()
    end()
    return answer
  }

  private func answer(_ request: ReaderServer.Request) -> (status: Int, body: String) {
    guard let service = try? interface().service else { return (500, "") }
    var asked = HTTPRequest(target: request.target)
    asked.peer = NetworkAddress("127.0.0.1")
    if let authorization = request.authorization {
      asked.headers.add("Authorization", authorization)
    }
    if let body = request.body { (asked.method, asked.body) = ("POST", Array(body.utf8)) }
    let answer = service.refusal(asked) ?? service.answer(asked)
    return (answer.status, String(decoding: answer.body, as: UTF8.self))
  }

  private func interface() throws -> ReaderInterface {
    if let process, process.since == home.now { return process.interface }
    let date = Date(timeIntervalSince1970: home.now)
    let options = ReaderInterface.Options(
      store: home.store,
      isBehindProxy: false,
      now: { date },
      tell: { _ in },
    )
    let interface = ReaderInterface(
      options,
      .of(HomeActions(context: try home.context, store: home.store)),
    )
    process = (home.now, interface)
    return interface
  }

  // MARK: Its reader

  func work(_ step: ModelStep) throws {
    switch step.act {
    case .serverBackUp: backup = ModelFiles([path])
    case .serverPutBack: backup?.putBack()
    case .serverLoses: for name in ["newsdata.plist", "feeds.plist"] { unlink("\(path)/\(name)") }
    default: if let words = try words(step) { home.run(words) }
    }
    end()
  }

  private func words(_ step: ModelStep) throws -> [String]? {
    let (url, id) = (ModelWeb.url(step.feed), try ModelState(of: home).ids[step.story])
    switch step.act {
    case .serverRead: return id.map { ["read", $0] }
    case .serverUnread: return id.map { ["unread", $0] }
    case .serverStar: return id.map { ["star", $0] }
    case .serverUnstar: return id.map { ["unstar", $0] }
    case .serverLater: return id.map { ["tag", "later", $0] }
    case .serverNotLater: return id.map { ["untag", "later", $0] }
    case .serverSubscribe: return ["subscribe", url] + (step.which % 2 == 0 ? [] : ["--no-check"])
    case .serverUnsubscribe: return ["unsubscribe", url]
    case .serverFetch: return ["refresh"]
    case .serverUndo: return ["undo"]
    case .serverClear: return ["clear", "--yes"]
    default: return nil
    }
  }
}
