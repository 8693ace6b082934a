package import FeedModel
package import FeedParsing
package import System

extension Feed: RecordValue {
  package static var blank: Feed { Feed(format: .rss20) }

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    coder.code(&format, among: FeedFormat.allCases)
    coder.code(&title, .line)
    coder.code(&link, .link)
    coder.code(&description, .line)
    coder.code(&language, .line)
    coder.code(&date)
    coder.code(&hints)
    coder.code(&newLocation, .webURL)
    coder.code(&icon, .webURL)
    coder.code(&olderPage, .webURL)
    coder.code(&items)
    coder.code(&lines)
    coder.code(&texts)
    coder.code(&isComplete)
    coder.code(&notes, .line)
    if !texts.isEmpty, texts.count != items.count { coder.fail() }
  }
}

extension StoryLines: RecordValue {
  package static var blank: StoryLines { StoryLines() }

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    var (bytes, count) = (bytes, Int?.none)
    coder.code(&bytes) {
      count = StoryLines.count(of: $0)
      return count != nil && RecordText.text.accepts($0.bindMemory(to: UInt8.self))
    }
    if coder.isReading { self = StoryLines(bytes, count: bytes.isEmpty ? 0 : count ?? 0) }
  }
}

extension UpdateHints: RecordValue {
  package static var blank: UpdateHints { UpdateHints() }

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    coder.code(&timeToLive, in: Int.min...Int.max)
    var (hours, days) = (skipHours.sorted(), skipDays.sorted())
    coder.code(&hours, in: 0...23)
    coder.code(&days, in: 0...6)
    (skipHours, skipDays) = (Set(hours), Set(days))
    coder.code(&updatePeriod)
    coder.code(&updateFrequency, in: 1...Int.max)
    coder.code(&updateBase)
    if updatePeriod ?? .zero < .zero { coder.fail() }
  }
}

extension StoryText: RecordValue {
  package static var blank: StoryText { StoryText(isHTML: false, bytes: []) }

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    coder.code(&isHTML)
    coder.code(&base, .base)
    coder.code(&bytes, RecordText.isSource)
    coder.code(&isCut)
  }
}

extension AnnouncedFeed: RecordValue {
  package static var blank: AnnouncedFeed { AnnouncedFeed(url: "") }

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    coder.code(&url, .webURL)
    coder.code(&title, .line)
    coder.code(&type, .line)
    coder.code(&evidence, among: Evidence.allCases)
  }
}

extension FeedParsingError: RecordValue {
  package static var blank: FeedParsingError { .empty }

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    coder.code(cases: &self)
  }
}
