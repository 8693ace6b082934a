internal import TestSupport

/// Feeds from a fixed seed, served by nginx on loopback.
struct GeneratedSite {
  private let nginx: Nginx
  let urls: [String]

  /// The time of the last change of all feeds, as an HTTP date.
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
