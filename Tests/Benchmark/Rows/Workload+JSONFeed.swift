extension Workload {
  /// Returns a JSON Feed 1.1 of at least `bytes` bytes, as `rss` and `atom` do.
  mutating func jsonFeed(bytes: Int) -> [UInt8] {
    var document = Array(Self.jsonFeedHead.utf8)
    var number = 0
    while document.count < bytes {
      if number > 0 { document += ",\n".utf8 }
      document += jsonFeedItem(number).utf8
      number += 1
    }
    document += "\n]}\n".utf8
    return document
  }

  private mutating func jsonFeedItem(_ number: Int) -> String {
    let time = "\(Self.two(number / 60 % 24)):\(Self.two(number % 60)):00Z"
    return #"""
      {
        "id": "tag:example.org,2026:item-\#(number)",
        "url": "https://www.example.org/item/\#(number)",
        "title": "\#(sentence(words: 9)) & \#(pick(Self.words)) caf\u00e9",
        "content_html": "<p>\#(sentence(words: 40))<br/>\n<a href=\"https://www.example.org/\">\#
      \#(pick(Self.words))</a></p>",
        "date_published": "2026-10-\#(Self.two(1 + number / 1_440 % 28))T\#(time)",
        "authors": [{"name": "\#(pick(Self.words)) \#(pick(Self.words))"}],
        "tags": ["technology"]
      }
      """#
  }

  private static let jsonFeedHead = """
    {
    "version": "https://jsonfeed.org/version/1.1",
    "title": "Technology",
    "home_page_url": "https://www.example.org/",
    "items": [

    """
}
