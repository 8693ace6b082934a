/// Something that had to be repaired in a document's markup, as a short sentence without a full stop.
enum MarkupFinding: String, CaseIterable, Sendable {
  case leadingJunk = "text before the document's beginning dropped"
  case secondDeclaration = "XML declaration not at the beginning dropped"
  case bareAmpersand = "ampersands not written as &amp;"
  case unknownEntity = "references to unknown entities kept as text"
  case undeclaredEntity = "HTML entities that XML does not know"
  case illegalReference = "references to characters that XML forbids"
  case windowsReference = "references to windows-1252 characters"
  case bareLessThan = "less-than signs not written as &lt;"
  case strayCDATAEnd = "]]> in text"
  case attributeSyntax = "tags with malformed attributes"
  case missingTagEnd = "tags without >"
  case unclosedElement = "elements not closed"
  case strayEndTag = "end tags of nothing dropped"
  case misspeltEndTag = "misspelt end tags"
  case truncatedTag = "a tag cut off at the end"
  case trailingContent = "content after the root element ignored"
}

/// How often each finding was made.
struct MarkupFindings {
  private(set) var total = 0
  private var counts: [MarkupFinding: Int] = [:]

  mutating func add(_ finding: MarkupFinding) {
    counts[finding, default: 0] += 1
    total += 1
  }

  /// Short sentences without a full stop, in the order of the cases.
  var notes: [String] {
    MarkupFinding.allCases.compactMap { finding in
      counts[finding].map { $0 == 1 ? finding.rawValue : "\(finding.rawValue): \($0)" }
    }
  }
}
