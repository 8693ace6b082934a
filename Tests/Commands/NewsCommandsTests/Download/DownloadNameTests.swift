import TestSupport
import Testing

@testable import System

@Suite("download --name and --playlist")
struct DownloadNameTests {
  private let home: EpisodeHome

  init() throws {
    home = try EpisodeHome()
    for path in ["/a.mp3", "/b.mp3"] { home.answer(path) { EpisodeHome.serve($0) } }
    home.follow([("/a.mp3", 300_000), ("/b.mp3", nil)])
  }

  @Test(
    "a slash of the template makes a folder, one of a title none, and nothing leads out",
    arguments: [
      ("{feed}/{date:%F} {title}", "Talks/2026-10-28 Talk a.mp3.mp3"),
      ("{date:%Y/%m}/{title:6}", "2026/10/Talk….mp3"),
      ("{guid}", "a.mp3.mp3"), ("{author}/{author}", "untitled.mp3"),
      (".hidden/{title}", "hidden/Talk a.mp3.mp3"), ("x/...{author}/y", "x/untitled/y.mp3"),
      ("a//b/", "a/b.mp3"),
    ],
  )
  func names(_ template: String, _ path: String) throws {
    #expect(home.download("1", "--name", template).output == "\(home.downloads)/\(path)\n")
    #expect(try home.file(path) == EpisodeHome.bytes)
    #expect(home.news("list", "-n1", "--format", "{file}").output == "\(home.downloads)/\(path)\n")
    home.news("read", "1")
    #expect(home.download("--clean", "--yes").output == "\(home.downloads)/\(path)\n")
    // The folders that were made for the file go, too.
    let first = path.prefix { $0 != "/" }
    #expect(FileStatus(at: "\(home.downloads)/\(first)") == nil)
    #expect(FileStatus(at: home.downloads) != nil)
  }

  @Test(
    "a template that leads elsewhere, or is none, is refused",
    arguments: ["/abs/{title}", "../{title}", "a/../b", "", "{titel}", "a/b/c/d/e/f/g/h/i/j"],
  )
  func refused(_ template: String) {
    let result = home.download("1", "--name", template)
    #expect(result.status == 64 && result.errors.hasPrefix("news: --name"))
    #expect(home.names == [])
  }

  @Test("names that are taken get a number, and a file that was begun keeps its name")
  func taken() throws {
    let result = home.download("1-2", "--name", "{feed}/same")
    #expect(result.status == 0)
    #expect(
      Set(result.output.split(separator: "\n").map(String.init))
        == ["\(home.downloads)/Talks/same.mp3", "\(home.downloads)/Talks/same (2).mp3"]
    )
    let again = home.download("1", "--name", "{title}").output
    #expect(again.hasPrefix("\(home.downloads)/Talks/same"))
    #expect(home.names == ["Talks"])
  }

  @Test("what was cut off in a folder goes on there, and goes with --clean once its story is gone")
  func resumed() throws {
    home.answer("/a.mp3") { [home] request in
      home.server.requests(for: "/a.mp3").count == 1
        ? EpisodeHome.serve(request, upTo: 1_000) : FaultyAnswer([.reset])
    }
    #expect(home.download("1", "--name", "{feed}/{title}").status == 1)
    #expect(try home.file("Talks/Talk a.mp3.mp3.part").count == 1_000)
    home.answer("/a.mp3") { EpisodeHome.serve($0) }
    #expect(home.download("1", "--name", "other").output.hasSuffix("/Talks/Talk a.mp3.mp3\n"))
    #expect(home.ranges.last == "bytes=1000-")
    home.news("clear", "--yes")
    #expect(home.download("--clean", "--yes").errors.hasPrefix("1 file deleted"))
  }

  @Test("no link in the place of a folder is followed")
  func link() throws {
    #expect(mkdir(home.downloads, 0o700) == 0)
    #expect(mkdir(home.news.folder.path("outside"), 0o700) == 0)
    #expect(symlink("../outside", home.downloads + "/Talks") == 0)
    let result = home.download("1", "--name", "{feed}/{title}")
    #expect(result.errors.contains("\(home.downloads)/Talks is a symbolic link, not a folder"))
    #expect(result.status == 1)
    #expect(POSIX.names(inFolder: home.news.folder.path("outside"))?.sorted() == [".", ".."])
  }

  @Test("a playlist has what is saved, in order, by paths from where it lies")
  func playlist() throws {
    let list = home.news.folder.path("saved/list.m3u8")
    #expect(home.download("1", "--name", "#{feed}/x").status == 0)
    let words = ["--feed", "Talks", "--name", "{feed}/y", "--playlist", list]
    let result = home.news.run(["download", "--to", home.downloads] + words)
    #expect(result.output == "\(home.downloads)/Talks/y.mp3\n")
    let expected = """
      #EXTM3U
      #EXTINF:-1,Talks - Talk a.mp3
      ./#Talks/x.mp3
      #EXTINF:-1,Talks - Talk b.mp3
      Talks/y.mp3

      """
    #expect(try readText(list) == expected)
    #expect(POSIX.names(inFolder: home.downloads)?.contains { $0.hasSuffix(".new") } == false)
    let elsewhere = home.news.folder.path("list.m3u8")
    home.news.run(["download", "--to", home.downloads] + words.dropLast() + [elsewhere])
    #expect(try readText(elsewhere).contains("\nsaved/Talks/y.mp3\n"))
    try makeFolder(home.news.folder.path("other"))
    let outside = home.news.folder.path("other/list.m3u8")
    home.news.run(["download", "--to", home.downloads] + words.dropLast() + [outside])
    #expect(try readText(outside).contains("\n\(home.downloads)/Talks/y.mp3\n"))
  }

  @Test("a playlist is replaced, another file never is, and --clean makes none")
  func replaced() throws {
    let path = try home.news.folder.write("mine", to: "list.m3u8")
    let refused = home.download("1", "--playlist", path)
    #expect(refused.errors.hasSuffix("news: \(path) is no playlist, and is not replaced\n"))
    #expect(refused.status == 1)
    #expect(try readText(path) == "mine")
    try home.news.folder.write("#EXTM3U\nold\n", to: "list.m3u8")
    #expect(home.download("1", "--playlist", path).status == 0)
    #expect(try readText(path).hasPrefix("#EXTM3U\n#EXTINF:-1,Talks - Talk a.mp3\nsaved/"))
    #expect(home.download("--clean", "--yes", "--playlist", path).status == 64)
    #expect(home.download("1", "--playlist", "").status == 64)
  }
}
