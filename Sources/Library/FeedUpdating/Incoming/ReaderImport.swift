internal import CommandLine
import FeedLibrary
import FeedModel
import FeedParsing
internal import FeedReading
import System

/// The stories in a JSON document: those of `news export --json` and `news list --json`, entries of
/// miniflux's API, or items in Google Reader's form, as FreshRSS writes them.
package struct ReaderImport: ImportSource {
  let name: String
  private let document: JSONDocument

  /// Reads bytes that must outlive the value.
  package init(_ bytes: UnsafeRawBufferPointer, name: String) {
    document = JSONDocument(bytes)
    self.name = name
  }

  package func index(_ note: (ImportedFeed?, _ key: Int?) throws -> Void) throws -> Bool {
    var isKnown = false
    var failure: (any Error)?
    func tell(_ feed: ImportedFeed?, _ key: Int?) {
      guard failure == nil else { return }
      isKnown = isKnown || feed != nil
      do { try note(feed, key) } catch { failure = error }
    }
    let isWhole = try reading { () throws(FeedParsingError) in
      try document.forEachElement { member, start, value throws(FeedParsingError) in
        switch member {
        case "subscriptions": if let feed = Self.subscription(value) { tell(feed, nil) }
        case "stories", "entries", "items", "": tell(Self.feed(of: value, in: member), start)
        default: break
        }
      }
    }
    if let failure { throw failure }
    guard let isWhole, isKnown else {
      throw Failure("\(name): no stories that say which feed they are of", status: .notAFeed)
    }
    return isWhole
  }

  package func stories(_ keys: [Int], of feed: String) throws -> StoryBatch {
    var (own, foreign) = (StoryBatch(), ForeignStories())
    for key in keys {
      let value = try reading { () throws(FeedParsingError) in try document.element(at: key) }
      if value["feeds"] != nil {
        own.add(value)
      } else if value["feed"] != nil {
        Self.addEntry(value, to: &foreign)
      } else {
        foreign.add(ForeignStory(value))
      }
      try StoryBatch.check(own.size + foreign.size, of: feed)
    }
    return own.items.isEmpty ? try foreign.batch(of: feed, in: name) : own
  }

  private func reading<R>(_ body: () throws(FeedParsingError) -> R) throws -> R {
    do throws(FeedParsingError) { return try body() } catch {
      throw Failure("\(name): \(error)")
    }
  }

  // MARK: Feeds

  private static func subscription(_ value: JSONValue) -> ImportedFeed? {
    guard let url = value["url"]?.text else { return nil }
    let (title, own) = (value["title"]?.text, value["feedTitle"]?.text)
    var feed = ImportedFeed(
      url: url,
      title: title == own ? nil : title,
      ownTitle: own,
      tags: value.lines("tags", 64),
    )
    let deleted = (value["deleted"]?.elements ?? []).prefix(ClearedHashes.most)
    feed.cleared = deleted.compactMap { $0.text.flatMap { ItemID.number(of: $0.utf8) } }
    return feed
  }

  private static func feed(of story: JSONValue, in member: String) -> ImportedFeed? {
    if let feeds = story["feeds"] {
      // An export names the followed feeds by itself.
      return feeds.elements.first?.text.map { ImportedFeed(url: $0, isFollowed: member.isEmpty) }
    }
    if let feed = story["feed"] {
      let category = feed["category"]?["title"]?.text.map { [FolderTag.tag([$0])] }
      return feed["feed_url"]?.text.map {
        ImportedFeed(
          url: $0,
          ownTitle: feed["title"]?.text,
          link: feed["site_url"]?.text,
          tags: category ?? [],
        )
      }
    }
    guard let origin = story["origin"] else { return nil }
    let stream = origin["streamId"]?.text.map {
      $0.hasPrefix("feed/") ? String($0.dropFirst(5)) : $0
    }
    return (origin["feedUrl"]?.text ?? stream).map {
      ImportedFeed(url: $0, ownTitle: origin["title"]?.text, link: origin["htmlUrl"]?.text)
    }
  }

  // MARK: Stories of other programs

  private static func addEntry(_ entry: JSONValue, to foreign: inout ForeignStories) {
    let status = entry["status"]?.text
    var story = ForeignStory()
    story.title = entry["title"]?.text
    story.link = entry["url"]?.text
    story.html = entry["content"]?.text
    story.date = entry["published_at"]?.text
    story.author = entry["author"]?.text
    story.categories = (entry["tags"]?.elements ?? []).compactMap(\.text)
    story.enclosures = (entry["enclosures"]?.elements ?? []).compactMap { file in
      let length = file["size"]?.text.flatMap { Int64($0) }
      return file["url"]?.text.map {
        Enclosure(url: $0, type: file["mime_type"]?.text, length: length)
      }
    }
    (story.isRead, story.isDeleted) = (status == "read", status == "removed")
    story.isStarred = entry["starred"] == .bool(true)
    foreign.add(story)
  }
}

// MARK: Stories of another home

