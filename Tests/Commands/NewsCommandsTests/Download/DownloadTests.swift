import CommandLine
import FeedFetching
import FeedModel
import FeedStorage
import PropertyLists
import TestSupport
import Testing

@testable import CommandSupport
@testable import Episodes
@testable import System

final class EpisodeHome: Sendable {
  struct Site {
    var answers: [String: @Sendable (FaultyRequest) -> FaultyAnswer] = [:]
    var feed = ""
  }

  let news: CommandRun
  let server: FaultyServer
  let site = Monitor(Site())
  var downloads: String { news.folder.path("saved") }

  static let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }

  init() throws {
    news = try CommandRun()
    let site = site
    server = try FaultyServer { request in
      let answer = site.change { $0.answers[request.path] }
      if request.path == "/feed" { return .response(body: site.change { $0.feed }) }
      return answer?(request) ?? .response(status: "404 Not Found", body: "")
    }
    news.realFetcher = SourceFetcher()
    news.variables["XDG_DOWNLOAD_DIR"] = news.folder.path("downloads")
  }

  func follow(_ episodes: [(path: String, length: Int?)], type: String = "audio/mpeg") {
    publish(episodes, type: type)
    #expect(news("subscribe", server.url("/feed")).status == 0)
    #expect(news("refresh").status == 0)
    news("list")
  }

  func publish(_ episodes: [(path: String, length: Int?)], type: String = "audio/mpeg") {
    let items = episodes.enumerated().map { index, episode in
      let length = episode.length.map { " length=\"\($0)\"" } ?? ""
      return """
        <item><title>Talk \(episode.path.dropFirst())</title><guid>\(episode.path)</guid>
        <pubDate>Sat, \(28 - index) Oct 2026 10:00:00 GMT</pubDate>
        <enclosure url="\(server.url(episode.path))" type="\(type)"\(length)/></item>
        """
    }
    let feed =
      "<rss version=\"2.0\"><channel><title>Talks</title>\(items.joined())</channel></rss>"
    site.change { $0.feed = feed }
  }

  func answer(_ path: String, _ body: @escaping @Sendable (FaultyRequest) -> FaultyAnswer) {
    site.change { $0.answers[path] = body }
  }

  func download(_ words: String...) -> CommandResult {
    news.run(["download", "--to", downloads] + words)
  }

  var names: [String] {
    (POSIX.names(inFolder: downloads) ?? []).filter { !$0.hasPrefix(".") }.sorted()
  }

  func file(_ name: String) throws -> [UInt8] {
    try POSIX.readFile(downloads + "/" + name, maximumBytes: 1 << 20)
  }

  var ranges: [String?] { server.requests(for: "/a.mp3").map { $0.header("Range") } }

  /// Returns a whole answer, or that to a range; with `upTo` the connection ends after so many
  /// bytes.
  static func serve(
    _ request: FaultyRequest,
    _ bytes: [UInt8] = bytes,
    tag: String? = "\"one\"",
    upTo end: Int? = nil,
  ) -> FaultyAnswer {
    var headers = ["Content-Type: audio/mpeg"] + (tag.map { ["ETag: \($0)"] } ?? [])
    let start = request.header("Range").flatMap { Int($0.dropFirst(6).dropLast()) }
    guard let start, request.header("If-Range") == tag, tag != nil else {
      return answer("200 OK", headers, bytes[...], upTo: end)
    }
    headers.append("Content-Range: bytes \(start)-\(bytes.count - 1)/\(bytes.count)")
    return answer("206 Partial Content", headers, bytes[start...], upTo: end)
  }

  static func answer(
    _ status: String,
    _ headers: [String],
    _ bytes: ArraySlice<UInt8>,
    upTo end: Int? = nil,
  ) -> FaultyAnswer {
    let fields = headers + ["Content-Length: \(bytes.count)"]
    let head = "HTTP/1.1 \(status)\r\n\(fields.joined(separator: "\r\n"))\r\n\r\n"
    return FaultyAnswer([.send(Array(head.utf8)), .send(Array(bytes.prefix(end ?? bytes.count)))])
  }
}

@Suite("news download: one episode")
struct DownloadTests {
  private let home: EpisodeHome
  private static let name = "2026-10-28 Talk a.mp3.mp3"

  init() throws {
    home = try EpisodeHome()
  }

  private func follow() {
    home.follow([("/a.mp3", 300_000)])
  }

