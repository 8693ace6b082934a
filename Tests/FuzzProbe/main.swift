import FeedModel
import FeedParsing
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
// READER is feed, html, opml or plist; SEED decides about all that chance does. The document that is being
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
    for element in try OutlineParser.read(document).document.body {
      guard SafeText.line(element.displayTitle ?? "") == element.displayTitle ?? "" else {
        throw Harm.unsafeTitle
      }
    }
  },
  "plist": { document in
    let value = try PropertyList.value(PropertyListBytes(document))
    let again = try PropertyList.value(PropertyListBytes(PropertyList.encode(value)))
    guard "\(again)" == "\(value)" else { throw Harm.otherValue }
  },
]

enum Harm: Error {
  case otherStory, unsafeTitle, otherValue
}

guard arguments.count > 5, let read = readers[arguments[1]], let rounds = Int(arguments[2]),
  let seed = UInt64(arguments[3])
else {
  print("usage: FuzzProbe feed|html|opml|plist ROUNDS SEED LAST FILE...")
  throw POSIXFailure("start", "FuzzProbe")
}
var mutation = Mutation(of: try arguments.dropFirst(5).map(readFile), seed: seed)
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
