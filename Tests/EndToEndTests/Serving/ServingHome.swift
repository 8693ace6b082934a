import TestSupport

/// `news serve` as a process, on a port that the system has chosen.
final class ServingHome {
  let news: News
  let port: Int
  let password: String
  let process: Subprocess

  convenience init(_ news: News, _ words: [String] = []) throws {
    let line = try news.run("serve", "password").text
    let password = String(line.split(whereSeparator: \.isWhitespace).last ?? "")
    try self.init(news, words, port: 0, password)
  }

  /// Starts the server again whose process has ended.
  convenience init(again former: ServingHome) throws {
    try self.init(former.news, port: former.port, former.password)
  }

  private init(_ news: News, _ words: [String] = [], port: Int, _ password: String) throws {
    (self.news, self.password) = (news, password)
    process = try news.start(["serve", "--listen", "127.0.0.1:\(port)"] + words)
    let said = try process.readErrorLine()
    guard said.hasPrefix("listening on http"),
      let port = said.split(separator: ":").last.flatMap({ Int($0) })
    else { throw ServingFailure(said: said) }
    self.port = port
  }

  /// Ends the server by a signal, and returns its output and status.
  func isEnded(by signal: Int32 = SIGTERM) throws -> Subprocess.Result {
    process.send(signal)
    return try process.wait()
  }

  /// Has a home synchronize with this one from now on.
  func add(to other: News) throws -> Subprocess.Result {
    try other.run(
      "sync",
      "add",
      "phone",
      "http://127.0.0.1:\(port)",
      "--user",
      "me",
      "--password-command",
      "echo \(password)",
    )
  }

  func connection() throws -> HTTPConnection { try HTTPConnection(port: port) }

  func authorization() throws -> String {
    let answer = try connection().ask(
      "/accounts/ClientLogin",
      post: "Email=me&Passwd=\(password)",
    )
    let line = (answer?.body ?? "").split(separator: "\n").first { $0.hasPrefix("Auth=") }
    return "Authorization: GoogleLogin auth=\(line?.dropFirst(5) ?? "")"
  }
}

struct ServingFailure: Error {
  let said: String
}