  @Test("is saved under day and title, and its story says where")
  func whole() throws {
    home.answer("/a.mp3") { EpisodeHome.serve($0) }
    follow()
    let path = home.downloads + "/" + Self.name
    #expect(home.download("1") == CommandResult(output: path + "\n", errors: "", status: 0))
    #expect(try home.file(Self.name) == EpisodeHome.bytes)
    #expect(home.names == [Self.name])
    #expect(
      home.news("list", "--grep", "is:downloaded", "--json").output.contains("\"file\":\"\(path)\"")
    )
    #expect(home.news("list", "--grep", "has:enclosure -is:downloaded").output.isEmpty)
    home.news("list")
    #expect(home.news("show", "1").output.contains("File        \(path)\n"))
    #expect(home.download("1").output == path + "\n")
    #expect(home.ranges == [nil])
  }

  @Test("goes on where the connection was cut, in the same run")
  func cut() throws {
    home.answer("/a.mp3") { EpisodeHome.serve($0, upTo: 100_000) }
    follow()
    #expect(home.download("1").status == 0)
    #expect(try home.file(Self.name) == EpisodeHome.bytes)
    #expect(home.ranges == [nil, "bytes=100000-", "bytes=200000-"])
    let conditions = home.server.requests(for: "/a.mp3").map { $0.header("If-Range") }
    #expect(conditions == [nil, "\"one\"", "\"one\""])
    #expect(home.server.requests(for: "/a.mp3").allSatisfy { $0.header("Accept-Encoding") == nil })
  }

  private func interrupt(tag: String? = "\"one\"") {
    home.answer("/a.mp3") { [home] request in
      home.ranges.count == 1
        ? EpisodeHome.serve(request, tag: tag, upTo: 120_000) : FaultyAnswer([.reset])
    }
    follow()
    let result = home.download("1")
    #expect(result.status == 1 && result.output.isEmpty)
    #expect(result.errors.hasPrefix("news: Talk a.mp3: "))
    #expect(result.errors.hasSuffix("; 120 kB are kept, the next download goes on\n"))
    #expect(home.names == [Self.name + ".part"])
    #expect(home.news("list", "--grep", "is:downloaded").output.isEmpty)
  }

  @Test("goes on in the next run, and begins anew where the file is another")
  func nextRun() throws {
    interrupt()
    home.answer("/a.mp3") { EpisodeHome.serve($0) }
    home.news("list")
    #expect(home.download("1").status == 0)
    #expect(home.ranges.last == "bytes=120000-")
    #expect(try home.file(Self.name) == EpisodeHome.bytes)
  }

  @Test("begins anew where its server has another file now")
  func changed() throws {
    interrupt()
    let other = Array(EpisodeHome.bytes.reversed())
    home.answer("/a.mp3") { EpisodeHome.serve($0, other, tag: "\"two\"") }
    home.news("list")
    #expect(home.download("1").status == 0)
    #expect(try home.file(Self.name) == other)
  }

  @Test(
    "is never put together of two files, whatever the server answers to the rest",
    arguments: ["0-299999/300000", "120001-299999/300000", "120000-299999/300001", "nonsense"],
  )
  func otherRange(_ range: String) throws {
    interrupt()
    let other = Array(EpisodeHome.bytes.reversed())
    home.answer("/a.mp3") { request in
      guard request.header("Range") != nil else { return EpisodeHome.serve(request, other) }
      let headers = ["ETag: \"one\"", "Content-Range: bytes \(range)"]
      return EpisodeHome.answer("206 Partial Content", headers, other[120_000...])
    }
    home.news("list")
    #expect(home.download("1").status == 0)
    #expect(try home.file(Self.name) == other)
  }

  @Test(
    "is never put together of two files, though their lengths are the same",
    arguments: [["ETag: \"two\""], ["ETag: W/\"one\""], ["Last-Modified: x", "ETag: \"two\""]],
  )
  func otherVersion(_ headers: [String]) throws {
    interrupt()
    let other = Array(EpisodeHome.bytes.reversed())
    home.answer("/a.mp3") { request in
      guard request.header("Range") != nil else { return EpisodeHome.serve(request, other) }
      let range = ["Content-Range: bytes 120000-299999/300000"]
      return EpisodeHome.answer("206 Partial Content", headers + range, other[120_000...])
    }
    home.news("list")
    #expect(home.download("1").status == 0)
    #expect(try home.file(Self.name) == other)
  }

  @Test("is not whole with the rest alone, whatever status that has")
  func restAlone() throws {
    interrupt()
    home.answer("/a.mp3") { request in
      guard request.header("Range") != nil else { return EpisodeHome.serve(request) }
      let range = ["Content-Range: bytes 120000-299999/300000"]
      return EpisodeHome.answer("200 OK", range, EpisodeHome.bytes[120_000...])
    }
    home.news("list")
    #expect(home.download("1").status == 0)
    #expect(try home.file(Self.name) == EpisodeHome.bytes)
  }

  @Test("comes in as many parts as its server sends, and is whole with the last of them")
  func shortRanges() throws {
    home.answer("/a.mp3") { request in
      guard let range = request.header("Range"),
        let start = Int(range.dropFirst(6).dropLast())
      else {
        return FaultyAnswer.raw(
          "HTTP/1.1 200 OK\r\nETag: \"one\"\r\nTransfer-Encoding: chunked\r\n\r\n186a0\r\n",
          then: [.send(Array(EpisodeHome.bytes.prefix(100_000)))],
        )
      }
      let end = min(start + 80_000, 300_000)
      let headers = ["ETag: \"one\"", "Content-Range: bytes \(start)-\(end - 1)/300000"]
      return EpisodeHome.answer("206 Partial Content", headers, EpisodeHome.bytes[start..<end])
    }
    follow()
    #expect(home.download("1").status == 0)
    #expect(try home.file(Self.name) == EpisodeHome.bytes)
    #expect(home.ranges.count == 4)
  }

  @Test("is not taken for whole because a server has no more than a part of it")
  func cutAtServer() throws {
    interrupt()
    home.answer("/a.mp3") { request in
      guard request.header("Range") != nil else { return EpisodeHome.serve(request) }
      let headers = ["Content-Range: bytes */120000"]
      return .response(status: "416 X", headers: headers, body: "")
    }
    home.news("list")
    #expect(home.download("1").status == 0)
    #expect(try home.file(Self.name) == EpisodeHome.bytes)
  }

  @Test("is given up after so many parts, and never saved empty", arguments: 18...21)
  func manyParts(_ parts: Int) throws {
    home.answer("/a.mp3") { [home] request in
      let count = home.ranges.count
      let headers = ["Content-Range: bytes */7"]
      return count > parts
        ? .response(status: "416 X", headers: headers, body: "")
        : EpisodeHome.serve(request, upTo: 1_000)
    }
    follow()
    #expect(home.download("1").status == 1)
    #expect(!home.names.contains(Self.name))
    #expect(home.ranges.count <= 21)
  }

  @Test("is asked for with its feed's password on the same site")
  func password() throws {
    let url = home.server.url("/feed").replacing("://", with: "://ann:secret@")
    home.answer("/a.mp3") { request in
      request.header("Authorization") == nil
        ? .response(
          status: "401 X",
          headers: ["WWW-Authenticate: Basic realm=\"x\""],
          body: "",
        ) : EpisodeHome.serve(request)
    }
    home.publish([("/a.mp3", nil)])
    #expect(home.news("subscribe", url).status == 0)
    home.news("list")
    #expect(home.download("1").status == 0)
    let record = try home.file(".news-downloads.plist")
    #expect(!String(decoding: record, as: UTF8.self).contains("secret"))
  }

  @Test("is begun anew where the server knows no such range")
  func notSatisfiable() throws {
    interrupt()
    home.answer("/a.mp3") { request in
      guard request.header("Range") != nil else {
        return EpisodeHome.serve(request, Array("ID3".utf8))
      }
      let headers = ["Content-Range: bytes */3"]
      return .response(status: "416 X", headers: headers, body: "")
    }
    home.news("list")
    #expect(home.download("1").status == 0)
    #expect(try home.file(Self.name) == Array("ID3".utf8))
  }

  @Test("is whole where the server has no more than is there")
  func nothingLeft() throws {
    home.answer("/a.mp3") { request in
      guard request.header("Range") != nil else {
        let bytes = EpisodeHome.bytes
        return FaultyAnswer.raw(
          "HTTP/1.1 200 OK\r\nETag: \"one\"\r\nTransfer-Encoding: chunked\r\n\r\n493e0\r\n",
          then: [.send(bytes)],
        )
      }
      let headers = ["Content-Range: bytes */300000"]
      return .response(status: "416 X", headers: headers, body: "")
    }
    follow()
    #expect(home.download("1").status == 0)
    #expect(try home.file(Self.name) == EpisodeHome.bytes)
  }

  @Test(
    "is asked for from its beginning where nothing says which file it is",
    arguments: [nil, "W/\"weak\""],
  )
  func noValidator(_ tag: String?) throws {
    interrupt(tag: tag)
    home.answer("/a.mp3") { EpisodeHome.serve($0) }
    home.news("list")
    #expect(home.download("1").status == 0)
    #expect(home.ranges.compactMap(\.self) == [])
    #expect(try home.file(Self.name) == EpisodeHome.bytes)
  }

  @Test("is not whole where the connection ends early and nobody says how long it is")
  func openEnded() throws {
    home.answer("/a.mp3") { _ in
      .raw("HTTP/1.1 200 OK\r\n\r\n", then: [.send(Array(EpisodeHome.bytes.prefix(1000)))])
    }
    follow()
    let result = home.download("1")
    #expect(result.errors.hasPrefix("news: Talk a.mp3: it ended after 1000 of 300000 bytes; "))
    #expect(home.names == [Self.name + ".part"])
  }

  @Test(
    "is refused where it is none",
    arguments: [
      (
        ["Content-Type: text/html; charset=utf-8"], "log in",
        "its server sends a document (text/html), and no audio/mpeg",
      ),
      (
        ["Content-Type: audio/mpeg"], "\n<!DOCTYPE html><title>Log in</title>",
        "its server sends a web page, and no audio/mpeg",
      ),
      (["Content-Type: audio/mpeg"], "", "its server sends an empty file"),
      (
        ["Content-Type: audio/mpeg", "Content-Encoding: gzip"], "x",
        "the file is compressed for the way, and its bytes cannot be counted",
      ),
    ] as [([String], String, String)],
  )
  func refused(_ headers: [String], _ body: String, _ reason: String) {
    home.answer("/a.mp3") { _ in EpisodeHome.answer("200 OK", headers, Array(body.utf8)[...]) }
    follow()
    #expect(home.download("1").errors == "news: Talk a.mp3: \(reason)\n")
    #expect(home.names == [])
  }

  @Test("that is a page to log in leaves what is there of the recording")
  func portal() throws {
    interrupt()
    home.answer("/a.mp3") { _ in
      .response(headers: ["Content-Type: text/html"], body: "<p>Log in</p>")
    }
    home.news("list")
    #expect(home.download("1").status == 1)
    #expect(try home.file(Self.name + ".part") == Array(EpisodeHome.bytes.prefix(120_000)))
  }

  @Test("takes no name that somebody else has, and follows no link")
  func names() throws {
    home.answer("/a.mp3") { EpisodeHome.serve($0) }
    follow()
    #expect(mkdir(home.downloads, 0o700) == 0)
    try home.news.folder.write("mine", to: "saved/\(Self.name)")
    let second = "2026-10-28 Talk a.mp3 (2).mp3"
    #expect(symlink(home.news.folder.path("outside"), home.downloads + "/\(second).part") == 0)
    #expect(home.download("1").output.hasSuffix(" (3).mp3\n"))
    #expect(try home.file(Self.name) == Array("mine".utf8))
    #expect(FileStatus(at: home.news.folder.path("outside")) == nil)
  }

  @Test("is refused where its folder's record is no file of its own", arguments: ["new", "mine"])
  func linkedRecord(_ target: String) throws {
    home.answer("/a.mp3") { EpisodeHome.serve($0) }
    follow()
    #expect(mkdir(home.downloads, 0o700) == 0)
    let mine = try home.news.folder.write("mine", to: "mine")
    let record = home.downloads + "/.news-downloads.plist"
    #expect(symlink("../\(target)", record) == 0)
    for words in [["1"], ["--clean", "--yes"]] {
      let result = home.news.run(["download", "--to", home.downloads] + words)
      #expect(result.errors.contains("\(record) is a symbolic link, not a file\n"))
      #expect(result.status == 1)
    }
    #expect(FileStatus(at: home.news.folder.path("new")) == nil)
    #expect(try readText(mine) == "mine")
    #expect(home.names == [] && home.ranges == [])
  }

  @Test("neither is removed nor played where a link has taken its place")
  func linkedFile() throws {
    home.answer("/a.mp3") { EpisodeHome.serve($0) }
    follow()
    _ = home.download("1")
    let mine = try home.news.folder.write("mine", to: "mine")
    let file = home.downloads + "/" + Self.name
    #expect(unlink(file) == 0 && symlink(mine, file) == 0)
    #expect(home.news("list", "--grep", "is:downloaded").output.isEmpty)
    home.news("list")
    home.news("read", "1")
    #expect(home.download("--clean", "--yes").errors == "0 files deleted, 0 bytes\n")
    #expect(FileStatus(at: file, followingLinks: false)?.kind == .link)
    #expect(try readText(mine) == "mine")
  }

  @Test("goes on in no file that has a second name, and by no name that leads elsewhere")
  func strangeNames() throws {
    interrupt()
    let part = home.downloads + "/" + Self.name + ".part"
    let mine = try home.news.folder.write("mine", to: "mine")
    #expect(unlink(part) == 0 && link(mine, part) == 0)
    home.news("list")
    let result = home.download("1")
    #expect(result.errors.contains("\(part) has a second name (a hard link)"))
    #expect(result.status == 1)
    let record = home.downloads + "/.news-downloads.plist"
    for name in ["../mine", mine, "..", ".hidden", "a/../../mine"] {
      let bytes = PropertyListBytes(try readFile(record))
      let value = try PropertyList.value(bytes).array ?? []
      let changed = value.compactMap(\.dictionary).map { entry in
        var entry = entry
        (entry["name"], entry["whole"]) = (.string(name), .boolean(true))
        return PropertyListValue.dictionary(entry)
      }
      try writeFile(record, PropertyList.encode(.array(changed)))
      home.news("read", "1")
      #expect(home.download("--clean", "--yes").errors == "0 files deleted, 0 bytes\n")
      try writeFile(record, PropertyList.encode(.array(value)))
    }
    #expect(try readText(mine) == "mine")
  }

  @Test("comes again where the reader has removed it")
  func removed() throws {
    home.answer("/a.mp3") { EpisodeHome.serve($0) }
    follow()
    _ = home.download("1")
    #expect(unlink(home.downloads + "/" + Self.name) == 0)
    #expect(home.news("list", "--grep", "is:downloaded").output.isEmpty)
    home.news("list")
    #expect(home.download("1").status == 0)
    #expect(home.names == [Self.name])
    #expect(home.ranges == [nil, nil])
  }

  @Test("is left alone while another process saves it")
  func twoAtOnce() throws {
    interrupt()
    let part = open(home.downloads + "/" + Self.name + ".part", O_RDWR)
    defer { close(part) }
    #expect(flock(part, LOCK_EX | LOCK_NB) == 0)
    home.news("list")
    #expect(home.download("1").errors.contains("another news is downloading "))
  }
}

