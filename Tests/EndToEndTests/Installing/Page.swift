import TestSupport
import Testing

struct Page: CustomTestStringConvertible {
  struct Block {
    let language: String
    let text: String
  }

  static let folder = "Sources/news/Documentation.docc"

  let name: String
  let path: String
  let text: String

  private init(_ path: String) throws {
    self.path = BuiltProduct.fixture("../\(path)")
    name = path
    text = try readText(self.path)
  }

  static func readme() throws -> Page { try Page("README.md") }

  static func named(_ name: String) throws -> Page { try Page("\(folder)/\(name).md") }

  static func all() throws -> [Page] {
    let names = try namesInFolder(BuiltProduct.fixture("../\(folder)")).sorted()
    return try [readme()] + names.filter { $0.hasSuffix(".md") }.map { try Page("\(folder)/\($0)") }
  }

  var testDescription: String { name }

  private var parts: [Substring] { ("\n" + text).splitting("\n```") }

  var blocks: [Block] {
    parts.enumerated().filter { $0.offset % 2 == 1 }.map { part in
      let end = part.element.firstIndex(of: "\n") ?? part.element.endIndex
      let lines = part.element[end...].dropFirst()
      return Block(language: String(part.element[..<end]), text: lines.isEmpty ? "" : lines + "\n")
    }
  }

  var prose: String {
    parts.enumerated().filter { $0.offset % 2 == 0 }.map { String($0.element) }.joined()
  }

  var code: [String] { prose.matches(of: #/`([^`\n]+)`/#).map { String($0.1) } }

  func lines(of language: String) -> [String] {
    blocks.filter { $0.language == language }.flatMap { $0.text.split(separator: "\n") }
      .map(String.init)
  }
}

/// The feeds that the pages follow, at `http://feeds.example.org/`.
enum ExampleFeeds {
  static let names = ["technology", "harbour", "workbench", "podcast"]

  /// Starts a proxy, which is asked for whole URLs.
  static func serve() throws -> FaultyServer {
    let feeds = try Dictionary(
      uniqueKeysWithValues: names.map { name in
        let folder = name == "technology" ? "reuters" : "pages"
        return (
          "http://feeds.example.org/\(name).xml",
          try readText(BuiltProduct.fixture("\(folder)/\(name).xml")),
        )
      }
    )
    return try FaultyServer { request in
      if request.path.hasSuffix(".mp3") {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: audio/mpeg\r\nContent-Length: 4096\r\n\r\n"
        return FaultyAnswer([.send(Array(head.utf8) + [UInt8](repeating: 0x78, count: 4096))])
      }
      guard let feed = feeds[request.path] else {
        return .response(status: "404 Not Found", body: "")
      }
      return request.header("If-None-Match") == nil
        ? .response(headers: ["ETag: \"1\""], body: feed)
        : .response(status: "304 Not Modified", headers: ["ETag: \"1\""], body: "")
    }
  }
}

extension String {
  fileprivate func splitting(_ separator: String) -> [Substring] {
    split(separator: separator, omittingEmptySubsequences: false)
  }
}
