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

extension StoryMatch {
  /// What the data file has under `matched`.
  static func list(_ value: PropertyListValue) -> [StoryMatch] {
    (value.array ?? []).compactMap(\.dictionary).compactMap { dictionary in
      guard let feed = dictionary["feed"]?.string, let date = dictionary["date"]?.asDate,
        let rule = dictionary["by"]?.string.flatMap(Rule.init)
      else { return nil }
      return StoryMatch(feed: feed, rule: rule, date: date)
    }
  }

  var value: PropertyListValue {
    .dictionary([
      "feed": .string(feed), "by": .string(rule.rawValue),
      "date": .date(date.timeIntervalSinceReferenceDate),
    ])
  }
}

extension StoryChange {
  /// What the data file has under `changed`, the dates, and under `previous`, the earlier texts.
  static func list(_ changed: PropertyListValue, previous: PropertyListValue?) -> [StoryChange] {
    guard let dates = changed.dictionary else { return [] }
    return Part.allCases.compactMap { part in
      guard let date = dates[part.rawValue]?.asDate else { return nil }
      let was = previous?.dictionary?[part.rawValue]?.string
      return StoryChange(part: part, date: date, was: was)
    }
  }
  /// The dates under `changed`, and the earlier texts under `previous`, where there are any.
  static func values(
    _ changes: [StoryChange]
  ) -> (dates: PropertyListValue, previous: PropertyListValue?) {
    var dates = PropertyListDictionary()
    var previous = PropertyListDictionary()
    for change in changes {
      dates.append(change.part.rawValue, .date(change.date.timeIntervalSinceReferenceDate))
      if let was = change.was { previous.append(change.part.rawValue, .string(was)) }
    }
    return (.dictionary(dates), previous.entries.isEmpty ? nil : .dictionary(previous))
  }
}
