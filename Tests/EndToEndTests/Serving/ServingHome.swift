import TestSupport

/// `news serve` as a process, on a port that the system has chosen.
final class ServingHome {
  let news: News
  let port: Int
  let password: String
  let process: Subprocess

  init(_ news: News, _ words: [String] = []) throws {
    self.news = news
    let line = try news.run("serve", "password").text
    password = String(line.split(whereSeparator: \.isWhitespace).last ?? "")
    process = try news.start(["serve", "--listen", "127.0.0.1:0"] + words)
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
