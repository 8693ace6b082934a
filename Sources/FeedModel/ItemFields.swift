package import System

/// What an item holds besides its texts.
package struct ItemDetails: Hashable, Sendable {
  /// The instant of the publication.
  package var date: Date?
  package var guidIsPermaLink = false
  package var author: String?
  package var categories: [String] = []
  package var enclosures: [Enclosure] = []

  package init() {}
}

/// What an item holds, its texts as strings.
struct ItemFields: Hashable, Sendable {
  var title = ""
  var link = ""
  var pubDate = ""
  var guid: String?
  var summary: String?
  var details = ItemDetails()
}

extension ItemFields {
  /// Empty where there is none.
  func text(_ text: ItemText) -> String {
    switch text {
    case .title: title
    case .pubDate: pubDate
    case .guid: guid ?? ""
    case .link: link
    case .summary: summary ?? ""
    }
  }
}