@Suite("news download: several episodes")
struct DownloadsTests {
  private let home: EpisodeHome

  init() throws {
    home = try EpisodeHome()
  }

  private func follow(_ count: Int) {
    for number in 1...count { home.answer("/\(number).mp3") { EpisodeHome.serve($0) } }
    home.follow((1...count).map { ("/\($0).mp3", nil) })
  }

  private func saved() -> [String] {
    home.names.map { String($0.dropFirst("2026-10-28 Talk ".count).dropLast(8)) }
  }

  @Test("come two at a time from one server, the newest of a feed where so many are wanted")
  func latest() {
    follow(9)
    #expect(home.download("--feed", "Talks", "--latest", "5").status == 0)
    #expect(saved() == ["5", "4", "3", "2", "1"])
    #expect(home.server.mostConnections <= 2)
    #expect(
      home.news("list", "--grep", "has:enclosure -is:downloaded").output.split(separator: "\n")
        .count == 4
    )
    #expect(home.download("--feed", "Talks", "--latest", "5").errors == "nothing to download\n")
  }

  @Test("one that fails stops no other")
  func failure() {
    follow(4)
    home.answer("/2.mp3") { _ in .response(status: "404 X", body: "") }
    let result = home.download("1-4")
    #expect(result.status == 1)
    #expect(result.errors.contains("Talk 2.mp3: server answered 404"))
    #expect(saved() == ["4", "3", "1"])
  }

  @Test("are asked for no more once their server wants to be left in peace")
  func busy() {
    follow(6)
    for path in ["/1.mp3", "/2.mp3"] {
      home.answer(path) { _ in
        .response(status: "429 X", headers: ["Retry-After: 60"], body: "")
      }
    }
    #expect(home.download("1-6").errors.contains("Talk 6.mp3: not asked, because its server"))
    #expect(home.server.requests.allSatisfy { ["/feed", "/1.mp3", "/2.mp3"].contains($0.path) })
    #expect(home.names == [])
  }

  @Test("of which some are heard go with --clean, but for what has a star or is not ours")
  func clean() throws {
    follow(5)
    #expect(home.download("1-4").status == 0)
    home.news("read", "1-3", "5")
    home.news("star", "2")
    // A data file that somebody has forged must not remove the files that it names.
    try home.news.folder.write("precious", to: "precious")
    let foreign = home.news.folder.path("precious")
    try home.news.folder.write("mine", to: "saved/mine.mp3")
    let items = try home.news.store.read().items
    let (third, fifth) = (try items.item(at: 2).id, try items.item(at: 4).id)
    let mine = home.downloads + "/mine.mp3"
    try home.news.store.note(files: [third: foreign, fifth: mine])
    let result = home.news("download", "--clean", "--yes")
    #expect(result.output == home.downloads + "/2026-10-28 Talk 1.mp3.mp3\n")
    #expect(result.errors == "1 file deleted, 300 kB\n")
    #expect(saved() == ["4", "3", "2", ""])
    #expect(try readText(foreign) == "precious" && readText(mine) == "mine")
    #expect(home.news("download", "--clean", "--yes").errors == "0 files deleted, 0 bytes\n")
  }

  @Test("--clean asks on a terminal, with how much it frees")
  func cleanAsks() throws {
    follow(3)
    #expect(home.download("1-3").status == 0)
    home.news("read", "1-2")
    home.news.useTerminal(80)
    home.news.input = ["n"]
    let kept = home.news("download", "--clean")
    #expect(kept.errors == "Delete 2 files (600 kB)? [y/N] nothing was deleted\n")
    #expect(kept.status == 1 && saved().count == 3)
    home.news.input = ["y"]
    #expect(home.news("download", "--clean").errors.hasSuffix("2 files deleted, 600 kB\n"))
    #expect(home.news("download", "--clean").errors == "0 files deleted, 0 bytes\n")
    home.news("read", "3")
    #expect(home.news("download", "--clean", "--yes").errors == "1 file deleted, 300 kB\n")
    #expect(home.news("download", "--yes", "1").status == 64)
  }

  @Test("of stories that are gone, and parts of what was read, go with --clean, too")
  func cleanRest() throws {
    follow(3)
    home.answer("/2.mp3") { EpisodeHome.serve($0, upTo: 1_000) }
    home.answer("/2.mp3") { [home] request in
      home.server.requests(for: "/2.mp3").count == 1
        ? EpisodeHome.serve(request, upTo: 1_000) : FaultyAnswer([.reset])
    }
    #expect(home.download("1-3").status == 1)
    home.news("read", "2-3")
    let other = try CommandRun()
    #expect(
      other("download", "--clean", "--yes", "--to", home.downloads).errors.hasPrefix("0 files")
    )
    #expect(home.download("--clean", "--yes").output.split(separator: "\n").count == 2)
    #expect(saved() == ["1"])
    home.news("clear", "--yes")
    #expect(home.download("--clean", "--yes", "--unread").errors.hasPrefix("0 files"))
    #expect(home.download("--clean", "--yes").errors.hasPrefix("1 file deleted"))
    #expect(home.names == [])
  }

  @Test("say in JSON what became of each")
  func json() {
    follow(2)
    home.answer("/2.mp3") { _ in .response(status: "404 X", body: "") }
    let result = home.download("2", "1", "--json")
    #expect(result.output.hasPrefix("[\n{\"n\":2,\"id\":\""))
    #expect(result.output.contains("\"file\":null,\"bytes\":0,\"error\":\"server answered 404"))
    #expect(result.output.contains("\"bytes\":300000,\"error\":null}\n]\n"))
  }

  @Test("need a number or an option that says which")
  func usage() {
    follow(1)
    #expect(home.download().status == 64)
    #expect(home.download("1", "--unread").status == 64)
    #expect(home.news("download", "--clean", "1").status == 64)
  }

  @Test("are saved where the system keeps downloads")
  func place() throws {
    func folder(_ variables: [String: String]) throws -> String {
      var environment = home.news.testEnvironment
      environment.variable = { variables[$0] }
      return try environment.downloadsFolder()
    }
    let own = home.news.folder.path
    #expect(try folder(["XDG_DOWNLOAD_DIR": "/d/", "HOME": "/h"]) == "/d/news")
    #expect(try folder(["HOME": own]) == own + "/Downloads/news")
    #expect(mkdir(own + "/.config", 0o700) == 0)
    try home.news.folder.write(
      "# a comment\nXDG_MUSIC_DIR=\"$HOME/M\"\nXDG_DOWNLOAD_DIR=\"$HOME/Mes fichiers\"\n",
      to: ".config/user-dirs.dirs",
    )
    #expect(try folder(["HOME": own]) == own + "/Mes fichiers/news")
    #expect(throws: Failure.self) { try folder([:]) }
  }
}

