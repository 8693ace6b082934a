internal import CDateNames
internal import System

/// The names of months and days in the languages of feeds, and the words around them.
///
/// English, French, German, Spanish, Galician, Italian, Portuguese, Dutch, Catalan, Romanian,
/// Danish, Norwegian, Swedish, Icelandic, Finnish, Estonian, Latvian, Lithuanian, Hungarian,
/// Polish, Czech, Slovak, Slovenian, Serbian, Macedonian, Albanian, Basque, Turkish, Indonesian,
/// Greek, Bulgarian, Russian, Ukrainian and Belarusian, in the case forms that dates have, and
/// their abbreviations; Chinese, Japanese and Korean. All words are folded. Names whose month
/// depends on the language (Croatian `listopad`, Finnish `mar`) are read as most who write them
/// mean them. Those of all other languages are CLDR's (`CDateNames`).
enum DateNames {
  struct Name {
    let number: Int
    /// True in languages whose numeric dates have the day before the month.
    var isDayFirst = false
  }

  enum Unit {
    case year, month, day, hour, minute, second
  }

  /// The weekday whose abbreviation is used for different days (`so`, `di`, `ma`).
  static let someWeekday = 7

  /// The meanings that a word can have in a date.
  struct Meanings {
    var month: Name?
    /// 0 for Sunday to 6, or `someWeekday`.
    var weekday: Name?
    var persianMonth: Name?
    var era: DateFields.Era?
  }

  static func month(_ word: String) -> Name? { months[word] ?? other(word).month }

  static func meanings(_ word: String) -> Meanings {
    let known = Meanings(month: months[word], weekday: weekdays[word])
    // PERF: the other names are others than these.
    return known.month == nil && known.weekday == nil ? other(word) : known
  }

  private static func other(_ word: String) -> Meanings {
    guard word.utf8.count > 1, let bits = others[FNV1a.hash(word)] else { return Meanings() }
    func name(_ kind: Unicode.Scalar) -> Int? {
      let number = bits >> shift(UInt8(ascii: kind)) & 15
      return number > 0 ? number : nil
    }
    return Meanings(
      month: name("m").map { Name(number: $0) },
      weekday: name("d").map { Name(number: $0 - 1) },
      persianMonth: name("p").map { Name(number: $0) },
      era: name("e").map { $0 == 1 ? .buddhist : .persian },
    )
  }

  private static func shift(_ kind: UInt8) -> Int {
    switch kind {
    case UInt8(ascii: "m"): 0
    case UInt8(ascii: "d"): 4
    case UInt8(ascii: "p"): 8
    default: 12
    }
  }

  private static let months = names(english: CalendarName.months, others: otherMonths, first: 1)
  private static let weekdays = names(
    english: CalendarName.weekdays,
    others: otherWeekdays,
    first: 0,
  )

  /// The months and days of the names in all other languages, the months of the Persian calendar,
  /// and the eras that say which calendar a year is of: four bits for each, by the name's hash.
  ///
  /// PERF: by strings, the first date in such a language took fifty times as long.
  private static let others: [UInt64: Int] = {
    var names: [UInt64: Int] = [:]
    names.reserveCapacity(4_096)
    let (start, count) = (UnsafeRawPointer(date_names()), strlen(date_names()))
    let cldr = UnsafeBufferPointer(start: start.assumingMemoryBound(to: UInt8.self), count: count)
    add(cldr, to: &names)
    var others = calendars
    others.withUTF8 { add($0, to: &names) }
    return names
  }()

  private static func add(_ text: UnsafeBufferPointer<UInt8>, to names: inout [UInt64: Int]) {
    var rest = text[...]
    var (kind, number) = (UInt8(0), 0)
    while !rest.isEmpty {
      let word = rest.prefix { $0 > 0x20 }
      // The first word of a line is its month or day.
      if kind == 0 {
        kind = word[word.startIndex]
        number = word.dropFirst().reduce(0) { $0 * 10 + Int($1) - 0x30 }
        if kind == UInt8(ascii: "d") { number += 1 }
      } else {
        names[FNV1a.hash(UnsafeBufferPointer(rebasing: word)), default: 0] |= number << shift(kind)
      }
      if rest[word.endIndex...].first == UInt8(ascii: "\n") { kind = 0 }
      rest = rest[word.endIndex...].dropFirst()
    }
  }

