import FeedFetching
import TestSupport
import Testing

@Suite("Files are sources like others")
struct FileFetchingTests {
  @Test(
    "paths and file URLs are read",
    arguments: [
      "PATH", "file://PATH", "file:PATH", "file://localhost/PATH", "FILE://PATH", "file://PATH#x",
    ],
  )
  func forms(_ form: String) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(smallFeed, to: "feed.xml")
    let url = form.replacing("localhost/PATH", with: "localhostPATH").replacing("PATH", with: path)
    let fetched = try fetch(url)
    #expect(fetched.body == smallFeed)
    #expect(fetched.heads.map(\.url) == [url] && fetched.heads.map(\.status) == [nil])
    #expect(fetched.response?.bytes == smallFeed.utf8.count)
    #expect(fetched.response?.status == nil)
  }

  @Test("escapes in file URLs, and none in paths")
  func escapes() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("odd", to: "a b%20c#d?e.xml")
    #expect(try fetch(path).body == "odd")
    let encoded = path.replacing("%", with: "%25").replacing(" ", with: "%20")
      .replacing("#", with: "%23").replacing("?", with: "%3F")
    #expect(try fetch("file://\(encoded)").body == "odd")
  }

  @Test(
    "what cannot be read is told",
    arguments: [
      ("/nowhere/feed.xml", "no such file"), ("file:///nowhere", "no such file"),
      ("/", "is a directory"), ("/dev/null/x", "no such file"),
      ("file://example.org/x", "not a file URL with an absolute path on this machine"),
      ("file:relative", "not a file URL with an absolute path on this machine"),
      ("file:///a%00b", "not a file URL with an absolute path on this machine"),
      ("file:///%FF", "not a file URL with an absolute path on this machine"),
      ("", "not a file URL with an absolute path on this machine"),
    ],
  )
  func failures(_ url: String, _ words: String) throws {
    let fetched = try fetch(url)
    #expect(fetched.words == words)
    #expect(fetched.heads.isEmpty)
  }

  @Test("a limit of bytes holds for files too, /dev/zero included")
  func limit() throws {
    let fetched = try fetch(
      "/dev/zero",
      options: .quick.with { $0.maximumBytes = 100_000 },
      receiver: { RecordingReceiver(forgets: true) },
    )
    #expect(fetched.words == "body is larger than 100000 bytes")
  }

  @Test("an unchanged file need not be read again, a changed one is")
  func unchanged() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(smallFeed, to: "feed.xml")
    // A file that was just written could change again within the clock's resolution.
    #expect(try fetch(path).response?.validators == nil)
    try setModificationTime(of: path, seconds: 1_000_000_000)
    let first = try fetch(path)
    let validators = try #require(first.response?.validators)
    let second = try fetch(path, validators: validators)
    #expect(second.words == "not modified" && second.heads.isEmpty)
    #expect(second.response?.validators == validators)
    try folder.write("other", to: "feed.xml")
    #expect(try fetch(path, validators: validators).body == "other")
    try setModificationTime(of: path, seconds: 1_000_000_000)
    #expect(try fetch(path, validators: validators).body == "other")
  }

  @Test("a pipe is read to its end, and one that nobody writes to is given up")
  func pipes() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("pipe")
    try makePipe(path)
    let writer = try TestThread { try? writeFile(path, smallFeed.utf8) }
    #expect(try fetch(path).body == smallFeed)
    writer.join()
    let options = FetchOptions.quick.with { $0.stallTimeout = .milliseconds(100) }
    #expect(try fetch(path, options: options).words == "timed out after 0.1 s without a byte")
    let brief = FetchOptions.quick.with { $0.transferTimeout = .milliseconds(100) }
    #expect(try fetch(path, options: brief).words == "not finished after 0.1 s")
    let late = FetchOptions.quick.with { $0.deadline = .now + .milliseconds(50) }
    #expect(try fetch(path, options: late).error == .deadline)
  }

  @Test("files and the web are fetched together")
  func mixed() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("file", to: "feed.xml")
    let server = try FaultyServer { _ in .response(body: "web").keptAlive }
    let requests = (0..<40).map { number in
      FetchRequest(url: number.isMultiple(of: 2) ? path : server.url("/\(number)"))
    }
    let bodies = fetch(requests).map(\.body)
    #expect(bodies == (0..<40).map { $0.isMultiple(of: 2) ? "file" : "web" })
  }

  @Test(
    "other schemes are refused",
    arguments: [
      ("ftp://example.org/", "only http, https and file URLs can be fetched"),
      ("gopher://example.org/", "only http, https and file URLs can be fetched"),
      ("javascript:alert(1)", "only http, https and file URLs can be fetched"),
      ("http://", "not a URL that can be fetched"), ("https:///", "not a URL that can be fetched"),
      ("http://exa mple.org/", "not a URL that can be fetched"),
      ("http://[::1/", "not a URL that can be fetched"),
      ("http://example.org:99999/", "not a URL that can be fetched"),
    ],
  )
  func schemes(_ url: String, _ words: String) throws {
    #expect(try fetch(url).words == words)
  }
}
