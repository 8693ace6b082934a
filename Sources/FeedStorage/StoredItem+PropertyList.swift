internal import FeedModel
internal import PropertyLists

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension StoredItem {
  /// The keys of all stories' dictionaries, and of their enclosures'.
  static let keyCount = ItemField.allCases.count + 4 + 24
  /// Objects of an origin, at most, and of a match.
  static let originCount = 8
  static let matchCount = 5

  /// No more objects than this make up the dictionary, keys aside.
  package var objectCount: Int {
    let flags = [stored != nil, isRead, isStarred].count { $0 }
    return item.objectCount + 1 + flags + (feeds.isEmpty ? 0 : 1 + feeds.count) + provenanceCount
  }

  private var provenanceCount: Int {
    let origin = origin == nil ? 0 : Self.originCount
    let matches = Self.matchCount * matches.count
    // The dates, the texts that were there before, and the two dictionaries.
    return origin + matches + (changes.isEmpty ? 0 : 2 + 2 * changes.count)
  }
}

extension Item {
  /// No more objects than this make up what the item has in a story's dictionary, and that itself.
  var objectCount: Int { withContents(\.objectCount) }
}

extension ItemContents {
  /// No more objects than this make up what the item has in a story's dictionary, and that itself.
  var objectCount: Int {
    let flags = [
      !text(.guid).isEmpty, details.guidIsPermaLink, details.date != nil, details.author != nil,
      !text(.summary).isEmpty,
    ]
    let categories = details.categories.isEmpty ? 0 : 1 + details.categories.count
    let enclosures = details.enclosures.isEmpty ? 0 : 1 + 5 * details.enclosures.count
    return 4 + flags.count { $0 } + categories + enclosures
  }
}

extension PropertyListValue {
  /// An array of strings; nil for none.
  static func strings(_ strings: [String]) -> PropertyListValue? {
    strings.isEmpty ? nil : .array(strings.map { .string($0) })
  }
}

extension Enclosure {
  init?(_ value: PropertyListValue) {
    guard let dictionary = value.dictionary, let url = dictionary["url"]?.string else { return nil }
    self.init(
      url: url,
      type: dictionary["type"]?.string,
      length: dictionary["length"]?.integer,
      duration: dictionary["duration"]?.asCount,
    )
  }

  var value: PropertyListValue {
    var dictionary: PropertyListDictionary = ["url": .string(url)]
    if let type { dictionary.append("type", .string(type)) }
    if let length { dictionary.append("length", .integer(length)) }
    if let duration { dictionary.append("duration", .integer(Int64(duration))) }
    return .dictionary(dictionary)
  }
}
