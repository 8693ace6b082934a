import TestSupport
import Testing

/// The answers of a process that was taken over, as a library changes them on their way.
@Suite("What a process that was taken over says")
struct ForgedAnswerTests {
  private let folder: TemporaryFolder
  private let library: String

  init() throws {
    folder = try TemporaryFolder()
    library = folder.path("forged-answers.so")
    let source = BuiltProduct.fixture("confinement/forged-answers.c")
    let compiled = try Subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source, "-ldl"])
    #expect(compiled.status == 0, Comment(rawValue: compiled.errorText))
  }

  private func news(
    _ words: [String],
    forging variables: [String: String] = [:],
  ) throws -> Subprocess.Result {
    var environment = ["HOME": folder.path("user"), "NEWS_HOME": folder.path("home")]
    if !variables.isEmpty { environment["LD_PRELOAD"] = library }
    environment.merge(variables) { $1 }
    return try Subprocess.run([try BuiltProduct.path("news")] + words, environment: environment)
  }

  private static let feed =
    "<rss version='2.0'><channel><title>F</title><item><title>S</title><guid>1</guid></item></channel></rss>"

  @Test(
    "moves no feed to a command, to a file, or into a private network",
    arguments: ["exec:touch ", "file:///etc/passwd?", "HTTP:", "https://u:p@a.example/"],
    [false, true],
  )
  func moves(_ start: String, isKnown: Bool) throws {
    let place = "/moved-" + String(repeating: "z", count: 100)
    let server = try FaultyServer { request in
      if request.path == "/feed", request.header("User-Agent")?.hasPrefix("plain") != true {
        return .redirect(
          301,
          to:
            "http://127.0.0.1:\(request.header("Host")?.split(separator: ":").last ?? "")\(place)",
        )
      }
      return .response(body: Self.feed)
    }
    let (url, target) = (server.url("/feed"), server.url(place))
    let made = folder.path("made")
    let forged = (start + (start.hasSuffix(" ") ? made + " #" : "")).padding(to: target.utf8.count)
    if isKnown {
      #expect(try news(["subscribe", "--no-check", url]).status == 0)
    }
    let word = isKnown ? ["refresh"] : ["subscribe", url]
    let answer = try news(word, forging: ["FORGE_FROM": target, "FORGE_TO": forged])
    #expect(answer.status == 1)
    #expect(answer.errorText.contains("the process that reads documents ended at this one"))
    let feeds = try news(["feeds"]).text
    #expect(feeds.contains(url) == isKnown && !feeds.contains(start))
    _ = try news(["refresh"])
    #expect(access(made, F_OK) != 0)
  }

  @Test("ends the wait for a message that it never ends")
  func stops() throws {
    // A short answer goes as it is.
    let title = "<title>" + String(repeating: "S", count: 400)
    try folder.write(Self.feed.replacing("<title>S", with: title), to: "feed.xml")
    let answer = try news(["parse", folder.path("feed.xml")], forging: ["FORGE_MORE": "1"])
    #expect(answer.status == 65)
    #expect(answer.errorText.contains("the process that reads documents ended at this one"))
  }
}

extension String {
  fileprivate func padding(to count: Int) -> String {
    self + String(repeating: "#", count: max(count - utf8.count, 0))
  }
}