@Suite("news feeds set --download")
struct WantedDownloadTests {
  private let home: EpisodeHome

  init() throws {
    home = try EpisodeHome()
    for number in 1...9 { home.answer("/\(number).mp3") { EpisodeHome.serve($0) } }
    home.follow((3...6).map { ("/\($0).mp3", nil) })
  }

  private func fetch(_ words: String...) -> CommandResult {
    home.news.now += 3_600
    return home.news.run(["fetch"] + words)
  }

  private var saved: [String] {
    (POSIX.names(inFolder: home.news.folder.path("downloads/news")) ?? [])
      .filter { !$0.hasPrefix(".") }.map { String($0.dropFirst(16).dropLast(8)) }.sorted()
  }

  @Test("has fetch save the newest episodes that nobody has heard, and no other")
  func newest() {
    #expect(
      home.news("feeds", "set", "Talks", "--download", "2").errors
        == "Talks: its newest 2 episodes saved as they come\n"
    )
    home.news("read", "1")
    #expect(fetch("-v").errors.contains("Talk 4.mp3: 300 kB in "))
    #expect(saved == ["4"])
    home.publish((1...6).map { ("/\($0).mp3", nil) })
    #expect(fetch().errors == "")
    #expect(saved == ["1", "2", "4"])
    #expect(home.news("list", "--grep", "is:downloaded").output.split(separator: "\n").count == 3)
    #expect(home.news("why", "Talks").output.contains("fetch saves the newest 2, as long as"))
    home.news("feeds", "set", "Talks", "--download", "")
    home.publish((0...6).map { ("/\($0).mp3", nil) })
    _ = fetch()
    #expect(home.server.requests(for: "/0.mp3").isEmpty)
  }

  @Test("keeps to the bytes that they may take")
  func bytes() throws {
    home.answer("/4.mp3") { EpisodeHome.serve($0, [UInt8](repeating: 7, count: 900_000)) }
    home.news("feeds", "set", "Talks", "--download", "3", "--download-limit", "1")
    _ = fetch()
    #expect(saved == ["3", "5"])
    home.news("list")
    home.news("read", "1")
    home.news("download", "--clean", "--yes")
    _ = fetch()
    #expect(saved == ["5"])
    home.news("read", "3")
    home.news("download", "--clean", "--yes")
    home.news.now += 86_400
    _ = fetch()
    #expect(saved == ["4"])
  }

  @Test("asks one server for two at once, whichever feeds want them")
  func twoOfServer() throws {
    let running = Monitor((now: 0, most: 0))
    for number in 1...4 {
      let episode = home.server.url("/all\(number).mp3")
      home.answer("/all\(number)") { _ in
        .response(
          body: """
            <rss version="2.0"><channel><title>All \(number)</title><item><title>One</title>
            <guid>\(number)</guid><pubDate>Sat, 28 Oct 2026 10:00:00 GMT</pubDate>
            <enclosure url="\(episode)" type="audio/mpeg"/></item></channel></rss>
            """
        )
      }
      home.answer("/all\(number).mp3") { request in
        let wait = FaultyAnswer([
          .run {
            running.change { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
            // Other downloads have time to begin meanwhile.
            usleep(200_000)
            running.change { $0.now -= 1 }
          }
        ])
        return FaultyAnswer(wait.steps + EpisodeHome.serve(request).steps)
      }
      #expect(home.news("subscribe", home.server.url("/all\(number)")).status == 0)
      home.news("feeds", "set", "All \(number)", "--download", "1")
    }
    _ = fetch()
    #expect((1...4).allSatisfy { home.server.requests(for: "/all\($0).mp3").count == 1 })
    #expect(running.change { $0.most } == 2)
  }

  @Test("leaves a server in peace for as long as it asks for")
  func retryAfter() {
    home.answer("/3.mp3") { _ in
      .response(status: "429 X", headers: ["Retry-After: 10000"], body: "")
    }
    home.news("feeds", "set", "Talks", "--download", "1")
    for _ in 0..<3 { _ = fetch() }
    #expect(home.server.requests(for: "/3.mp3").count == 1)
    home.news("list")
    #expect(home.news("download", "2").errors.contains("not asked, because its server answered"))
    home.answer("/3.mp3") { EpisodeHome.serve($0) }
    home.news.now += 10_000
    _ = fetch()
    #expect(saved == ["3"])
  }

  @Test("asks more and more seldom for what is not there, and goes on with what was cut off")
  func tries() {
    home.answer("/3.mp3") { _ in .response(status: "404 X", body: "") }
    home.answer("/4.mp3") { [home] request in
      home.server.requests(for: "/4.mp3").count % 2 == 1
        ? EpisodeHome.serve(request, upTo: 100_000) : FaultyAnswer([.reset])
    }
    home.news("feeds", "set", "Talks", "--download", "2")
    for _ in 0..<9 { _ = fetch() }
    #expect(home.server.requests(for: "/3.mp3").count == 4)
    #expect(saved == ["4"])
    let ranges = home.server.requests(for: "/4.mp3").map { $0.header("Range") }
    #expect(
      ranges.prefix(5) == [nil, "bytes=100000-", "bytes=100000-", "bytes=200000-", "bytes=200000-"]
    )
  }
}

