import FeedModel
package import FeedParsing
package import System

package protocol ServerBodyReading: BodyReading where Value == ServerAnswer {
  var words: String { get }
}

package struct ServerAnswerReading: ServerBodyReading {
  /// A request, by the end of its path.
  package enum Request: String, CaseIterable {
    case user = "user-info"
    case tags = "tag/list"
    case feeds = "subscription/list"
    case ids = "stream/items/ids"
    case stories = "stream/items/contents"
  }

  private var request: Request
  /// The most ids of stories; one more shows that there are too many.
  private var mostIDs: Int

  /// Limits that no honest server comes near.
  private static let (mostFeeds, mostTags) = (10_000, 50_000)
  package static let mostStories = 250

  package init(_ request: Request, ids mostIDs: Int) {
    (self.request, self.mostIDs) = (request, mostIDs)
  }

  package static var blank: ServerAnswerReading { ServerAnswerReading(.user, ids: 0) }

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    coder.code(&request, among: Request.allCases)
    coder.code(&mostIDs, in: 0...Int.max - 1)
  }

  package var kind: ReadingJob.Kind { .serverAnswer }
  /// At least so many as a story may have of anything.
  package var maximumCount: Int { max(list.most, 1_000) }

  /// The name of the list in the answer, the words for it, and its length.
  private var list: (name: String, words: String, most: Int) {
    switch request {
    case .user: ("", "", 0)
    case .tags: ("tags", "tags", Self.mostTags)
    case .feeds: ("subscriptions", "feeds", Self.mostFeeds)
    case .ids: ("itemRefs", "stories", mostIDs + 1)
    case .stories: ("items", "stories", Self.mostStories)
    }
  }

  package var words: String { "the answer to \(request.rawValue)" }

  package func read(_ body: ForeignBytes) throws(FeedParsingError) -> ServerAnswer {
    var answer = ServerAnswer()
    var count = 0
    let rest = try JSONDocument(body.bytes).forEachElement(of: list.name) { value in
      count += 1
      if count <= list.most { add(value, to: &answer) }
    }
    guard let rest else {
      answer.fault = "\(words) is no JSON, or breaks off"
      return answer
    }
    answer.user = rest["userId"]?.text.map { SafeText.line($0) }
    answer.next = rest["continuation"]?.text.flatMap { $0.isEmpty ? nil : $0 }
    switch rest[list.name] {
    case .array: break
    case .null where request != .stories: break
    default: if request != .user { answer.fault = "\(words) is no list of \(list.words)" }
    }
    if request == .feeds, count > list.most {
      answer.fault = "refused: number of feeds over \(list.most)"
    }
    return answer
  }

  private func add(_ value: JSONValue, to answer: inout ServerAnswer) {
    switch request {
    case .user: break
    case .tags:
      guard let name = Self.label(value) else { return }
      let isOfStories = value["type"]?.text == "tag"
      if isOfStories { answer.labels.append(name) } else { answer.folders.append(name) }
    case .feeds: if let feed = Self.feed(of: value) { answer.feeds.append(feed) }
    case .ids:
      let id = value["id"]?.text.flatMap { ServerItemID($0) }
      if let id {
        answer.ids.append(id)
      } else {
        answer.fault = "\(words) has ids that are not understood"
      }
    case .stories: if let story = Self.story(value) { answer.stories.append(story) }
    }
  }

  /// Returns nil for an entry without a URL, such as a saved search, or another home's command.
  private static func feed(of value: JSONValue) -> ServerSubscription? {
    guard let stream = value["id"]?.text, stream.utf8.count <= SyncKey.maximumText else {
      return nil
    }
    let name = stream.hasPrefix("feed/") ? String(stream.dropFirst(5)) : ""
    let given = value["url"]?.text ?? ""
    guard given != stream, let url = given.isEmpty ? name.web : given else {
      return nil
    }
    let labels = (value["categories"]?.elements ?? []).prefix(64).compactMap(label)
    let tags = labels.distinct(by: \.self)
    return ServerSubscription(received: stream, url, value["title"]?.text ?? "", tags)
  }

  private static func label(_ category: JSONValue) -> String? {
    let id = category["id"]?.text ?? ""
    let name =
      category["label"]?.text ?? id.firstRange(of: "/label/").map { String(id[$0.upperBound...]) }
    return ServerSubscription.tag(name ?? "")
  }

  private static func story(_ item: JSONValue) -> ServerStory? {
    guard let id = item["id"]?.text.flatMap({ ServerItemID($0) }) else { return nil }
    var story = ServerStory(id, of: item["origin"]?["streamId"]?.text ?? "", ForeignStory(item))
    let date = item["published"]?.text.flatMap { Double($0) }
    story.date = date.flatMap { Int(exactly: $0.rounded(.down)) }
    story.arrived = item["crawlTimeMsec"]?.text.flatMap { Double($0) }.map {
      Date(timeIntervalSince1970: $0 / 1_000)
    }
    return story
  }
}

/// A story in Google Reader's form, with its marks there.
extension ForeignStory {
  package init(_ item: JSONValue) {
    self.init()
    guid = item["guid"]?.text
    title = item["untitled"] == .bool(true) ? nil : item["title"]?.text
    let links = (item["canonical"]?.elements ?? []) + (item["alternate"]?.elements ?? [])
    link = links.lazy.compactMap { $0["href"]?.text }.first { !$0.isEmpty }
    html = item["content"]?["content"]?.text ?? item["summary"]?["content"]?.text
    date = item["published"]?.text.flatMap { Double($0) }.flatMap(UnixTime.text)
    author = item["author"]?.text
    let categories = (item["categories"]?.elements ?? []).compactMap(\.text)
    self.categories = Array(categories.filter { !$0.hasPrefix("user/") }.prefix(1_000))
    isRead = categories.contains { Self.isState($0, "read") }
    isStarred = categories.contains { Self.isState($0, "starred") }
  }

  /// Returns whether a category is `user/-/state/com.google/…`, with any user: others may be a feed's.
  private static func isState(_ category: String, _ name: String) -> Bool {
    let parts = category.split(separator: "/", omittingEmptySubsequences: false)
    return parts.count == 5 && parts[0] == "user" && !parts[1].isEmpty
      && parts[2...] == ["state", "com.google", name[...]]
  }
}

extension String {
  fileprivate var web: String? { WebURL.resolve(self, against: nil) }
}
