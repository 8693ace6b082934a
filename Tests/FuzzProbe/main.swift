import FeedFetching
import FeedModel
import FeedParsing
import FeedReading
import FeedStorage
import HTMLParsing
import HTMLText
import PropertyLists
import System
import TestSupport

// Reads good documents that chance has damaged, as long as none of them does harm.
//
//   FuzzProbe READER ROUNDS SEED LAST FILE...
//
// READER is feed, html, opml, plist or record; SEED decides about all that chance does. The document that is being
// read is always in the file LAST: after a crash it is the one that did it.
let arguments = CommandLine.arguments

/// Reads one document; an error is as good as a value, but a value has to be consistent.
typealias Reader = ([UInt8]) throws -> Void

let readers: [String: Reader] = [
  // The document goes the way of a refresh: its stories wait in the spool, and come back unchanged.
  "feed": { document in
    let feed = try document.withUnsafeBytes {
      try FeedParser.feed($0, url: "https://example.org/a/b")
    }
    let stories = StorySpool(folder: nil).add(feed.items)
    for (index, item) in feed.items.enumerated() {
      guard try stories.item(at: index) == item else { throw Harm.otherStory }
      guard SafeText.line(item.title) == item.title else { throw Harm.unsafeTitle }
    }
  },
  // The document is read as a page, a story and a title, which lose no text outside of tags.
  "html": { document in
    document.withUnsafeBytes { _ = HTMLTree.page($0) }
    let text = StoryText(isHTML: true, bytes: document)
    _ = StoryDocumentReader.document(text, link: "https://example.org/").findingLinks()
    guard SafeText.line(text.line) == text.line else { throw Harm.unsafeTitle }
    try document.withUnsafeBytes { document in
      let decoder = try DocumentDecoder(document, charset: "utf-8")
      _ = decoder.withBytes(of: document) { ArticleReader.read($0, url: "https://example.org/") }
    }
  },
  "opml": { document in
    var elements = try OutlineParser.read(document).body
    while let element = elements.popLast() {
      guard SafeText.line(element.displayTitle ?? "") == element.displayTitle ?? "" else {
        throw Harm.unsafeTitle
      }
      elements += element.children
    }
  },
  "plist": { document in
    let value = try PropertyList.value(PropertyListBytes(document))
    let again = try PropertyList.value(PropertyListBytes(PropertyList.encode(value)))
    guard "\(again)" == "\(value)" else { throw Harm.otherValue }
  },
  "record": Records.read,
]

enum Harm: Error {
  case otherStory, unsafeTitle, otherValue
}

/// The records that cross from the process that reads, each behind the number of its type.
enum Records {
  /// Reads a record; one that is taken is the same when it is told again.
  static func read(_ bytes: [UInt8]) throws {
    let record = Array(bytes.dropFirst())
    switch bytes.first {
    case 0: try check(ReadDocument.self, record)
    case 1: try check(StoryDocument.self, record)
    case 2: try check(PageReading.Value.self, record)
    case 3: try check(FetchOutcome.self, record)
    default: try check(OutlineDocument.self, record)
    }
  }

  private static func check<Value: RecordValue>(_: Value.Type, _ record: [UInt8]) throws {
    guard let value = Value(record: record) else { throw POSIXFailure("read", "a record") }
    guard Value(record: value.record)?.record == value.record else { throw Harm.otherValue }
  }

  /// Returns the records that are made of a document.
  static func all(of document: [UInt8]) -> [[UInt8]] {
    var limits = ParsingLimits.standard
    limits.kept = .texts
    let text = StoryText(isHTML: true, bytes: document)
    var response = FetchResponse(status: 301, url: "https://a.example/f")
    (response.permanentURL, response.contentType) = ("https://b.example/f", "text/html")
    response.validators = CacheValidators(etag: "\"e\"", lastModified: nil, url: response.url)
    return document.withUnsafeBytes { bytes in
      let head = ResponseHead(status: 200, url: "https://a.example/f")
      let body = ForeignBytes(bytes, head)
      let feed = try? DocumentReading(limits).read(body).record
      let page = try? PageReading().read(body).record
      let outlines = try? OutlineReading().read(body).record
      let story = StoryDocumentReader.document(text, link: head.url).record
      let all: [[UInt8]?] = [feed, story, page, FetchOutcome.content(response).record, outlines]
      return all.enumerated().compactMap { kind, record in record.map { [UInt8(kind)] + $0 } }
    }
  }
}

guard arguments.count > 5, let read = readers[arguments[1]], let rounds = Int(arguments[2]),
  let seed = UInt64(arguments[3])
else {
  print("usage: FuzzProbe feed|html|opml|plist|record ROUNDS SEED LAST FILE...")
  throw POSIXFailure("start", "FuzzProbe")
}
let files = try arguments.dropFirst(5).map(readFile)
let seeds = arguments[1] == "record" ? files.flatMap(Records.all) : files
var mutation = Mutation(of: seeds, seed: seed)
var (values, errors) = (0, 0)
for _ in 0..<rounds {
  let document = mutation.next()
  try writeFile(arguments[4], document)
  do {
    try read(document)
    values += 1
  } catch let harm as Harm {
    throw harm
  } catch {
    errors += 1
  }
}
print("\(rounds) documents: \(values) read, \(errors) refused")
