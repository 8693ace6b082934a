internal import TestSupport

/// Feeds, the same in every run, served by nginx on loopback.
struct GeneratedSite {
  private let nginx: Nginx
  let urls: [String]

  /// When all of them were changed, as HTTP says it.
  static let date = "Mon, 21 Sep 2026 14:13:20 GMT"
  private static let seconds = 1_790_000_000

  init(feeds: Int, bytes: Int = 50_000) throws {
    nginx = try Nginx()
    var workload = Workload(seed: 7)
    var urls: [String] = []
    for number in 0..<feeds {
      let document = String(decoding: workload.rss(bytes: bytes), as: UTF8.self)
      let name = "\(number).xml"
      try nginx.serve(document, as: name)
      try setModificationTime(of: nginx.folder.path("www/\(name)"), seconds: Self.seconds)
      urls.append(nginx.url("/\(name)"))
    }
    self.urls = urls
  }
}
