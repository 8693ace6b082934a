import TestSupport
import Testing

/// Runs what the README shows, as it is written there.
@Suite("The README's examples")
struct ReadmeTests {
  private let news: News
  private let readme: String
  private let server: FaultyServer

  init() throws {
    news = try News()
    readme = try readText(BuiltProduct.fixture("../README.md"))
    let feed = try readText(BuiltProduct.fixture("reuters/technology.xml"))
    // As a proxy it is asked for whole URLs.
    server = try FaultyServer { request in
      guard request.path == "http://feeds.example.org/technology.xml" else {
        return .response(status: "404 Not Found", body: "")
      }
      return request.header("If-None-Match") == nil
        ? .response(headers: ["ETag: \"1\""], body: feed)
        : .response(status: "304 Not Modified", headers: ["ETag: \"1\""], body: "")
    }
    try install("news", in: "bin", "exec '\(news.program)' \"$@\"")
    try install("mail", in: "bin", "echo \"mail $*\"; cat")
    try install("wget", in: "bin", "echo \"wget $*\"")
  }

  private func install(_ name: String, in folder: String, _ script: String) throws {
    let path = news.folder.path(folder)
    #expect(try Subprocess.run(["mkdir", "-p", path]).status == 0)
    try news.folder.write("#!/bin/sh\n\(script)\n", to: "\(folder)/\(name)")
    #expect(try Subprocess.run(["chmod", "+x", "\(path)/\(name)"]).status == 0)
  }

  /// The blocks of a language, without their fences.
  private func blocks(_ language: String) -> [String] {
    readme.components(of: "```").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
      .filter { $0.hasPrefix(language + "\n") }.map { String($0.dropFirst(language.count + 1)) }
  }

  private var environment: [String: String?] {
    ["PATH": "\(news.folder.path("bin")):/usr/local/bin:/usr/bin:/bin"]
      .merging(["http_proxy": server.url("/"), "no_proxy": nil, "TERM": "xterm-256color"]) { $1 }
  }

  /// What a line prints on a terminal, without its dress; the seconds of a run are always the same.
  private func screen(_ line: String) throws -> String {
    let terminal = try PseudoTerminal(
      ["bash", "-c", line],
      columns: 100,
      environment: news.settings.merging(environment) { $1 },
    )
    #expect(terminal.end() == 0, "\(line)")
    return Self.plain(terminal.screen)
  }

  private static func plain(_ text: String) -> String {
    text.replacing(#/\u{1b}\]8;;[^\u{1b}]*\u{1b}\\/#, with: "")
      .replacing(#/\u{1b}\[[0-9;?]*[A-Za-z]/#, with: "")
      .replacing(#/[0-9]+\.[0-9]{3} s/#, with: "0.000 s")
      .replacing("\r\n", with: "\n").replacing(#/[^\n]*\r/#, with: "")
  }

  @Test("the session prints what stands there")
  func session() throws {
    let session = try #require(blocks("console").first)
    var expected: [String] = []
    var printed: [String] = []
    for part in ("\n" + session).components(of: "\n$ ").dropFirst() {
      let line = String(part.prefix { $0 != "\n" })
      expected.append("$ " + line + "\n" + Self.plain(String(part.dropFirst(line.count + 1))))
      printed.append("$ " + line + "\n" + (try screen(line)))
    }
    #expect(expected.count > 5)
    #expect(printed.joined().trimmed == expected.joined(separator: "\n").trimmed)
  }

  @Test("every other line of shell does something, and ends with 0")
  func shell() throws {
    _ = try screen("news subscribe http://feeds.example.org/technology.xml && news star 1 2")
    var ran = 0
    for line in blocks("sh").flatMap({ $0.components(of: "\n") })
    where line.hasPrefix("news ") || line.hasPrefix("python3 ") {
      let result = try Subprocess.run(
        ["bash", "-c", line],
        environment: news.settings.merging(environment) { $1 },
        folder: line.hasPrefix("python3 ") ? news.home : news.folder.path,
      )
      #expect(result.status == 0, "\(line): \(result.errorText)")
      #expect(!result.text.isEmpty, "\(line)")
      ran += 1
    }
    #expect(ran == 5)
  }

  @Test("the first command, behind its build")
  func firstCommand() throws {
    let line = try #require(blocks("sh").first { $0.contains("export NEWS_HOME") })
    let start = try #require(line.components(of: "&& export ").last)
    let result = try Subprocess.run(
      ["bash", "-c", ("export " + start).replacing(".build/release/news", with: news.program)],
      environment: news.settings.merging(environment) { $1 },
      folder: BuiltProduct.fixture(".."),
    )
    #expect(result.status == 0, "\(result.errorText)")
    #expect(result.text.split(separator: "\n").count == 25)
  }

  @Test("the object of fetch --json has the keys that are shown")
  func json() throws {
    let shown = try #require(blocks("json").first)
    _ = try news.run("subscribe", BuiltProduct.fixture("reuters/technology.xml"))
    let check = """
      import json, sys
      shown, real = (json.loads(line) for line in sys.stdin.read().strip().splitlines())
      print(list(shown) == list(real), list(shown['feeds'][0]) == list(real['feeds'][0]))
      """
    let real = try news.run("fetch", "--json").text
    let text = try Subprocess.run(["python3", "-c", check], input: shown.trimmed + "\n" + real).text
    #expect(text == "True True\n")
  }
}

extension String {
  fileprivate func components(of separator: String) -> [String] {
    split(separator: separator, omittingEmptySubsequences: false).map(String.init)
  }

  fileprivate var trimmed: String {
    String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
  }
}
