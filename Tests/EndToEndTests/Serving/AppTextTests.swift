import TestSupport
import Testing

@Suite("What apps and sites get of a story's text")
struct AppTextTests {
  private let home: ServingHome

  init() throws {
    let news = try News()
    for name in ["hostile", "base", "pictures", "media", "track"] {
      _ = try news.run("subscribe", BuiltProduct.fixture("phones/\(name).xml"))
    }
    home = try ServingHome(news)
  }

  /// Returns the stories as JSON and Atom for apps, and as the feeds of a site.
  private func texts() throws -> [String] {
    let (app, known) = (try home.connection(), try home.authorization())
    let paths = [
      "/reader/api/0/stream/contents", "/reader/atom/user/-/state/com.google/reading-list",
    ]
    let served = paths.compactMap { app.ask("\($0)?output=json&n=100", headers: [known])?.body }
    _ = try home.news.run("publish", "site", "--url", "https://example.net/")
    let site = try ["atom.xml", "rss.xml", "feed.json"].map {
      try readText(home.news.folder.path("site/\($0)"))
    }
    return (served + site).map {
      $0.replacing("&lt;", with: "<").replacing("&gt;", with: ">")
        .replacing("&quot;", with: "\"").replacing("\\\"", with: "\"").replacing("\\n", with: "\n")
        .replacing("&#10;", with: "\n")
        .replacing("\\/", with: "/").replacing("&amp;", with: "&")
    }
  }

  @Test("nothing in it runs, asks for anything but pictures, or follows who reads")
  func clean() throws {
    for text in try texts() {
      for part in [
        "<script", "<style", "<form", "<meta", "<base", "<iframe", "javascript:", "/leak-script",
        "onerror=\"fetch('/", "http-equiv", "utm_", "pixel.gif",
      ] {
        #expect(!text.contains(part), "\(part)")
      }
      #expect(text.contains("title ＜img src=x onerror="))
      #expect(text.contains("plain ＜tag＞ a ＜ b ＆ c"))
    }
  }

  @Test("its links and pictures are absolute, by the base of its feed and by its own address")
  func absolute() throws {
    for text in try texts() {
      for url in [
        "deep/er/p2", "deep/red.png", "pictures/red.png", "media/blue.png", "media/v.mp4", "x?a=1",
        "hostile/x",
      ] {
        #expect(text.contains("=\"http://127.0.0.1:8410/\(url)\""), "\(url)")
      }
      for relative in ["=\"p2", "=\"../", "=\"red.png", "=\"/", "=\"#", "srcset"] {
        #expect(!text.contains(relative), "\(relative)")
      }
    }
  }

  @Test("its picture, audio and video stand above it once, and plain text keeps its lines")
  func media() throws {
    for text in try texts() {
      let picture = "<figure>\n<p><img src=\"http://127.0.0.1:8410/"
      #expect(text.count(of: picture + "red.png") == 3)
      #expect(text.count(of: picture + "blue.png") == 2)
      #expect(
        text.count(of: "<audio controls preload=\"none\" src=\"http://127.0.0.1:8410/e5.mp3\">")
          == 1
      )
      #expect(
        text.count(of: "<video controls preload=\"none\" src=\"http://127.0.0.1:8410/v.mp4\">") == 1
      )
      #expect(text.contains("First line<br>second line with "))
      #expect(text.contains("<p>Plain text with no tags<br>and two lines, 1 "))
    }
  }
}

extension String {
  fileprivate func count(of part: String) -> Int { ranges(of: part).count }
}
