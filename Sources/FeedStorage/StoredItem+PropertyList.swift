internal import FeedModel
internal import PropertyLists
internal import System

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
