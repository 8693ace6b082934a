import System
import Testing

@testable import FeedModel

@Suite("The details of an item")
struct ItemDetailsTests {
  private static let full: ItemDetails = {
    var details = ItemDetails()
    details.date = Date(timeIntervalSinceReferenceDate: -0.5)
    details.guidIsPermaLink = true
    details.textNumber = .min
    details.author = "Zoë"
    details.comments = "https://example.com/1#comments"
    (details.season, details.episode) = (2, .max)
    details.categories = ["one", ""]
    details.enclosures = [
      Enclosure(url: "https://example.com/1.mp3", type: "audio/mpeg", length: 7, duration: 61)
    ]
    details.related = [
      RelatedFile(
        role: .transcript,
        url: "https://example.com/1.vtt",
        type: "text/vtt",
        length: 8,
        language: "en",
      )
    ]
    details.chapters = [
      Chapter(start: 0, title: "Intro", url: "https://example.com/1"),
      Chapter(start: 61, title: "Ö"),
    ]
    details.people = [
      Person(name: "Ida", url: "https://example.com/ida"), Person(name: "Bo", role: "guest"),
    ]
    return details
  }()

  @Test("all of them, and none, come back as they were packed")
  func packing() {
    let values = { (details: ItemDetails) in Mirror(reflecting: details).children.map { "\($0)" } }
    for (set, unset) in zip(values(Self.full), values(ItemDetails())) {
      #expect(set != unset, "the test sets it")
    }
    for details in [Self.full, ItemDetails()] {
      let item = Item(title: "title", summary: "summary", details: details)
      item.withContents { contents in
        #expect(contents.details == details)
        #expect(contents.date == details.date)
        #expect(contents.guidIsPermaLink == details.guidIsPermaLink)
        #expect(contents.textNumber == details.textNumber)
      }
      #expect(item.title == "title")
      #expect(item.summary == "summary")
    }
  }

  private struct Recorder: StoryCoder {
    typealias Failure = Never

    var fields: [ItemField] = []

    private mutating func noted<Value>(_ field: ItemField, _ value: Value) -> Value {
      fields.append(field)
      return value
    }

    mutating func flag(_ field: ItemField, _ value: Bool) -> Bool { noted(field, value) }
    mutating func number(_ field: ItemField, _ value: Int?) -> Int? { noted(field, value) }
    mutating func date(_ field: ItemField, _ value: Date?) -> Date? { noted(field, value) }
    mutating func text(_ field: ItemField, _ value: String?) -> String? { noted(field, value) }
    mutating func texts(_ field: ItemField, _ value: [String]) -> [String] { noted(field, value) }
    mutating func parts<Part: ItemPart>(_ field: ItemField, _ value: [Part]) -> [Part] {
      noted(field, value)
    }
    mutating func matches(_ field: ItemField, _ value: [StoryMatch]) -> [StoryMatch] {
      noted(field, value)
    }
    mutating func changes(
      _ dates: ItemField,
      _ previous: ItemField,
      _ value: [StoryChange],
    ) -> [StoryChange] {
      noted(dates, noted(previous, value))
    }
  }

  @Test("every key is of one field of a story")
  func keys() {
    var recorder = Recorder()
    _ = Self.full.coded(by: &recorder)
    _ = StoredItem(id: "", item: Item(), feeds: [], stored: nil).coded(by: &recorder)
    let texts: [ItemField] = [.title, .pubDate, .link, .guid, .summary]
    #expect(recorder.fields.count + texts.count == ItemField.allCases.count)
    #expect(Set(recorder.fields + texts) == Set(ItemField.allCases))
    for field in ItemField.allCases { #expect(ItemField(name: field.name) == field) }
    #expect(ItemField(name: "other") == nil)
  }
}