  private static let calendars = """
    p1 فروردین farvardin
    p2 اردیبهشت ordibehesht
    p3 خرداد khordad
    p4 تیر
    p5 مرداد mordad
    p6 شهریور shahrivar
    p7 مهر mehr
    p8 آبان ابان aban
    p9 آذر اذر azar
    p10 دی
    p11 بهمن bahman
    p12 اسفند esfand
    e1 พ พศ พุทธศักราช be
    e2 هجری شمسی خورشیدی هش

    """

  static let units: [String: Unit] = [
    "年": .year, "년": .year, "月": .month, "월": .month, "日": .day, "일": .day, "號": .day,
    "号": .day, "時": .hour, "时": .hour, "點": .hour, "点": .hour, "시": .hour, "分": .minute,
    "분": .minute, "秒": .second, "초": .second,
  ]

  static let eastAsianHalves: [String: DayHalf] = [
    "上午": .morning, "下午": .afternoon, "午前": .morning, "午後": .afternoon, "오전": .morning,
    "오후": .afternoon,
  ]

  static let halves: [String: DayHalf] = [
    "am": .morning, "pm": .afternoon, "πμ": .morning, "μμ": .afternoon,
  ]

  static let fillers = Set(
    """
    at on the of um uhr am den der im de del d el les la le a las as ore alle o om klo kl \
    kello dne na w v в о у r roku г год года р року h hrs hs hour hours uur hod ч feira dia \
    da das y e og och i ศ ค คศ น ที่ วันที่ เวลา ساعت ه ش م ad ce noon published posted updated date
    """.split(separator: " ").map(String.init)
  )

  /// The ends of ordinal numbers: `16th`, `1er`, `5º`.
  static let ordinalMarks: Set = [
    "st", "nd", "rd", "th", "er", "e", "o", "a", "de", "ste", "ro", "re", "ero",
  ]

  /// Returns the length of the first word of Chinese, Japanese or Korean, which no spaces separate;
  /// 1 for an unknown word.
  static func eastAsianLength(_ text: ArraySlice<Unicode.Scalar>, isAfterNumber: Bool) -> Int {
    if isAfterNumber, let first = text.first, units[String(first)] != nil { return 1 }
    return [3, 2].first { eastAsianWords.contains(packed(text.prefix($0))) } ?? 1
  }

  /// The known words of two and three characters, packed.
  ///
  /// PERF: to look for strings took ten times as long, and a hostile document has a hundred
  /// thousand dates of dozens of such characters.
  private static let eastAsianWords = Set(
    (Array(months.keys) + Array(weekdays.keys) + Array(eastAsianHalves.keys))
      .map { Array($0.unicodeScalars)[...] }
      .filter { (2...3).contains($0.count) && $0[0].value >= 0x2000 }
      .map(packed)
  )

  private static func packed(_ text: ArraySlice<Unicode.Scalar>) -> UInt64 {
    text.reduce(0) { $0 << 21 | UInt64($1.value) }
  }

  /// Returns names and their abbreviations; where two are equal, the first counts.
  private static func names(english: [String], others: String, first: Int) -> [String: Name] {
    var names: [String: Name] = [:]
    func add(_ least: Substring, _ rest: Substring, _ name: Name) {
      for length in 0...rest.count {
        let word = String(least + rest.prefix(length))
        if names[word] == nil { names[word] = name }
      }
    }
    for (line, name) in english.enumerated() {
      let name = name.lowercased()
      add(name.prefix(3), name.dropFirst(3), Name(number: first + line))
    }
    for (line, entries) in others.split(separator: "\n").enumerated() {
      for entry in entries.split(separator: " ") {
        let least = entry.prefix { $0 != "|" }
        let isEastAsian = entry.unicodeScalars.contains { $0.value >= 0x2000 }
        let name = Name(number: first + line, isDayFirst: !isEastAsian)
        add(least, entry.dropFirst(least.count + 1), name)
      }
    }
    return names
  }

