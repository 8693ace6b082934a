import FeedFetching
import TestSupport
import Testing

@Suite("Calls of a service's interface for programs")
struct ServiceCallTests {
  private func call(
    _ url: String,
    _ call: ServiceCall,
    password: String? = nil,
    options: FetchOptions = .quick,
  ) throws -> Fetched {
    var request = FetchRequest(url: url)
    (request.call, request.password) = (call, password)
    return try #require(fetch([request], options: options).first)
  }

  @Test("a form is posted with the password in it, a question asked with who asks")
  func forms() throws {
    let server = try FaultyServer { _ in .response(body: "OK") }
    let form = ServiceCall.form([("Email", "me@example.com"), ("x", "a b&=ä+")])
    let login = ServiceCall(form: form, user: "me@example.com")
    #expect(try call(server.url("/login"), login, password: "p&ss wörd").body == "OK")
    let asked = try call(
      server.url("/list?n=1"),
      ServiceCall(authorization: "GoogleLogin auth=x/y"),
    )
    #expect(asked.words == "content")
    let requests = server.requests
    #expect(requests.map(\.method) == ["POST", "GET"])
    #expect(requests[0].header("Content-Type") == "application/x-www-form-urlencoded")
    #expect(
      String(decoding: requests[0].body, as: UTF8.self)
        == "Email=me%40example.com&x=a%20b%26%3D%C3%A4%2B&Passwd=p%26ss%20w%C3%B6rd"
    )
    #expect(requests[1].header("Authorization") == "GoogleLogin auth=x/y")
    for name in ["Cookie", "Expect", "Referer", "If-None-Match"] {
      #expect(requests.allSatisfy { $0.header(name) == nil })
    }
  }

  @Test("JSON goes by each method, with the password as Basic unasked, or as a token")
  func json() throws {
    let server = try FaultyServer { _ in .response(status: "204 No Content", body: "") }
    for method in ServiceCall.Method.allCases {
      for logIn in [ServiceCall.LogIn.basic, .token] {
        var service = ServiceCall(user: "me")
        (service.method, service.logIn) = (method, logIn)
        if [.post, .put].contains(method) { service.json = "{\"a\":1}" }
        #expect(try call(server.url("/x"), service, password: "p:a").error == nil)
        let request = try #require(server.requests.last)
        #expect(request.method == method.rawValue)
        #expect(request.header("Authorization") == (logIn == .basic ? "Basic bWU6cDph" : nil))
        #expect(request.header("X-Auth-Token") == (logIn == .token ? "p:a" : nil))
        #expect(String(decoding: request.body, as: UTF8.self) == service.json ?? "")
        if service.json != nil { #expect(request.header("Content-Type") == "application/json") }
      }
    }
    #expect(server.requests.count == 8)
  }

  @Test("what takes back when it is made twice is made once, whatever becomes of it")
  func toggle() throws {
    for isToggle in [false, true] {
      let server = try FaultyServer { _ in
        .response(headers: ["Content-Encoding: gzip"], body: "no such coding")
      }
      var service = ServiceCall(user: "me")
      (service.method, service.logIn, service.isToggle) = (.put, .basic, isToggle)
      let error = try call(server.url("/"), service, password: "p").error
      #expect(server.requests.count == (isToggle ? 1 : 2))
      #expect((error == nil) == !isToggle)
    }
  }

  @Test("a long form goes whole, at once")
  func longForm() throws {
    let server = try FaultyServer { .response(body: "\($0.body.count)") }
    let form = "i=" + String(repeating: "x", count: 2 << 20)
    #expect(try call(server.url("/"), ServiceCall(form: form)).body == "\(form.utf8.count)")
  }

  @Test("the password is that of ~/.netrc for the host and the user; without one nothing is sent")
  func netrc() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(
      "machine 127.0.0.1 login you password no\nmachine 127.0.0.1 login me password yes\n",
      to: "netrc",
    )
    let server = try FaultyServer { _ in .response(body: "OK") }
    let options = FetchOptions.quick.with { $0.netrc = file }
    let url = server.url("/")
    #expect(try call(url, ServiceCall(form: "a=b", user: "me"), options: options).body == "OK")
    #expect(String(decoding: server.requests[0].body, as: UTF8.self) == "a=b&Passwd=yes")
    #expect(
      try call(url, ServiceCall(form: "a=b", user: "she"), options: options).words
        == "no password: neither does a command say it, nor does ~/.netrc for 127.0.0.1"
    )
    #expect(server.requests.count == 1)
    _ = try call(url, ServiceCall(authorization: "x"), options: options)
    #expect(server.requests[1].headerLines.filter { $0.contains("yes") } == [])
  }

  @Test("no redirect is followed; where it leads is said")
  func redirect() throws {
    let other = try FaultyServer { _ in .response(body: "OK") }
    let server = try FaultyServer { _ in .redirect(307, to: other.url("/elsewhere")) }
    let fetched = try call(
      server.url("/"),
      ServiceCall(form: "a=b", user: "me"),
      password: "secret",
    )
    #expect(fetched.words == "redirects to \(other.url("/elsewhere")), which is not followed")
    #expect(other.requests.isEmpty)
  }

  @Test("over plain http nothing goes to the internet")
  func inTheClear() throws {
    let proxy = try FaultyServer { _ in .response(body: "OK") }
    let options = FetchOptions.quick.with { options in
      let url = proxy.url("")
      options.proxies = ProxySettings { $0 == "http_proxy" ? url : nil }
    }
    let words = "a password goes over plain http into a private network alone; use https"
    for url in ["http://example.com/", "http://93.184.216.34/"] {
      #expect(try call(url, ServiceCall(authorization: "x"), options: options).words == words)
    }
    #expect(proxy.requests.isEmpty)
    #expect(try call("http://93.184.216.34/", ServiceCall(authorization: "x")).words == words)
  }

  @Test("a line break in what a server gave is in no header")
  func injection() throws {
    let server = try FaultyServer { _ in .response(body: "OK") }
    _ = try call(server.url("/"), ServiceCall(authorization: "a\r\nX-Evil: 1"))
    #expect(server.requests[0].header("X-Evil") == nil)
    #expect(server.requests[0].header("Authorization") == nil)
  }

  @Test(
    "a refusal says what the server said, in a line, but no page and no secret",
    arguments: [
      ("AppId required!\nmore", "AppId required!"), ("\n \u{1B}[31mno\u{7}\n", "[31mno"),
      ("{\n\"message\": 1}", "{ \"message\": 1}"), ("<html>no</html>", nil), ("", nil),
      ("bad token wordword", nil), ("bad password p&ss", nil),
    ] as [(String, String?)],
  )
  func refusal(body: String, answer: String?) throws {
    let server = try FaultyServer { _ in .response(status: "403 No", body: body) }
    var service = ServiceCall(form: "a=b", user: "me")
    service.secrets = ["GoogleLogin auth=me/wordword"]
    let error = try call(server.url("/"), service, password: "p&ss").error
    #expect(error == answer.map { .refusedCall(status: 403, answer: $0) } ?? .status(403))
  }
}
