internal import CivilDates

/// A place of the tz database whose clock goes by one of the rules known here.
struct TimeZonePlace: Hashable {
  /// When clocks are an hour ahead.
  enum Rule: Int, Hashable {
    case never
    /// Last Sundays of March and October, 01:00 UTC, since 1996 (Directive 2000/84/EC).
    case european
    /// Second Sunday of March to first of November, 02:00, since 2007; before that the first of
    /// April to the last of October, since 1987 (Energy Policy Act of 2005).
    case american
    /// First Sunday of October to first of April, since 2008.
    case australian
    /// Last Sunday of September to first of April, since 2008.
    case newZealand
  }

  /// Standard time, in seconds east of Greenwich.
  let standard: Int
  let rule: Rule

  /// The place of a folded name, such as `europe/brussels`.
  init?(_ name: ArraySlice<UInt8>) {
    for rule in [Rule.never, .european, .american, .australian, .newZealand] {
      guard let minutes = ZoneTable.value(of: name, in: Self.places(rule)) else { continue }
      (standard, self.rule) = (minutes * 60, rule)
      return
    }
    return nil
  }

  /// The offset at a local time (seconds as if it were UTC); nil before the rule was in force.
  ///
  /// A time that the clock shows twice is taken for the first.
  func offset(atLocal local: Int) -> Int? {
    let year = CivilDate(daysSinceEpoch: Int((Double(local) / 86_400).rounded(.down))).year
    switch rule {
    case .never: return standard
    case .european:
      guard year >= 1996 else { return nil }
      let start = Self.sunday(last: 3, of: year) + 3600 + standard
      let end = Self.sunday(last: 10, of: year) + 7200 + standard
      return (start..<end).contains(local) ? standard + 3600 : standard
    case .american:
      guard year >= 1987 else { return nil }
      let isNew = year >= 2007
      let start = isNew ? Self.sunday(2, of: 3, year) : Self.sunday(1, of: 4, year)
      let end = isNew ? Self.sunday(1, of: 11, year) : Self.sunday(last: 10, of: year)
      return (start + 7200..<end + 7200).contains(local) ? standard + 3600 : standard
    case .australian, .newZealand:
      guard year >= 2009 else { return nil }
      let isNewZealand = rule == .newZealand
      let start = isNewZealand ? Self.sunday(last: 9, of: year) : Self.sunday(1, of: 10, year)
      let end = Self.sunday(1, of: 4, year)
      return (end + 10_800..<start + 7200).contains(local) ? standard : standard + 3600
    }
  }

  /// Midnight of the nth Sunday of a month.
  private static func sunday(_ number: Int, of month: Int, _ year: Int) -> Int {
    guard let first = CivilDate(year: year, month: month, day: 1) else { return 0 }
    return (first.daysSinceEpoch + (7 - first.weekday) % 7 + 7 * (number - 1)) * 86_400
  }

  private static func sunday(last month: Int, of year: Int) -> Int {
    guard
      let last = CivilDate(
        year: year,
        month: month,
        day: CivilDate.days(inMonth: month, of: year),
      )
    else { return 0 }
    return (last.daysSinceEpoch - last.weekday) * 86_400
  }

  private static func places(_ rule: Rule) -> StaticString {
    switch rule {
    case .never: constant
    case .european: european
    case .american: american
    case .australian: australian
    case .newZealand: "pacific/auckland 720 "
    }
  }

  private static let european: StaticString = """
    europe/london 0 europe/dublin 0 europe/lisbon 0 europe/amsterdam 60 europe/andorra 60 \
    europe/belgrade 60 europe/berlin 60 europe/bratislava 60 europe/brussels 60 europe/budapest 60 \
    europe/copenhagen 60 europe/gibraltar 60 europe/ljubljana 60 europe/luxembourg 60 \
    europe/madrid 60 europe/malta 60 europe/monaco 60 europe/oslo 60 europe/paris 60 \
    europe/prague 60 europe/rome 60 europe/san_marino 60 europe/sarajevo 60 europe/skopje 60 \
    europe/stockholm 60 europe/tirane 60 europe/vaduz 60 europe/vatican 60 europe/vienna 60 \
    europe/warsaw 60 europe/zagreb 60 europe/zurich 60 europe/athens 120 europe/bucharest 120 \
    europe/helsinki 120 europe/kiev 120 europe/kyiv 120 europe/riga 120 europe/sofia 120 \
    europe/tallinn 120 europe/vilnius 120 atlantic/canary 0 
    """

  private static let australian: StaticString = """
    australia/sydney 600 australia/melbourne 600 australia/hobart 600 australia/canberra 600 \
    australia/adelaide 570 
    """

  private static let american: StaticString = """
    america/new_york -300 america/detroit -300 america/toronto -300 america/montreal -300 \
    us/eastern -300 america/chicago -360 america/winnipeg -360 us/central -360 \
    america/denver -420 america/edmonton -420 us/mountain -420 america/los_angeles -480 \
    america/vancouver -480 us/pacific -480 america/anchorage -540 america/halifax -240 \
    america/st_johns -210 
    """

  /// Without summer time since 2017 at least; what was before is not asked for in feeds.
  private static let constant: StaticString = """
    etc/utc 0 etc/uct 0 etc/zulu 0 etc/universal 0 africa/abidjan 0 africa/accra 0 \
    atlantic/reykjavik 0 africa/lagos 60 africa/algiers 60 africa/tunis 60 africa/johannesburg 120 \
    africa/nairobi 180 asia/riyadh 180 asia/kuwait 180 asia/qatar 180 asia/dubai 240 \
    asia/karachi 300 asia/kolkata 330 asia/calcutta 330 asia/colombo 330 asia/kathmandu 345 \
    asia/dhaka 360 asia/bangkok 420 asia/jakarta 420 asia/ho_chi_minh 420 asia/saigon 420 \
    asia/shanghai 480 asia/chongqing 480 asia/hong_kong 480 asia/taipei 480 asia/singapore 480 \
    asia/kuala_lumpur 480 asia/manila 480 australia/perth 480 asia/tokyo 540 asia/seoul 540 \
    australia/brisbane 600 australia/darwin 570 america/phoenix -420 us/arizona -420 \
    pacific/honolulu -600 us/hawaii -600 america/bogota -300 america/lima -300 \
    america/puerto_rico -240 america/la_paz -240 america/panama -300 america/costa_rica -360 \
    america/guatemala -360 
    """
}