  /// A line for each month, with a bar behind the shortest abbreviation.
  ///
  /// Written by hand after the locale data of Unicode (CLDR), which gives both case forms.
  private static let otherMonths = """
    jan|uari janv|ier gen|naio ene|ro jane|iro jan|uar jan|ner gen|er ian|uarie led|en ledna \
    sty|czen stycznia tammi|kuuta oca|k янв|арь января ян січ|ень січня ιαν|ουαριοσ ιανουαριου \
    一月 urt|arrila saus|io сту|дзеня xan|eiro jaan|uar janv|aris tam|mikuuta яну|ари јан|уар
    fev|rier fevr|ier feb|braio feb|rero fev|ereiro feb|ruar feb|ruari feb|er feb|ruarie feb|rer \
    uno|r unora lut|y lutego helmi|kuuta hel|mikuuta veebr|uar феб|руар sub|at фев|раль февраля \
    лют|ии лютого φεβ|ρουαριοσ φεβρουαριου 二月 ots|aila vasar|io shk|urt
    mar|s maart mrt mrz mar|zo mar|co mar|z maer|z maa|liskuuta mar|cius mar|zec marca bre|zen \
    brezna mar|tie mar|t mar|et mar|ts мар|т марта бер|езень березня μαρ|τιοσ μαρτιου μαω 三月 \
    kov|o сак|авіка
    avr|il apr|ile abr|il apr|ilis apr|ilie dub|en dubna kwi|ecien kwietnia huhti|kuuta \
    huh|tikuuta nis|an апр|ель апреля кві|тень квітня απρ|ιλιοσ απριλιου 四月 api|rila bal|andzio \
    pri|ll кра|савіка
    mai mei mag|gio may|o mai|o maj maja kve|ten kvetna touko|kuuta may|is maj|us maujus mai|g \
    маи мая трав|ень травня μαι|οσ μαιου mai|js tou|kokuuta мај 五月 geg|uzes
    juin giu|gno jun|io jun|ho jun|i jun|y jun|ius cze|rwiec czerwca cer cerven cervna cvn \
    kesa|kuuta haz|iran iun|ie kes|akuuta xun|o juuni jun|ijs юни јун|и июн|ь июня чер|вень \
    червня ιουν|ιοσ ιουνιου ιον 六月 eka|ina birz|elio qer|shor чэр|веня
    juil|let lug|lio jul|io jul|ho jul|i jul|iol jul|ius lip|iec lipca cvc cervenec cervence \
    heina|kuuta tem|muz iul|ie hei|nakuuta xul|lo juuli jul|ijs юли јул|и июл|ь июля лип|ень \
    липня ιουλ|ιοσ ιουλιου ιολ 七月 uzt|aila liep|os korr|ik ліп|еня
    aout aou ago|sto aug|ustus aug|usti aug|usztus ago|st sie|rpien sierpnia srp|en srpna \
    elo|kuuta agu|stos agu|stus ag|ost agu|st aug|usts avg|ust авг|уст августа сер|пень серпня \
    αυγ|ουστοσ αυγουστου 八月 abu|ztua rugp|jucio gush|t жні|ўня
    sept|embre set|tembre set|embro sep|tiembre set|iembre sze|ptember sep|tembrie wrz|esien \
    wrzesnia zar|i syys|kuuta eyl|ul syy|skuuta sep|tembris сеп|тември сен|тябрь сентября \
    вер|есень вересня σεπ|τεμβριοσ σεπτεμβριου σεπτ 九月 ira|ila rugs|ejo sht|ator вер|асня
    oct|obre ott|obre out|ubro okt|ober oct|ombrie okt|obris paz|dziernik pazdziernika rij|en \
    rijna loka|kuuta eki|m lok|akuuta okt|oobri окт|ябрь октября жов|тень жовтня οκτ|ωβριοσ \
    οκτωβριου 十月 urr|ia spal|io tet|or кас|трычніка
    nov|embre nov|iembre nov|embro noi|embrie lis|topad listopadu listopada marras|kuuta kas|im \
    ноя|брь ноября ное|мври нов|ембар nov|embris лис|топад листопада νοε|μβριοσ νοεμβριου 十一月 \
    aza|roa lapkr|icio nen|tor ліс|тапада
    dec|embre dic|embre dic|iembre dez|ember dez|embro des|ember des|embre dec|embrie gru|dzien \
    grudnia pro|sinec prosince joulu|kuuta ara|lik jou|lukuuta dets|embri dec|embris дец|ембар \
    дек|абрь декабря гру|день грудня δεκ|εμβριοσ δεκεμβριου 十二月 abe|ndua gruod|zio dhj|etor \
    сне|жня
    """