@Suite("news play")
struct PlayTests {
  private let home: EpisodeHome

  init() throws {
    home = try EpisodeHome()
    home.answer("/a.mp3") { EpisodeHome.serve($0) }
    home.follow([("/a.mp3", nil)])
  }

  @Test("starts the player with the file, or without one with the URL, and marks the story read")
  func play() {
    #expect(home.news("play", "1").status == 0)
    #expect(home.news.launched == [["mpv", home.server.url("/a.mp3")]])
    #expect(home.news("list", "--unread").output.isEmpty)
    home.news("list")
    _ = home.download("1")
    home.news.variables["NEWS_PLAYER"] = "vlc --intf dummy"
    #expect(home.news("play", "1").status == 0)
    let path = home.downloads + "/2026-10-28 Talk a.mp3.mp3"
    #expect(home.news.launched.last == ["vlc", "--intf", "dummy", path])
  }

  @Test("a player that fails, or is not there, leaves the story unread")
  func failures() {
    home.news.launchStatus = 2
    #expect(home.news("play", "1").errors == "news: mpv exited with status 2\n")
    home.news.launchStatus = 127
    let none =
      "news: mpv is not installed, and playing needs it, or a player that NEWS_PLAYER names: "
      + "no such file in PATH; install it: apt-get install mpv, or the like\n"
    #expect(home.news("play", "1").errors == none)
    #expect(home.news.launched.last?.first == "mpv")
    home.news.variables["WAYLAND_DISPLAY"] = "wayland-0"
    #expect(home.news("play", "1").errors == none)
    #expect(home.news.launched.last?.first == "xdg-open")
    home.news.variables["NEWS_PLAYER"] = "mplayer -x"
    #expect(
      home.news("play", "1").errors == "news: NEWS_PLAYER: there is no program mplayer\n"
    )
    #expect(!home.news("list", "--unread").output.isEmpty)
  }
}

