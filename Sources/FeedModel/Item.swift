#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// A story as its feed published it: an RSS item, an Atom entry, a JSON Feed item.
///
/// All text is plain (no markup, references decoded, white space collapsed, nothing invisible);
/// the strings are empty, and the optionals nil, where the document says nothing.
package struct Item: Hashable, Sendable {
  package var title: String
  /// Where the story can be read: an absolute http or https URL, or empty.
  package var link: String
  /// The publication date as the document has it, white space trimmed; empty when it has none.
  package var pubDate: String
  /// The instant that `pubDate` surely means; nil when it does not.
  package var date: Date?
  /// RSS `guid`, Atom and JSON Feed `id`, RDF `rdf:about`, white space trimmed; never empty.
  package var guid: String?
  /// Whether the document says that `guid` is a permanent URL of the story (RSS 2.0 `isPermaLink`).
  package var guidIsPermaLink = false
  package var author: String?
  /// The description as text, at most 1,000 characters.
  package var summary: String?
  package var categories: [String] = []
  package var enclosures: [Enclosure] = []

  package init(
    title: String = "",
    link: String = "",
    pubDate: String = "",
    date: Date? = nil,
    guid: String? = nil,
  ) {
    self.title = title
    self.link = link
    self.pubDate = pubDate
    self.date = date
    self.guid = guid
  }
}

/// A media file that belongs to a story, such as a podcast's episode (RSS 2.0 `enclosure`).
package struct Enclosure: Hashable, Sendable {
  /// An absolute http or https URL.
  package var url: String
  /// The media type as published, such as `audio/mpeg`.
  package var type: String?
  /// Bytes, as published; nil when absent or not a number above zero.
  package var length: Int64?
  /// Seconds (`itunes:duration`, JSON Feed `duration_in_seconds`).
  package var duration: Int?

  package init(url: String, type: String? = nil, length: Int64? = nil, duration: Int? = nil) {
    self.url = url
    self.type = type
    self.length = length
    self.duration = duration
  }
}