  /// A line for each weekday from Sunday on; the last has those of no certain day.
  private static let otherWeekdays = """
    dim|anche son|ntag dom|ingo dom|enica zon|dag nied|ziela nie ned|ele vas|arnap sun|nuntai \
    pazar dum|inica son|dag min|ggu ned|elja нед|еља sekm|adienis svetd|iena вос|кресенье \
    нед|іля κυρ|ιακη diu|menge 日 日曜 日曜日 星期日 周日 週日 礼拜日 禮拜日 일 일요일 星期天 周天 週天
    lun|di mon|tag lun|es lun|edi seg|unda maa|ndag pon|iedzialek pon|deli het|fo maa|nantai \
    pazartesi luni man|dag sen|in man|udagur pirm|adienis pirmd|iena пон|едельник пон|еділок \
    δευ|τερα dil|luns 月 月曜 月曜日 星期一 周一 週一 礼拜一 禮拜一 월 월요일
    tues mar|di die|nstag mar|tes mar|tedi ter|ca din|sdag wto|rek ute|ry kedd tii|stai sali \
    mar|ti tir|sdag tis|dag sel|asa torek uto|rak tri|djudagur уто|рак antr|adienis otrd|iena \
    вто|рник вів|торок τρι|τη dim|arts 火 火曜 火曜日 星期二 周二 週二 礼拜二 禮拜二 화 화요일
    weds mer|credi mit|twoch mie|rcoles mer|coledi qua|rta woe|nsdag sro|da str|eda sze|rda \
    kes|kiviikko car|samba mie|rcuri ons|dag rab|u mer|cores mid|vikudagur сря|да trec|iadienis \
    tresd|iena сре|да сер|еда τετ|αρτη dim|ecres 水 水曜 水曜日 星期三 周三 週三 礼拜三 禮拜三 수 수요일
    thur thurs jeu|di don|nerstag jue|ves gio|vedi qui|nta don|derdag czw|artek ctv|rtek \
    csu|tortok tor|stai per|sembe joi tor|sdag kam|is xov|es fim|mtudagur cet|rtek \
    ketv|irtadienis ceturtd|iena чет|верг чет|вер πεμ|πτη dij|ous 木 木曜 木曜日 星期四 周四 週四 礼拜四 禮拜四 목 \
    목요일
    ven|dredi fre|itag vie|rnes ven|erdi sex|ta vri|jdag pia|tek pat|ek pen|tek per|jantai cum|a \
    vin|eri fre|dag jum|at fos|tudagur pet|ak пет|ак пет|ък penkt|adienis piektd|iena пят|ница \
    пят|ниця παρ|ασκευη div|endres 金 金曜 金曜日 星期五 周五 週五 礼拜五 禮拜五 금 금요일
    sam|edi sam|stag sab|ado sab|ato zat|erdag sob|ota szo|mbat lau|antai cum|artesi sam|bata \
    lor|dag son|nabend sub|ota lau|gardagur съб|ота sest|adienis sestd|iena саб|ота суб|бота \
    суб|ота σαβ|βατο dis|sabte 土 土曜 土曜日 星期六 周六 週六 礼拜六 禮拜六 토 토요일
    mo di mi do fr sa so ma wo vr za zo lu me je ve va su ti ke to pe la po ut st ct pa ne wt sr \
    pt nd ndz cz пн вт ср чт пт сб вс нд κυ δε τρ τε πε πα σα sz cs pzt sal car cmt paz dg dl dt \
    dc dj dv ds k p pi ig al ar az og or lr аў чц
    """
}

enum DayHalf {
  case morning, afternoon
}