extension StoryBatch {
  fileprivate mutating func add(_ story: JSONValue) {
    var fields = ExportedFields(story: story)
    var details = ItemDetails().coded(by: &fields)
    var original = Self.original(story, &fields)
    let (text, article) = Self.texts(story, isArticle: original.article.isShown)
    if let article { original.article.number = Int(article.number) }
    details.textNumber = text?.number ?? 0
    items.append(
      Item(
        title: story.line("title") ?? "",
        link: story.line("link").flatMap { SafeLink.isSafe($0) ? $0 : nil } ?? "",
        pubDate: story.line("pubDate") ?? "",
        date: details.date,
        guid: story.line("guid", atMost: 4_096),
        summary: story.line("summary"),
        details: details,
      )
    )
    texts.append(text)
    articles.append(article)
    size += (text?.bytes.count ?? 0) + (article?.bytes.count ?? 0)
    originals.append(original)
  }

  /// The feed's text and its page's article; an article alone takes the text's place.
  private static func texts(
    _ story: JSONValue,
    isArticle: Bool,
  ) -> (own: StoryText?, article: StoryText?) {
    let (shown, hidden) = (text(story), story["hiddenText"]?.elements.first.flatMap(text))
    guard isArticle else { return (shown, hidden) }
    return hidden == nil ? (shown, nil) : (hidden, shown)
  }

  private static func text(_ story: JSONValue) -> StoryText? {
    let html = story["html"]?.text
    guard let text = html ?? story["text"]?.text, !text.isEmpty else { return nil }
    let bytes = text.utf8.prefix(ForeignStory.maximumText)
    let base = story.line("base").flatMap { SafeLink.isSafe($0) ? $0 : nil }
    return StoryText(
      isHTML: html != nil,
      base: base,
      bytes: Array(bytes),
      isCut: story.isTrue("cut"),
    )
  }

  private static func original(_ story: JSONValue, _ fields: inout ExportedFields) -> StoredItem {
    var original = ImportedStory.original.coded(by: &fields)
    original.article.number = 0
    original.feeds = (story["feeds"]?.elements ?? []).dropFirst().prefix(
      ExportedFields.mostElements
    )
    .compactMap(\.text)
    // Files of another machine are not here.
    original.file = original.file.flatMap { FileStatus(at: $0)?.kind == .file ? $0 : nil }
    return original
  }
}

private struct ExportedFields: StoryCoder {
  typealias Failure = Never

  let story: JSONValue
  static let mostElements = 64

  func flag(_ field: ItemField, _: Bool) -> Bool { story.isTrue(field.name) }
  func date(_ field: ItemField, _: Date?) -> Date? { story.date(field.name) }

  func text(_ field: ItemField, _: String?) -> String? {
    guard SyncKey.StoryMark.texts.contains(where: { $0.textField == field }) else {
      return story.line(field.name)
    }
    return story.line(field.name, atMost: SyncKey.maximumText)
      .flatMap { SyncKey.isLine($0) ? $0 : nil }
  }

  func number(_ field: ItemField, _: Int?) -> Int? {
    story[field.name]?.text.flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
  }

  func texts(_ field: ItemField, _: [String]) -> [String] {
    story.lines(field.name, Self.mostElements)
  }

  func parts<Part: ItemPart>(_ field: ItemField, _: [Part]) -> [Part] {
    (story[field.name]?.elements ?? []).prefix(Part.maximumCount).compactMap { value in
      var reader = ExportedPart(value: value)
      return Part().coded(by: &reader)
    }
  }

  func matches(_ field: ItemField, _: [StoryMatch]) -> [StoryMatch] {
    elements(field).compactMap { value in
      guard let date = value.date("date"), let feed = value.line("feed"),
        let rule = value["by"]?.text.flatMap(StoryMatch.Rule.init)
      else { return nil }
      return StoryMatch(feed: feed, rule: rule, date: date)
    }
  }

  func changes(_ field: ItemField, _: ItemField, _: [StoryChange]) -> [StoryChange] {
    let changes = Array(elements(field))
    return StoryChange.Part.allCases.compactMap { part in
      let change = changes.first { $0["part"]?.text == part.rawValue }
      return change.flatMap { value in
        value.date("date").map { StoryChange(part: part, date: $0, was: value.line("was")) }
      }
    }
  }

  private func elements(_ field: ItemField) -> some Sequence<JSONValue> {
    (story[field.name]?.elements ?? []).prefix(Self.mostElements)
  }
}

private struct ExportedPart: PartCoder {
  let value: JSONValue

  func text(_ key: String, _: String?) -> String? { value.line(key) }
  func link(_ key: String, _: String?) -> String? {
    value[key]?.text.flatMap { SafeLink.isSafe($0) ? $0 : nil }
  }
  func number(_ key: String, _: Int?) -> Int? { value[key]?.text.flatMap { Int($0) } }
}

extension JSONValue {
  /// A printable line, no longer than a feed may bring; nil if there is none.
  fileprivate func line(_ name: String, atMost limit: Int = 2_000) -> String? {
    guard let text = self[name]?.text else { return nil }
    let line = SafeText.prefix(SafeText.line(text), maximumCharacters: limit)
    return line.isEmpty ? nil : line
  }

  fileprivate func lines(_ name: String, _ most: Int) -> [String] {
    (self[name]?.elements ?? []).prefix(most).compactMap(\.text).map { text in
      SafeText.prefix(SafeText.line(text), maximumCharacters: 300)
    }.filter { !$0.isEmpty }
  }

  fileprivate func date(_ name: String) -> Date? {
    self[name]?.text.flatMap(FeedDate.date)
  }

  fileprivate func isTrue(_ name: String) -> Bool {
    self[name] == .bool(true)
  }
}
