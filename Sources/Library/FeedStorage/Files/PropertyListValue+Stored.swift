internal import FeedModel
internal import PropertyLists
internal import System

extension PropertyListValue {
  static func strings(_ strings: [String]) -> PropertyListValue? {
    strings.isEmpty ? nil : .array(strings.map { .string($0) })
  }
}

extension ItemPart {
  init?(_ value: PropertyListValue) {
    guard let dictionary = value.dictionary else { return nil }
    var reader = PartReader(dictionary: dictionary)
    guard let part = Self().coded(by: &reader) else { return nil }
    self = part
  }

  var value: PropertyListValue {
    var writer = PartWriter()
    _ = coded(by: &writer)
    return .dictionary(writer.dictionary)
  }
}

private struct PartReader: PartCoder {
  let dictionary: PropertyListDictionary

  func text(_ key: String, _: String?) -> String? { dictionary[key]?.string }
  func link(_ key: String, _: String?) -> String? { dictionary[key]?.string }
  func number(_ key: String, _: Int?) -> Int? { dictionary[key]?.asInt }
}

private struct PartWriter: PartCoder {
  var dictionary = PropertyListDictionary()

  mutating func text(_ key: String, _ value: String?) -> String? {
    if let value { dictionary.append(key, .string(value)) }
    return value
  }

  mutating func link(_ key: String, _ value: String?) -> String? { text(key, value) }

  mutating func number(_ key: String, _ value: Int?) -> Int? {
    if let value { dictionary.append(key, .integer(Int64(value))) }
    return value
  }
}

extension StoryMatch {
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
  /// Reads changes: the dates under `changed`, and the former texts under `previous`.
  static func list(_ changed: PropertyListValue, previous: PropertyListValue?) -> [StoryChange] {
    guard let dates = changed.dictionary else { return [] }
    let all = Part.allCases.compactMap { part -> StoryChange? in
      guard let date = dates[part.rawValue]?.asDate else { return nil }
      let was = previous?.dictionary?[part.rawValue]?.string
      return StoryChange(part: part, date: date, was: was)
    }
    // Earlier versions kept the last change of each part.
    let last = all.map(\.date).max()
    return all.filter { $0.date == last || $0.part.makesKeys }
  }
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

extension PropertyListValue {
  var asDate: Date? {
    date.flatMap { Date(storedSeconds: $0) }
  }

  var asInt: Int? {
    integer.map { Int($0) }
  }

  /// An integer clamped to 0...2^40, so that others may calculate with it whatever the file holds.
  var asCount: Int? {
    integer.map { Int(min(max($0, 0), 1 << 40)) }
  }
}

extension Date {
  init?(storedSeconds seconds: Double) {
    guard StoredDate.isInCalendar(seconds) else { return nil }
    self.init(timeIntervalSinceReferenceDate: seconds)
  }
}

enum StoredDate {
  /// Returns false beyond the years ±9999, which do not print and cannot be calculated with.
  static func isInCalendar(_ seconds: Double) -> Bool {
    abs(seconds) < 400_000_000_000
  }
}
