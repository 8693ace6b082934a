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
    coder.code(&items)
    coder.code(&texts)
    coder.code(&isComplete)
    coder.code(&notes, .line)
    if !texts.isEmpty, texts.count != items.count { coder.fail() }
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
    var (kind, number, text, feeds) = parts
    coder.code(&kind, in: 0...10)
    coder.code(&number, in: 0...Int.max)
    coder.code(&text, .line)
    coder.code(&feeds)
    switch kind {
    case 0: self = .empty
    case 1: self = .webPage(announced: feeds)
    case 2: self = .notAFeed(root: text)
    case 3: self = .unrecognized
    case 4: self = .malformed(line: number, reason: text)
    case 5: self = .declarationRefused(kind: text)
    case 6: self = .limitExceeded(name: text, limit: number)
    case 7: self = .unsupportedEncoding(text)
    case 8: self = .library(LibraryFault(number == 0 ? .xml2 : .zlib, text))
    case 9: self = .readerEnded
    default: self = .resourcesExhausted
    }
  }

  private var parts: (kind: Int, number: Int, text: String, feeds: [AnnouncedFeed]) {
    switch self {
    case .empty: (0, 0, "", [])
    case .webPage(let feeds): (1, 0, "", feeds)
    case .notAFeed(let root): (2, 0, root, [])
    case .unrecognized: (3, 0, "", [])
    case .malformed(let line, let reason): (4, line, reason, [])
    case .declarationRefused(let kind): (5, 0, kind, [])
    case .limitExceeded(let name, let limit): (6, limit, name, [])
    case .unsupportedEncoding(let name): (7, 0, name, [])
    case .library(let fault): (8, fault.library == .xml2 ? 0 : 1, fault.reason, [])
    case .readerEnded: (9, 0, "", [])
    case .resourcesExhausted: (10, 0, "", [])
    }
  }
}
