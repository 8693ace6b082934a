package import FeedModel
package import FeedParsing
package import System

extension Feed: RecordValue {
  package static var blank: Feed { Feed(format: .rss20) }

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    coder.code(&format, among: FeedFormat.allCases)
    coder.code(&title)
    coder.code(&link)
    coder.code(&description)
    coder.code(&language)
    coder.code(&date)
    coder.code(&hints)
    coder.code(&newLocation)
    coder.code(&items)
    coder.code(&texts)
    coder.code(&isComplete)
    coder.code(&notes)
    if !texts.isEmpty, texts.count != items.count { coder.fail() }
  }
}

extension UpdateHints: RecordValue {
  package static var blank: UpdateHints { UpdateHints() }

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    coder.code(&timeToLive)
    skipHours = Set(coder.code(constant: skipHours.sorted()))
    skipDays = Set(coder.code(constant: skipDays.sorted()))
    coder.code(&updatePeriod)
    coder.code(&updateFrequency)
    coder.code(&updateBase)
    let isSound =
      skipHours.allSatisfy { (0...23).contains($0) } && skipDays.allSatisfy { (0...6).contains($0) }
    if !isSound || updateFrequency ?? 1 < 1 || updatePeriod ?? .zero < .zero { coder.fail() }
  }
}

extension Item: RecordValue {
  package static let blank = Item()

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    coder.code(&self, { $0.withPacked($1) }, { Item(packed: $0) })
  }
}

extension StoryText: RecordValue {
  package static var blank: StoryText { StoryText(isHTML: false, bytes: []) }

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    coder.code(&isHTML)
    coder.code(&base)
    coder.code(&bytes)
    coder.code(&isCut)
  }
}

extension AnnouncedFeed: RecordValue {
  package static var blank: AnnouncedFeed { AnnouncedFeed(url: "") }

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    coder.code(&url)
    coder.code(&title)
    coder.code(&type)
    coder.code(&evidence, among: Evidence.allCases)
    if !url.isEmpty, !WebURL.isWeb(url) { coder.fail() }
  }
}

extension FeedParsingError: RecordValue {
  package static var blank: FeedParsingError { .empty }

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    var (kind, number, text, feeds) = parts
    coder.code(&kind)
    coder.code(&number)
    coder.code(&text)
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
    case 10: self = .resourcesExhausted
    default: coder.fail()
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
