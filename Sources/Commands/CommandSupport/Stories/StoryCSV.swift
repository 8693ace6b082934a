package import CommandLine
package import FeedModel

/// The table of stories that `list --csv` prints.
package enum StoryCSV {
  package static let option = CommandOption("csv", help: "print stories as comma-separated values")

  private struct Column {
    let name: String
    let value: @Sendable (StoredItem) -> String
  }

  package static let names = columns.map(\.name)

  package static func fields(of story: StoredItem) -> [String] { columns.map { $0.value(story) } }

  private static let columns: [Column] = [
    Column(name: "id") { $0.id },
    Column(name: "date") { $0.item.date.map(RFC3339.string) ?? "" },
    Column(name: "title") { $0.item.title },
    Column(name: "link") { SafeLink.absolute($0.item.link) },
    Column(name: "author") { $0.item.author ?? "" },
    Column(name: "summary") { $0.item.summary ?? "" },
    Column(name: "feeds") { story in
      story.feeds.map { WebURL.redacted($0) }.joined(separator: " ")
    },
    Column(name: "read") { "\($0.isRead)" },
    Column(name: "starred") { "\($0.isStarred)" },
    Column(name: "tags") { $0.tags.joined(separator: ", ") },
    Column(name: "categories") { $0.item.categories.joined(separator: ", ") },
    Column(name: "enclosures") {
      $0.item.enclosures.map(\.url).filter(SafeLink.isAbsolute).joined(separator: " ")
    },
    Column(name: "guid") { $0.item.guid ?? "" },
    Column(name: "pubDate") { $0.item.pubDate },
    Column(name: "stored") { $0.stored.map(RFC3339.string) ?? "" },
  ]
}

/// Lines of comma-separated values (RFC 4180).
package enum CSV {
  /// Puts every field in quotation marks, without control characters.
  ///
  /// A field that a spreadsheet would take for a formula gets an apostrophe: a feed's title must not
  /// become a program in a reader's table.
  package static func line(_ fields: [String]) -> String {
    fields.map { field in
      let text = SafeText.line(field)
      let isFormula = text.first.map { "=+-@".contains($0) } ?? false
      let quoted = text.split(separator: "\"", omittingEmptySubsequences: false)
      return "\"" + (isFormula ? "'" : "") + quoted.joined(separator: "\"\"") + "\""
    }.joined(separator: ",") + "\r\n"
  }
}
