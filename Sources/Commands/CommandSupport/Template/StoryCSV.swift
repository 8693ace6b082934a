package import CommandLine

/// The table of stories that `list --csv` prints.
package enum StoryCSV {
  package static let option = CommandOption("csv", help: "print stories as comma-separated values")

  static let names = [
    "n", "id", "date", "title", "link", "author", "summary", "feeds", "read", "starred", "tags",
    "categories", "enclosures", "guid", "pubDate", "stored",
  ]
  private static let columns = names.compactMap(TemplateField.named)

  static func fields(of story: TemplateStory) -> [String] {
    columns.map { $0.date?(story).map(RFC3339.string) ?? $0.text(story) ?? "" }
  }
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
