/// A web page, of which only the feeds that it announces are wanted.
struct WebPage {
  private let url: String?
  init(url: String?) { self.url = url }
  mutating func take(_ bytes: UnsafeRawBufferPointer) {}
  func announcedFeeds() -> [AnnouncedFeed] { [] }
}
