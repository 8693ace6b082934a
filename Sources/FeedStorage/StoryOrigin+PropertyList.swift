internal import FeedModel
internal import PropertyLists
internal import System

extension StoryOrigin {
  /// The key of a story's origin in the data file.
  static let key = "origin"

  /// nil for a dictionary that does not say which run asked whom.
  convenience init?(_ dictionary: PropertyListDictionary) {
    guard let run = dictionary["run"]?.asDate, let url = dictionary["url"]?.string else {
      return nil
    }
    self.init(
      run: run,
      url: url,
      answeredBy: dictionary["answeredBy"]?.string,
      status: dictionary["status"]?.asInt,
      answered: dictionary["answered"]?.asDate ?? run,
    )
  }

  func dictionary() -> PropertyListDictionary {
    var dictionary: PropertyListDictionary = [
      "run": .date(run.timeIntervalSinceReferenceDate), "url": .string(url),
    ]
    if let answeredBy { dictionary.append("answeredBy", .string(answeredBy)) }
    if let status { dictionary.append("status", .integer(Int64(status))) }
    dictionary.append("answered", .date(answered.timeIntervalSinceReferenceDate))
    return dictionary
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
}