@Suite("The name of an episode's file")
struct EpisodeNameTests {
  @Test(
    "is one that every file system takes, and leads nowhere",
    arguments: [
      ("A talk", "https://x.example/a.mp3", nil, "2026-11-01 A talk.mp3"),
      ("../../etc/passwd", "https://x.example/a.MP3?x=1", nil, "2026-11-01 etc passwd.mp3"),
      ("a\\b:c*d?e\"f<g>h|i", "https://x.example/a.ogg", nil, "2026-11-01 a b c d e f g h i.ogg"),
      ("  ends. . ", "https://x.example/a.sh", "audio/mpeg", "2026-11-01 ends.mp3"),
      ("e\u{202e}xe\u{0}", "https://x.example/", "AUDIO/MP4; x=1", "2026-11-01 exe.m4a"),
      ("Ünïcödé 日本", "https://x.example/a.desktop", nil, "2026-11-01 Ünïcödé 日本.bin"),
      ("-rf", "https://x.example/a.mp3/../..", "video/mp4", "2026-11-01 rf.mp4"),
      ("", "https://x.example/a", "application/x-sh", "2026-11-01.bin"),
    ] as [(String, String, String?, String)],
  )
  func names(_ title: String, _ url: String, _ type: String?, _ name: String) throws {
    #expect(try episode(title, url, type).fileName == name)
  }

