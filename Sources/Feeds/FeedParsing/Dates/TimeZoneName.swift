internal import System

/// A time zone that has a name: an abbreviation, or a place of the tz database.
///
/// RFC 822's zones are what it says; its military ones (one letter) count as UTC, since many
/// programs have their signs wrong (RFC 5322 §4.3). Ambiguous names are none where no `DatePlace`
/// tells them apart: `IST` is India's, Israel's and Ireland's.
struct TimeZoneName: Hashable {
  private enum Rule: Substring {
    case constant
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

  private let standard: Int
  private let rule: Rule
  let isAmerican: Bool

  /// - Parameter name: A folded name, such as `est` or `europe/brussels`.
  init?(_ name: String) {
    let isMilitary = name.utf8.count == 1 && ("a"..."z").contains(name)
    guard let zone = Self.zones[isMilitary ? "ut" : name] else { return nil }
    self = zone
  }

  /// Makes a zone of constant time.
  init(minutes: Int) {
    self.init(standard: minutes * 60, rule: .constant, isAmerican: false)
  }

  private init(standard: Int, rule: Rule, isAmerican: Bool) {
    (self.standard, self.rule, self.isAmerican) = (standard, rule, isAmerican)
  }

  /// Returns seconds east of Greenwich, or nil before the rule of the place was in force.
  ///
  /// `local` is the local time in seconds as if it were UTC. A time that the clock shows twice is
  /// taken for the first.
  func offset(atLocal local: Int) -> Int? {
    let year = CivilDate(daysSinceEpoch: Int((Double(local) / 86_400).rounded(.down))).year
    func sunday(from day: Int, _ month: Int) -> Int {
      let days = CivilDate.daysSinceEpoch(year: year, month: month, day: day)
      return (days + (7 - CivilDate.weekday(ofDay: days)) % 7) * 86_400
    }
    let isSummer: Bool
    switch rule {
    case .constant: isSummer = false
    case .european:
      guard year >= 1996 else { return nil }
      let (start, end) = (sunday(from: 25, 3) + 3600, sunday(from: 25, 10) + 7200)
      isSummer = (start..<end).contains(local - standard)
    case .american:
      guard year >= 1987 else { return nil }
      let start = year >= 2007 ? sunday(from: 8, 3) : sunday(from: 1, 4)
      let end = year >= 2007 ? sunday(from: 1, 11) : sunday(from: 25, 10)
      isSummer = (start + 7200..<end + 7200).contains(local)
    case .australian, .newZealand:
      guard year >= 2009 else { return nil }
      let start = rule == .australian ? sunday(from: 1, 10) : sunday(from: 24, 9)
      isSummer = !(sunday(from: 1, 4) + 10_800..<start + 7200).contains(local)
    }
    return isSummer ? standard + 3600 : standard
  }

  private static let zones: [String: Self] = {
    var zones: [String: Self] = [:]
    for table in [american, others, places] {
      var (rule, minutes) = (Rule.constant, 0)
      for word in table.split(whereSeparator: \.isWhitespace) {
        if let number = Int(word) {
          minutes = number
        } else if let name = Rule(rawValue: word) {
          rule = name
        } else {
          let isAmerican = table == american
          zones[String(word)] = Self(standard: minutes * 60, rule: rule, isAmerican: isAmerican)
        }
      }
    }
    return zones
  }()

  // Minutes east of Greenwich in standard time before the names that have them; in front of those a
  // rule.

  /// The abbreviations of North America; `CT` and its like are standard time, as RFC 822's readers
  /// have it.
  private static let american = """
    -600 hst -540 akst hdt -480 pst pt akdt -420 mst mt pdt -360 cst ct mdt -300 est et cdt
    -240 edt ast at -210 nst -180 adt -150 ndt
    """

  /// The abbreviations of the tz database and some of its older ones that mean only one thing.
  private static let others = """
    -300 cot pet ect -240 clt bot vet -180 brt art uyt clst -120 brst -60 azot 0 ut utc gmt utcz
    wet azost 60 west bst cet met mez wat 120 cest mest mesz eet sast cat 180 eest msk eat idt trt
    210 irst 240 msd gst samt 270 irdt 300 pkt uzt yekt 345 npt 360 almt omst 420 ict wib novt
    krat 480 wita hkt sgt myt pht awst irkt 540 wit jst kst yakt 570 acst 600 aest chst vlat
    630 acdt 660 aedt magt 720 nzst pett 780 nzdt
    """

  /// The places of the tz database.
  ///
  /// Those of constant time have had no summer time since 2017 at least; feeds do not ask for older
  /// dates there.
  private static let places = """
    -600 pacific/honolulu us/hawaii -420 america/phoenix us/arizona -360 america/costa_rica
    america/guatemala -300 america/bogota america/lima america/panama -240 america/puerto_rico
    america/la_paz 0 etc/gmt etc/utc etc/uct etc/zulu etc/universal africa/abidjan africa/accra
    atlantic/reykjavik 60 africa/lagos africa/algiers africa/tunis 120 africa/johannesburg
    180 africa/nairobi asia/riyadh asia/kuwait asia/qatar 240 asia/dubai 300 asia/karachi
    330 asia/kolkata asia/calcutta asia/colombo 345 asia/kathmandu 360 asia/dhaka 420 asia/bangkok
    asia/jakarta asia/ho_chi_minh asia/saigon 480 asia/shanghai asia/chongqing asia/hong_kong
    asia/taipei asia/singapore asia/kuala_lumpur asia/manila australia/perth 540 asia/tokyo
    asia/seoul 570 australia/darwin 600 australia/brisbane
    european 0 europe/london europe/dublin europe/lisbon atlantic/canary 60 europe/amsterdam
    europe/andorra europe/belgrade europe/berlin europe/bratislava europe/brussels europe/budapest
    europe/copenhagen europe/gibraltar europe/ljubljana europe/luxembourg europe/madrid
    europe/malta europe/monaco europe/oslo europe/paris europe/prague europe/rome
    europe/san_marino europe/sarajevo europe/skopje europe/stockholm europe/tirane europe/vaduz
    europe/vatican europe/vienna europe/warsaw europe/zagreb europe/zurich 120 europe/athens
    europe/bucharest europe/helsinki europe/kiev europe/kyiv europe/riga europe/sofia
    europe/tallinn europe/vilnius
    american -540 america/anchorage -480 america/los_angeles america/vancouver us/pacific
    -420 america/denver america/edmonton us/mountain -360 america/chicago america/winnipeg us/central
    -300 america/new_york america/detroit america/toronto america/montreal us/eastern
    -240 america/halifax -210 america/st_johns
    australian 570 australia/adelaide 600 australia/sydney australia/melbourne australia/hobart
    australia/canberra
    newZealand 720 pacific/auckland
    """
}
