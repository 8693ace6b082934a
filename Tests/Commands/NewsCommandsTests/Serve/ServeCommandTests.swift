import FeedStorage
import TestSupport
import Testing

@testable import System

@Suite("news serve, without a server")
struct ServeCommandTests {
  private let news: CommandRun

  init() throws {
    news = try CommandRun()
    news.variables["HOME"] = news.folder.path
    news.variables["XDG_CONFIG_HOME"] = news.folder.path("config")
  }

  private var folder: String { news.folder.path("config/systemd/user") }

  @Test("makes a password, of which it keeps a hash alone, and says when another had been made")
  func password() throws {
    let first = news("serve", "password")
    #expect(first.errors == "next: news serve install, or news serve for as long as it runs\n")
    #expect(first.status == 0)
    let word = try #require(first.output.split(whereSeparator: \.isWhitespace).last)
    let account = try #require(try news.store.servingAccount())
    #expect(account.hash.hasPrefix("$y$") && word.utf8.count == 24)
    let file = try readFile(news.folder.path("home/serving.plist"))
    #expect(!String(decoding: file, as: UTF8.self).contains(word))
    #expect(FileStatus(at: news.folder.path("home/serving.plist"))?.mode == 0o600)
    #expect(
      news("serve", "password").errors == "apps that used the last password are logged out\n"
    )
    let next = try #require(try news.store.servingAccount())
    #expect(next.hash != account.hash && next.secret != account.secret)
    #expect(next.number == account.number)
  }

  @Test("log-ins with the last password are in the statistics")
  func statistics() throws {
    try news.storeSample()
    news("serve", "password")
    #expect(!news("stats").output.contains("apps:"))
    #expect(news("stats", "--json").output.contains(#""apps":{"logIns":0,"lastLogIn":null}"#))
    let account = try #require(try news.store.servingAccount())
    for hours in [3.0, 2.0] {
      let date = Date(timeIntervalSince1970: news.now - hours * 3_600)
      try news.store.noteLogIn(with: account, at: date)
    }
    let text = "apps: 2 log-ins with this password, the last 2 h ago\n"
    #expect(news("stats").output.contains(text))
    #expect(news("stats", "--json").output.contains(#"{"logIns":2,"lastLogIn":"2026-11-01T10:"#))
    #expect(!news("stats", "--feed", Sample.feed).output.contains("apps:"))
    news("serve", "password")
    #expect(!news("stats").output.contains("apps:"))
  }

  @Test(
    "refuses words that it does not know, and options that do not belong there",
    arguments: [
      ["start"], ["password", "install"], ["password", "--listen", "127.0.0.1:1"], ["--print"],
      ["status", "--behind-proxy"], ["install", "--print", "--key", "x"],
      ["install", "--print", "--listen", "127.0.0.1"],
    ],
  )
  func refused(_ words: [String]) {
    #expect(news.run(["serve"] + words).status == 64)
  }

  @Test("refuses an address that others reach, without a certificate")
  func exposed() {
    let result = news("serve", "install", "--print", "--listen", "0.0.0.0:80")
    #expect(
      result.status == 1 && result.errors.contains("0.0.0.0:80 can be reached from elsewhere")
    )
    let files = news(
      "serve",
      "install",
      "--print",
      "--listen",
      "[::]:443",
      "--certificate",
      "c.pem",
      "--key",
      "k.pem",
    ).output
    #expect(files.contains("ListenStream=[::]:443\n"))
    let words =
      "\"--certificate\" \"\(news.folder.path)/c.pem\" \"--key\" \"\(news.folder.path)/k.pem\""
    #expect(files.contains(words))
  }

  @Test(
    "listens on this machine's own address where a port alone is given",
    arguments: [":80", "80"],
  )
  func port(_ place: String) {
    let files = news("serve", "install", "--print", "--listen", place).output
    #expect(files.contains("ListenStream=127.0.0.1:80\n"))
  }

  @Test("names the file of a certificate that cannot be read")
  func noCertificate() {
    news("serve", "password")
    let result = news("serve", "--certificate", "c.pem", "--key", "k.pem")
    #expect(result.errors == "news: \(news.folder.path)/c.pem: no such file or directory\n")
  }

  @Test("leaves the service hardly anything that it does not need, as systemd reckons")
  func closed() throws {
    guard try Subprocess.run(["sh", "-c", "command -v systemd-analyze"]).status == 0 else { return }
    let text = news("serve", "install", "--print").output
    let service = try #require(text.firstRange(of: "# \(folder)/news-serve.service\n"))
    let path = try news.folder.write(String(text[service.upperBound...]), to: "news-serve.service")
    let analyze = ["systemd-analyze", "security", "--offline=true", "--threshold=30"]
    let result = try Subprocess.run(analyze + [path])
    #expect(result.status == 0, "\(result.text)")
  }

  @Test("has systemd listen, says how it is, and takes all of it away")
  func service() throws {
    var (isOn, calls) = (false, [String]())
    news.programs = { words, _ in
      calls.append(words.joined(separator: " "))
      if words.contains("restart") { isOn = true }
      if words.contains("disable") { isOn = false }
      let isQuestion = words.contains("--property=ActiveState")
      return .init(
        isQuestion ? "ActiveState=\(isOn ? "active" : "inactive")\n" : "yes\n",
        status: 0,
      )
    }
    #expect(news("serve", "status").output == "off\t\t\n")
    let installed = news("serve", "install", "--behind-proxy", "--allow-private")
    #expect(
      installed.errors == "systemd answers at http://127.0.0.1:8265 from now on\n"
        + "make the password for apps: news serve password\n"
    )
    #expect(calls.contains("systemctl --user restart news-serve.socket"))
    let unit = try readText("\(folder)/news-serve.service")
    let home = news.folder.path("home")
    #expect(
      unit.contains(
        "ExecStart=\"/usr/local/bin/news\" \"serve\" \"--quiet\" \"--no-defaults\" \"--home\" \"\(home)\" \"--behind-proxy\" \"--allow-private\"\n"
      )
    )
    #expect(unit.contains("ReadWritePaths=") && unit.contains("NoNewPrivileges=yes\n"))
    news("serve", "password")
    #expect(news("serve", "status").output == "on\thttp://127.0.0.1:8265\tpassword\n")
    #expect(
      news("serve", "status", "--json").output
        == "{\"state\":\"on\",\"url\":\"http://127.0.0.1:8265\",\"password\":true}\n"
    )
    #expect(
      news("serve", "install", "--behind-proxy", "--allow-private").errors.hasPrefix(
        "nothing to change"
      )
    )
    #expect(news("doctor", "--offline").output.contains("ok\tserve\tlibmicrohttpd "))
    isOn = false
    #expect(news("doctor", "--offline").output.contains("wrong\tserve\tsystemd has it"))
    #expect(news("serve", "remove").errors == "systemd answers no more\n")
    #expect(FileStatus(at: folder) == nil)
    #expect(news("serve", "remove").errors == "nothing to change: not installed\n")
  }

  @Test("leaves a unit that is somebody else's, and says so where there is no systemd")
  func others() throws {
    #expect(news("serve", "install").errors.contains("no systemd for users is here"))
    _ = try Subprocess.run(["mkdir", "-p", folder])
    try writeFile("\(folder)/news-serve.socket", Array("[Socket]\n".utf8))
    news.programs = { _, _ in .init("", status: 0) }
    let result = news("serve", "install")
    #expect(
      result.status == 1 && result.errors.contains("was not made by `news serve`; left unchanged")
    )
  }
}
