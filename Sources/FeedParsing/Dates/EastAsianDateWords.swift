/// The words of Chinese, Japanese and Korean dates, which no spaces separate.
enum EastAsianDateWords {
  /// What a number is when such a word follows it.
  enum Unit: Int {
    case year
    case month
    case day
    case hour
    case minute
    case second
  }

  enum Meaning: Equatable {
    case unit(Unit)
    case month(Int)
    /// 0 is Sunday.
    case weekday(Int)
    case half(DayHalf)
  }

  /// The bytes of the word that some text begins with; of an unknown one those of a character.
  static func length(in text: ArraySlice<UInt8>, isAfterNumber: Bool) -> Int {
    if isAfterNumber, let unit = units.first(where: { text.starts(with: $0.text.utf8) }) {
      return unit.text.utf8.count
    }
    if let word = words.first(where: { text.starts(with: $0.text.utf8) }) {
      return word.text.utf8.count
    }
    return 1 + text.dropFirst().prefix { $0 & 0xC0 == 0x80 }.count
  }

  /// What a word means; right after a number some mean something else than alone.
  static func meaning(of word: ArraySlice<UInt8>, isAfterNumber: Bool) -> Meaning? {
    if isAfterNumber, let unit = units.first(where: { word.elementsEqual($0.text.utf8) }) {
      return .unit(unit.unit)
    }
    return words.first { word.elementsEqual($0.text.utf8) }?.meaning
  }

  private static let units: [(text: String, unit: Unit)] = [
    ("年", .year), ("년", .year), ("月", .month), ("월", .month), ("日", .day), ("일", .day),
    ("號", .day), ("号", .day), ("時", .hour), ("时", .hour), ("點", .hour), ("点", .hour),
    ("시", .hour), ("分", .minute), ("분", .minute), ("秒", .second), ("초", .second),
  ]

  /// Longer ones before their beginnings.
  private static let words: [(text: String, meaning: Meaning)] =
    [
      ("十一月", .month(11)), ("十二月", .month(12)), ("一月", .month(1)), ("二月", .month(2)),
      ("三月", .month(3)), ("四月", .month(4)), ("五月", .month(5)), ("六月", .month(6)),
      ("七月", .month(7)), ("八月", .month(8)), ("九月", .month(9)), ("十月", .month(10)),
      ("上午", .half(.morning)), ("下午", .half(.afternoon)), ("午前", .half(.morning)),
      ("午後", .half(.afternoon)), ("오전", .half(.morning)), ("오후", .half(.afternoon)),
    ] + weekdays

  private static let weekdays: [(text: String, meaning: Meaning)] = {
    var names: [(text: String, meaning: Meaning)] = []
    for (prefixes, days, suffixes) in [
      (["星期", "礼拜", "禮拜", "周", "週"], "日一二三四五六", [""]),
      (["星期", "周", "週"], "天", [""]),
      ([""], "日月火水木金土", ["曜日", "曜", ""]),
      ([""], "일월화수목금토", ["요일", ""]),
    ] {
      for prefix in prefixes {
        for suffix in suffixes {
          for (number, day) in days.enumerated() {
            names.append(("\(prefix)\(day)\(suffix)", .weekday(number)))
          }
        }
      }
    }
    return names
  }()
}

/// Half of a day, for clocks of twelve hours.
enum DayHalf {
  case morning
  case afternoon
}
