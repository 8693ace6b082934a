import FeedStorage
import Synchronization
import TestSupport
import Testing

@testable import FeedServing

@Suite("Who may ask a served home")
struct LogInTests {
  private func logIn(
    _ home: ServedHome,
    _ password: String,
    from address: String = "192.168.1.9",
    headers: [(String, String)] = [],
  ) -> (status: Int, text: String) {
    home.ask(
      "/accounts/ClientLogin",
      post: "Email=any&Passwd=\(password)",
      from: address,
      headers: headers,
    )
  }

  private func auth(_ text: String) -> String? {
    text.split(separator: "\n").first { $0.hasPrefix("Auth=") }.map { String($0.dropFirst(5)) }
  }

  private func userInfo(_ home: ServedHome, _ auth: String) -> Int {
    home.ask(
      "/reader/api/0/user-info",
      headers: [("Authorization", "GoogleLogin auth=\(auth)")],
    ).status
  }

  @Test("the password lets in, under any name, until the word for it ends or another is made")
  func password() throws {
    let home = try ServedHome()
    let word = try #require(auth(logIn(home, ServedHome.password).text))
    #expect(userInfo(home, word) == 200)
    let header = [("Authorization", "googlelogin Auth=\(word)")]
    #expect(home.ask("/reader/api/0/user-info", headers: header).status == 200)
    #expect(userInfo(home, word + "0") == 401 && userInfo(home, "") == 401)
    #expect(
      userInfo(home, "9999999999-0000000000000000-" + String(repeating: "0", count: 32)) == 401
    )
    let later = word.replacing("-", with: "9-", maxReplacements: 1)
    #expect(userInfo(home, later) == 401)
    home.clock.now.withLock { $0 += Double(AccessTokens.lifetime) - 1 }
    #expect(userInfo(home, word) == 200)
    home.clock.now.withLock { $0 += 1 }
    #expect(userInfo(home, word) == 401)
    let next = try #require(auth(logIn(home, ServedHome.password).text))
    #expect(userInfo(home, next) == 200)
    try home.store.setServingPassword(hash: try ServingPassword.hash(of: "another"))
    #expect(userInfo(home, next) == 401)
    #expect(logIn(home, ServedHome.password).status == 401)
    #expect(logIn(home, "another").status == 200)
  }

  @Test("a form may say itself who posts it, as that of Liferea does, where no header does")
  func forms() throws {
    let home = try ServedHome()
    let word = try #require(auth(logIn(home, ServedHome.password).text))
    let path = "/reader/api/0/stream/items/contents?output=json"
    #expect(home.ask(path, post: "T=\(word)&i=1").status == 200)
    #expect(home.ask(path, post: "T=\(word)0&i=1").status == 401)
    #expect(home.ask(path, post: "i=1").status == 401)
    let other = [("Authorization", "GoogleLogin auth=x")]
    #expect(home.ask(path, post: "T=\(word)&i=1", headers: other).status == 401)
    #expect(home.ask("/reader/api/0/user-info?T=\(word)").status == 401)
    var request = HTTPRequest(target: path)
    request.method = "POST"
    #expect(home.interface.service.maximumBody(request) == 64 << 10)
    var list = HTTPRequest(target: "/reader/api/0/subscription/import")
    list.method = "POST"
    #expect(home.interface.service.maximumBody(list) == 64 << 10)
    list.headers.add("Authorization", "GoogleLogin auth=\(word)")
    #expect(home.interface.service.maximumBody(list) == 8 << 20)
  }

  @Test("a form may come in parts, as that of Readrops, and its fields count before the query's")
  func parts() throws {
    let home = try ServedHome()
    func logIn(_ body: String, boundary: String = "b1-2", query: String = "") -> Int {
      let type = ("Content-Type", "multipart/form-data; boundary=\(boundary)")
      return home.ask("/accounts/ClientLogin\(query)", post: body, headers: [type]).status
    }
    func part(_ name: String, _ value: String) -> String {
      "--b1-2\r\nContent-Disposition: form-data; name=\(name)\r\nContent-Length: 1\r\n\r\n\(value)\r\n"
    }
    let form = part("\"Email\"", "me") + part("\"Passwd\"", ServedHome.password) + "--b1-2--\r\n"
    #expect(logIn(form) == 200 && logIn(form, boundary: "\"b1-2\"") == 200)
    #expect(logIn(form, query: "?Passwd=wrong") == 200)
    #expect(logIn("preamble\r\n" + form) == 200)
    #expect(logIn(part("Passwd", ServedHome.password) + "--b1-2--") == 200)
    #expect(logIn("", query: "?Email=me&Passwd=\(ServedHome.password)") == 200)
    for (body, boundary) in [
      (form, "b3"), (form, ""), (part("Passwd", ServedHome.password), "b1-2"), ("", "b1-2"),
      (part("\"file\"; filename=\"Passwd\"", ServedHome.password), "b1-2"),
      ("--b1-2\r\nContent-Disposition: form-data\r\n\r\n--b1-2--", "b1-2"),
    ] {
      #expect(logIn(body, boundary: boundary) == 401, "\(body)")
    }
  }

  @Test("whoever is refused is told so by the headers of both servers")
  func badTokens() throws {
    let home = try ServedHome()
    let request = HTTPRequest(target: "/reader/api/0/tag/list")
    let names = try #require(home.interface.service.refusal(request)).headers.map(\.name)
    #expect(names.contains("X-Reader-Google-Bad-Token") && names.contains("Google-Bad-Token"))
  }

  @Test("nothing but the front page is told to whoever has not logged in")
  func strangers() throws {
    let home = try ServedHome()
    #expect(home.ask("/").status == 200)
    for path in ["token", "user-info", "tag/list", "stream/contents/feed/x", "edit-tag", "nothing"]
    {
      #expect(home.ask("/reader/api/0/" + path).status == 401)
    }
    let elsewhere = "/api/greader.php"
    #expect(home.ask("\(elsewhere)/accounts/ClientLogin", post: "Passwd=x").status == 401)
    #expect(home.ask("\(elsewhere)/reader/api/0/user-info").status == 401)
    for path in [
      "\(elsewhere)x/", "/newsdata.plist", "/../newsdata.plist", "/accounts/", "/api/",
      "/p\(elsewhere)/accounts/ClientLogin",
    ] {
      #expect(home.ask(path).status == 404)
    }
    #expect(home.ask("/accounts/ClientLogin?Email=a&Passwd=\(ServedHome.password)").status == 405)
  }

  @Test("an app that looks at an address first is answered as by FreshRSS, whatever its slashes")
  func looks() throws {
    let home = try ServedHome()
    let elsewhere = "/api/greader.php"
    for path in [elsewhere, "\(elsewhere)/", "\(elsewhere)//", "/reader/api/0", "/reader/api/0/"] {
      #expect(home.ask(path) == (200, "OK"), "\(path)")
    }
    #expect(home.ask("\(elsewhere)/check/compatibility") == (200, "PASS"))
    #expect(home.ask("//").status == 200)
    #expect(home.ask(String(repeating: "/", count: 60_000) + "x").status == 404)
    for root in ["/", "//", "\(elsewhere)/", "\(elsewhere)//"] {
      for end in ["", "/"] {
        let path = "\(root)accounts/ClientLogin\(end)"
        let form = "Email=me&Passwd=\(ServedHome.password)"
        #expect(home.ask(path, post: form).status == 200, "\(path)")
      }
    }
    let (status, _) = home.ask("/nothing", post: String(repeating: "x", count: 100))
    #expect(status == 404)
    #expect(try home.call("/tag/list/?output=json").hasPrefix("{\"tags\""))
  }

  @Test("an address that guesses ten times is not heard for ten minutes, and says so in a line")
  func guesses() throws {
    let home = try ServedHome()
    for _ in 1...10 { #expect(logIn(home, "wrong").text == "Error=BadAuthentication") }
    #expect(logIn(home, ServedHome.password).text == "Error=TooManyAttempts")
    #expect(logIn(home, ServedHome.password, from: "192.168.1.10").status == 200)
    home.clock.now.withLock { $0 += Double(LogInLimits.period) }
    #expect(logIn(home, ServedHome.password).status == 200)
    let said = home.said.all.withLock { $0 }
    #expect(said.count == 10)
    #expect(said[0] == "log-in refused: wrong password from 192.168.1.9")
    #expect(said[9].hasSuffix("192.168.1.9; it is not heard for 10 minutes"))
  }

  @Test("a try counts before its password is looked at, and the right one gives it back")
  func tries() throws {
    var limits = LogInLimits()
    let now = Date(timeIntervalSince1970: 1_793_534_400)
    let address = try #require(NetworkAddress("10.0.0.1"))
    let many = (0..<32).map { _ in limits.noteTry(address, at: now) }
    #expect(many.count(where: \.self) == LogInLimits.mostOfAddress)
    limits.noteSuccess(address)
    #expect(limits.noteTry(address, at: now) == true)
    // Correct log-ins do not count towards the limit on all addresses together, either.
    for _ in 0..<300 {
      #expect(limits.noteTry(address, at: now) == true)
      limits.noteSuccess(address)
    }
  }

  @Test("a web page is refused whatever it asks, and may read no answer")
  func origins() throws {
    let home = try ServedHome()
    func answer(_ origin: String?, _ path: String, method: String = "GET") -> HTTPAnswer {
      var request = HTTPRequest(target: path)
      (request.method, request.peer) = (method, NetworkAddress("10.0.0.1"))
      request.headers.add("Host", "News.example:8265")
      if let origin { request.headers.add("Origin", origin) }
      let service = home.interface.service
      return request.refusalOfForm ?? service.refusal(request) ?? service.answer(request)
    }
    let list = "/reader/api/0/tag/list"
    let foreign = [
      "http://evil.example", "https://evil.example:8265", "null", "", "http://news.example",
      "http://News.example:8265", "HTTPS://x",
    ]
    for origin in foreign {
      for path in ["/", "/x", list, "/accounts/ClientLogin", "/api/greader.php\(list)"] {
        let answer = answer(origin, path)
        #expect(answer.status == 403, "\(origin) \(path)")
        #expect(!answer.headers.contains { $0.name.hasPrefix("Access-Control") })
      }
      let before = answer(origin, list, method: "OPTIONS")
      #expect(before.status == 405)
      #expect(!before.headers.contains { $0.name.hasPrefix("Access-Control") })
    }
    for app in ["file://", "app://x", "capacitor://localhost", nil] {
      #expect(answer(app, list).status == 401 && answer(app, "/").status == 200)
    }
  }

  @Test("a log-in is counted for the statistics, a refused one is not")
  func count() throws {
    let home = try ServedHome()
    _ = logIn(home, "wrong")
    #expect(try home.store.servingAccount()?.lastLogIn == nil)
    for _ in 0..<2 { _ = logIn(home, ServedHome.password) }
    let account = try #require(try home.store.servingAccount())
    #expect(account.logIns == 2 && account.lastLogIn == home.clock.now.withLock { $0 })
    try home.store.setServingPassword(hash: "$y$another")
    try home.store.noteLogIn(with: account, at: .distantPast)
    let next = try #require(try home.store.servingAccount())
    #expect(next.logIns == 0 && next.lastLogIn == nil)
  }

  @Test("a request shows by a valid token alone that its sender has logged in")
  func knownSenders() throws {
    let home = try ServedHome()
    let word = try #require(auth(logIn(home, ServedHome.password).text))
    func isKnown(_ path: String, _ token: String?) -> Bool {
      var request = HTTPRequest(target: path)
      if let token { request.headers.add("Authorization", "GoogleLogin auth=\(token)") }
      return home.interface.service.isKnown(request)
    }
    for path in ["/", "/accounts/ClientLogin", "/reader/api/0/tag/list"] {
      #expect(!isKnown(path, nil) && !isKnown(path, "x"), "\(path)")
      #expect(isKnown(path, word), "\(path)")
    }
  }

  @Test("behind a proxy the address is that which it says last, and nobody is believed else")
  func proxies() throws {
    for isBehindProxy in [true, false] {
      let home = try ServedHome(isBehindProxy: isBehindProxy)
      for number in 1...10 {
        _ = logIn(home, "wrong", headers: [("X-Forwarded-For", "10.0.0.\(number), 10.1.1.1")])
      }
      let other = [("X-Forwarded-For", "10.1.1.1, 10.2.2.2")]
      let status = logIn(home, ServedHome.password, headers: other).status
      #expect(status == (isBehindProxy ? 200 : 403))
    }
  }

  @Test("an address is read as proxies name it, and what is not understood is of the internet")
  func names() throws {
    let known = [
      "10.1.1.1": "10.1.1.1", " 10.1.1.1:80": "10.1.1.1", "\"10.1.1.1:_a\"": "10.1.1.1",
      "[2001:db8::1]": "2001:db8::1", "\"[2001:db8::1]:4711\"": "2001:db8::1",
      "2001:db8::1": "2001:db8::1", "fe80::1%eth0": "fe80::1", "[fe80::1%25eth0]:1": "fe80::1",
      "::ffff:10.0.0.1": "10.0.0.1",
    ]
    for (name, address) in known {
      #expect(NetworkAddress(forwarded: name[...])?.text == address, "\(name)")
    }
    for name in [
      "", " ", "unknown", "_hidden", "10.1.1", "a:1", "10.1.1.1:1:2",
    ] {
      #expect(NetworkAddress(forwarded: name[...]) == nil, "\(name)")
    }
    let home = try ServedHome(isBehindProxy: true)
    for number in 1...10 {
      let words = number % 2 == 0 ? "unknown" : "10.0.0.\(number),"
      _ = logIn(home, "wrong", headers: [("X-Forwarded-For", words)])
    }
    let hidden = [("X-Forwarded-For", "10.1.1.1, _hidden")]
    #expect(logIn(home, ServedHome.password, headers: hidden).status == 403)
    #expect(logIn(home, ServedHome.password).status == 200)
    let said = home.said.all.withLock { $0 }
    #expect(said[0] == "log-in refused: wrong password from an unknown address")
    var limits = LogInLimits()
    let now = Date(timeIntervalSince1970: 1_793_534_400)
    for number in 0..<200 {
      _ = limits.noteTry(NetworkAddress("8.0.\(number).1"), at: now)
    }
    #expect(!limits.hears(nil, at: now))
  }

  @Test("a proxy is near: whoever asks from the internet is not believed to be one")
  func strangeProxies() throws {
    let home = try ServedHome(isBehindProxy: true)
    for number in 1...10 {
      let header = ("X-Forwarded-For", "10.0.0.\(number)")
      _ = logIn(home, "wrong", from: "8.8.8.8", headers: [header])
    }
    let other = [("X-Forwarded-For", "10.9.9.9")]
    #expect(logIn(home, ServedHome.password, from: "8.8.8.8", headers: other).status == 403)
  }

  @Test(
    "tries are counted for 64 bits of an address, for all together, and for some addresses alone"
  )
  func limits() throws {
    var limits = LogInLimits()
    let now = Date(timeIntervalSince1970: 1_793_534_400)
    let source = { try #require(NetworkAddress($0)) }
    let near = try (1...10).map { try source("2001:db8::\($0)") }
    for address in near { _ = limits.noteTry(address, at: now) }
    #expect(!limits.hears(near[0], at: now + 599) && limits.hears(near[0], at: now + 600))
    let far = try source("2001:db8:0:1::1")
    #expect(limits.hears(far, at: now))
    for number in 0..<190 { _ = limits.noteTry(try source("8.0.\(number).1"), at: now) }
    #expect(!limits.hears(far, at: now))
    #expect(limits.hears(far, at: now + 600))
    // Whoever asks from the internet shuts out nobody at home.
    let home = try source("192.168.0.1")
    #expect(limits.hears(home, at: now))
    for number in 0..<200 { _ = limits.noteTry(try source("10.0.\(number).1"), at: now) }
    #expect(!limits.hears(home, at: now))
    #expect(NetworkAddress("::ffff:10.0.0.1") == NetworkAddress("10.0.0.1"))
  }

  @Test("passwords are long, and kept by yescrypt")
  func hashes() throws {
    let (one, other) = (ServingPassword.new(), ServingPassword.new())
    #expect(one != other && one.utf8.count == 24)
    let hash = try ServingPassword.hash(of: one)
    #expect(hash.hasPrefix("$y$"))
    #expect(
      ServingPassword.isRight(one, hash: hash) && !ServingPassword.isRight(other, hash: hash)
    )
    #expect(!ServingPassword.isRight("", hash: "") && !ServingPassword.isRight("*0", hash: "*0"))
    #expect(!ServingPassword.isRight(one + "\0x", hash: hash))
  }

  @Test("without TLS private addresses alone are listened on")
  func places() throws {
    for text in ["127.0.0.1:8265", "[::1]:80", "localhost:1", "192.168.0.1:0", "[fd00::1]:1"] {
      #expect(try #require(ListeningPlace(text)).address.isPrivate, "\(text)")
    }
    for text in ["0.0.0.0:80", "[::]:80", "8.8.8.8:1", "[2001:db8::1]:1"] {
      #expect(try !#require(ListeningPlace(text)).address.isPrivate, "\(text)")
    }
    for text in ["", "127.0.0.1", ":", "example.com:80", "127.0.0.1:99999", "[::1:80"] {
      #expect(ListeningPlace(text) == nil, "\(text)")
    }
    #expect(ListeningPlace("[::1]:80")?.text == "[::1]:80")
  }
}