  @Test("is never too long, nor cut within a character")
  func long() throws {
    let title = String(repeating: "👩‍👩‍👧 words ", count: 40)
    let name = try episode(title, "https://x.example/a.mp3", nil).fileName
    #expect(name.utf8.count <= 130 && name.hasSuffix(".mp3"))
    #expect(name.dropFirst(11).dropLast(4).allSatisfy { title.contains($0) })
  }

  @Test("is of the first recording among pictures")
  func choice() throws {
    var story = Sample.story(1, "T", hours: 0)
    story.item.enclosures = [
      Enclosure(url: "https://x.example/a.jpg", type: "image/jpeg"),
      Enclosure(url: "https://x.example/b.mp3", type: "audio/mpeg"),
    ]
    #expect(Episode(story)?.enclosure.url == "https://x.example/b.mp3")
    story.item.enclosures.removeLast()
    #expect(Episode(story)?.enclosure.url == "https://x.example/a.jpg")
    story.item.enclosures = [Enclosure(url: "file:///etc/passwd")]
    #expect(Episode(story) == nil)
  }

  private func episode(_ title: String, _ url: String, _ type: String?) throws -> Episode {
    var story = Sample.story(1, title, hours: 0)
    story.item.enclosures = [Enclosure(url: url, type: type)]
    return try #require(Episode(story))
  }
}
