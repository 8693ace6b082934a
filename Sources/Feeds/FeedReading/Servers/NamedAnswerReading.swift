import FeedModel
package import FeedParsing
package import System

/// An answer of an interface of plain JSON, by the names that its client says.
///
/// A list is a member of the document, or the document itself, which may be a single object, too. A
/// name such as `category.id` leads into an object.
package struct NamedAnswerReading: ServerBodyReading, Hashable, Sendable {
  package enum Name: Int, CaseIterable, Sendable {
    case list
    case id, url, title
    /// The folder of a feed, and the feed of a story.
    case folder, feed
    case guid, html, author, tags
    /// The times of the story, of its arrival, and of the last change of anything about it.
    case date, arrived, changed
    /// A member and its value where it is so, such as `status=read`.
    case read, starred
  }

  /// The end of the path of the call, such as `feeds`.
  package private(set) var path: String
  private var names: [String]
  /// The most elements; one more shows that there are too many.
  package var most: Int

  private static let mostFeeds = 10_000
  private var isOfStories: Bool { !names[Name.read.rawValue].isEmpty }

  package init(_ path: String, _ names: [Name: String]) {
    self.path = path
    self.names = Name.allCases.map { names[$0] ?? "" }
    most = Self.mostFeeds
  }

  package static var blank: NamedAnswerReading { NamedAnswerReading("", [:]) }

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    coder.code(&path, .own)
    coder.code(&names, .own)
    coder.code(&most, in: 0...Self.mostFeeds)
    if names.count != Name.allCases.count { coder.fail() }
  }

  package var kind: ReadingJob.Kind { .namedAnswer }
  /// At least so many as a story may have of anything.
  package var maximumCount: Int { max(most, 1_000) }
  package var words: String { "the answer to \(path)" }

  package func read(_ body: ForeignBytes) throws(FeedParsingError) -> ServerAnswer {
    var answer = ServerAnswer()
    var count = 0
    func add(_ value: JSONValue) {
      count += 1
      if count <= most { self.add(value, to: &answer) }
    }
    let (document, list) = (JSONDocument(body.bytes), names[Name.list.rawValue])
    let rest = try list.isEmpty ? document.value() : document.forEachElement(of: list, add)
    guard let rest else {
      answer.fault = "\(words) is no JSON, or breaks off"
      return answer
    }
    switch list.isEmpty ? rest : rest[list] ?? .bool(false) {
    case .array(let elements): elements.forEach(add)
    case .object where list.isEmpty: add(rest)
    case .null: break
    default: answer.fault = "\(words) is no list"
    }
    if count > most { answer.fault = "refused: \(words) has over \(most) elements" }
    return answer
  }

  private func add(_ value: JSONValue, to answer: inout ServerAnswer) {
    guard let id = text(.id, value), let number = UInt64(id), number < 1 << 53 else {
      answer.fault = "\(words) has ids that are not understood"
      return
    }
    guard isOfStories else {
      let tags = [text(.folder, value)].compactMap(\.self)
      let url = text(.url, value) ?? ""
      answer.feeds.append(
        ServerSubscription(received: id, url, text(.title, value) ?? "", tags)
      )
      return
    }
    var content = ForeignStory()
    (content.guid, content.title) = (text(.guid, value), text(.title, value))
    (content.link, content.html) = (text(.url, value), text(.html, value))
    content.author = text(.author, value)
    content.categories = (self[.tags, value]?.elements ?? []).prefix(1_000).compactMap(\.text)
    (content.isRead, content.isStarred) = (isSet(.read, value), isSet(.starred, value))
    let date = date(.date, value)
    content.date = date.map(RFC3339.string)
    var story = ServerStory(ServerItemID(low: number), of: text(.feed, value) ?? "", content)
    story.date = date.map(\.wholeSeconds)
    (story.arrived, story.changed) = (self.date(.arrived, value), self.date(.changed, value))
    answer.stories.append(story)
  }

  private subscript(_ name: Name, _ value: JSONValue) -> JSONValue? {
    let path = names[name.rawValue]
    // PERF: nearly all names are one word, and each story asks for a dozen.
    guard path.utf8.contains(UInt8(ascii: ".")) else { return path.isEmpty ? nil : value[path] }
    return path.split(separator: ".").reduce(value) { $0?[String($1)] }
  }

  private func text(_ name: Name, _ value: JSONValue) -> String? {
    self[name, value]?.text.flatMap { $0.isEmpty ? nil : $0 }
  }

  private func isSet(_ name: Name, _ value: JSONValue) -> Bool {
    let parts = names[name.rawValue].split(separator: "=")
    return parts.count == 2 && value[String(parts[0])]?.text == String(parts[1])
  }

  /// Returns a time in RFC 3339, or in seconds since 1970.
  private func date(_ name: Name, _ value: JSONValue) -> Date? {
    text(name, value).flatMap { text in
      Double(text).map(UnixTime.date) ?? FeedDate.date(text)
    }
  }
}
