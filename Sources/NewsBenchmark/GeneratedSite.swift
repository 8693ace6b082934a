internal import TestSupport

/// Feeds of 50 KB, the same in every run, served by nginx on loopback.
struct GeneratedSite {
  private let nginx: Nginx
  let urls: [String]

  init(feeds: Int) throws {
    nginx = try Nginx()
    var workload = Workload(seed: 7)
    var urls: [String] = []
    for number in 0..<feeds {
      let document = String(decoding: workload.rss(bytes: 50_000), as: UTF8.self)
      try nginx.serve(document, as: "\(number).xml")
      urls.append(nginx.url("/\(number).xml"))
    }
    self.urls = urls
  }
}
