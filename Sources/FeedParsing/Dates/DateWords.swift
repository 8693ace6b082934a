/// The names of months and days in the languages of feeds.
///
/// English, French, German, Spanish, Italian, Portuguese, Dutch, Catalan, Romanian, Danish,
/// Norwegian, Swedish, Finnish, Hungarian, Polish, Czech, Slovak, Turkish, Indonesian, Greek,
/// Russian and Ukrainian, in the case forms that dates have, and their abbreviations. Names whose
/// month depends on the language (Croatian `listopad`) are read as Polish and Czech have them.
enum DateWords {
  /// A word's number and whether it is a word of another language than English.
  struct Match {
    let number: Int
    let isForeign: Bool
  }

  /// The weekday whose abbreviation is used for different days (`so`, `di`, `ma`).
  static let someWeekday = 7

  /// The month that a folded word names, 1 to 12.
  static func month(_ word: ArraySlice<UInt8>) -> Match? {
    if let number = english(word, in: englishMonths) {
      return Match(number: number + 1, isForeign: false)
    }
    return match(word, in: months).map { Match(number: $0.number + 1, isForeign: $0.isForeign) }
  }

  /// The weekday that a folded word names: 0 for Sunday to 6, or `someWeekday`.
  static func weekday(_ word: ArraySlice<UInt8>) -> Match? {
    if let number = english(word, in: englishWeekdays) {
      return Match(number: number, isForeign: false)
    }
    return match(word, in: weekdays)
  }

  /// Whether a word means nothing in a date, such as the `de` of `5 de agosto de 2019`.
  static func isFiller(_ word: ArraySlice<UInt8>) -> Bool {
    match(word, in: fillers) != nil
  }

  /// Whether a word is an English weekday and nothing else, which saves a look at the other tables.
  static func isEnglishWeekday(_ word: ArraySlice<UInt8>) -> Bool {
    english(word, in: englishWeekdays) != nil
  }

  /// The line of a table of one name a line that a word of three letters or more begins.
  private static func english(_ word: ArraySlice<UInt8>, in table: StaticString) -> Int? {
    guard word.count >= 3 else { return nil }
    let bytes = UnsafeBufferPointer(start: table.utf8Start, count: table.utf8CodeUnitCount)
    for number in 0..<(bytes.count / 10) where bytes[number * 10] == word.first {
      if bytes[(number * 10)..<(number * 10 + 9)].starts(with: word) { return number }
    }
    return nil
  }

  private static let englishMonths: StaticString = """
    january   february  march     april     may       june      july      august    september \
    october   november  december  
    """

  private static let englishWeekdays: StaticString = """
    sunday    monday    tuesday   wednesday thursday  friday    saturday  
    """

  /// The month of an English abbreviation, from its three letters.
  static func englishMonth(_ first: UInt8, _ second: UInt8, _ third: UInt8) -> Int? {
    let packed =
      UInt32(first | 0x20) << 16 | UInt32(second | 0x20) << 8 | UInt32(third | 0x20)
    return switch packed {
    case 0x6A616E: 1
    case 0x666562: 2
    case 0x6D6172: 3
    case 0x617072: 4
    case 0x6D6179: 5
    case 0x6A756E: 6
    case 0x6A756C: 7
    case 0x617567: 8
    case 0x736570: 9
    case 0x6F6374: 10
    case 0x6E6F76: 11
    case 0x646563: 12
    default: nil
    }
  }

  /// The zones of RFC 822 that have three letters, in seconds east of Greenwich.
  static func commonZone(_ first: UInt8, _ second: UInt8, _ third: UInt8) -> Int? {
    switch UInt32(first) << 16 | UInt32(second) << 8 | UInt32(third) {
    case 0x474D54, 0x555443: 0  // GMT, UTC
    case 0x454454: -4 * 3600  // EDT
    case 0x455354, 0x434454: -5 * 3600  // EST, CDT
    case 0x435354, 0x4D4454: -6 * 3600  // CST, MDT
    case 0x4D5354, 0x504454: -7 * 3600  // MST, PDT
    case 0x505354: -8 * 3600  // PST
    default: nil
    }
  }

  /// Looks a word up: the number of the line that has it.
  private static func match(_ word: ArraySlice<UInt8>, in table: StaticString) -> Match? {
    let bytes = UnsafeBufferPointer(start: table.utf8Start, count: table.utf8CodeUnitCount)
    var (line, isFirstOfLine, index) = (0, true, 0)
    while index < bytes.count {
      if bytes[index] == word.first, isName(word, at: index, of: bytes) {
        return Match(number: line, isForeign: !isFirstOfLine)
      }
      while index < bytes.count, bytes[index] > 0x20 { index += 1 }
      guard index < bytes.count else { break }
      isFirstOfLine = bytes[index] == newline
      if isFirstOfLine { line += 1 }
      index += 1
    }
    return nil
  }

  /// Whether a word is the name at an index: all of it, or, if it has a bar, as much as there is
  /// before the bar and perhaps more.
  private static func isName(
    _ word: ArraySlice<UInt8>,
    at start: Int,
    of table: UnsafeBufferPointer<UInt8>,
  ) -> Bool {
    var index = start
    var isEnough = false
    for byte in word {
      if index < table.count, table[index] == bar { (isEnough, index) = (true, index + 1) }
      guard index < table.count, table[index] == byte else { return false }
      index += 1
    }
    return isEnough || index == table.count || table[index] <= 0x20 || table[index] == bar
  }

  private static let newline: UInt8 = 0x0A
  private static let bar: UInt8 = 0x7C

  /// A line a month, English first; folded, the least abbreviation before a bar.
  ///
  /// Written by hand after the locale data of Unicode (CLDR), which gives both case forms.
  private static let months: StaticString = """
    jan|uary jan|uari janv|ier gen|naio ene|ro jane|iro jan|uar jan|ner gen|er ian|uarie led|en ledna sty|czen stycznia tammi|kuuta oca|k янв|арь января ян січ|ень січня ιαν|ουαριοσ ιανουαριου
    feb|ruary fev|rier fevr|ier feb|braio feb|rero fev|ereiro feb|ruar feb|ruari feb|er feb|ruarie feb|rer uno|r unora lut|y lutego helmi|kuuta sub|at фев|раль февраля лют|ии лютого φεβ|ρουαριοσ φεβρουαριου
    mar|ch mar|s maart mrt mrz mar|zo mar|co mar|z maer|z maa|liskuuta mar|cius mar|zec marca bre|zen brezna mar|tie mar|t mar|et мар|т марта бер|езень березня μαρ|τιοσ μαρτιου μαω
    apr|il avr|il apr|ile abr|il apr|ilis apr|ilie dub|en dubna kwi|ecien kwietnia huhti|kuuta nis|an апр|ель апреля кві|тень квітня απρ|ιλιοσ απριλιου
    may mai mei mag|gio may|o mai|o maj maja kve|ten kvetna touko|kuuta may|is maj|us maujus mai|g маи мая трав|ень травня μαι|οσ μαιου
    jun|e juin giu|gno jun|io jun|ho jun|i jun|y jun|ius cze|rwiec czerwca cer cerven cervna cvn kesa|kuuta haz|iran iun|ie июн|ь июня чер|вень червня ιουν|ιοσ ιουνιου ιον
    jul|y juil|let lug|lio jul|io jul|ho jul|i jul|iol jul|ius lip|iec lipca cvc cervenec cervence heina|kuuta tem|muz iul|ie июл|ь июля лип|ень липня ιουλ|ιοσ ιουλιου ιολ
    aug|ust aout aou ago|sto aug|ustus aug|usti aug|usztus ago|st sie|rpien sierpnia srp|en srpna elo|kuuta agu|stos agu|stus авг|уст августа сер|пень серпня αυγ|ουστοσ αυγουστου
    sep|tember sept|embre set|tembre set|embro sep|tiembre set|iembre szep|tember sep|tembrie wrz|esien wrzesnia zar|i syys|kuuta eyl|ul сен|тябрь сентября вер|есень вересня σεπ|τεμβριοσ σεπτεμβριου σεπτ
    oct|ober oct|obre ott|obre out|ubro okt|ober oct|ombrie okt|obris paz|dziernik pazdziernika rij|en rijna loka|kuuta eki|m окт|ябрь октября жов|тень жовтня οκτ|ωβριοσ οκτωβριου
    nov|ember nov|embre nov|iembre nov|embro noi|embrie lis|topad listopadu listopada marras|kuuta kas|im ноя|брь ноября лис|топад листопада νοε|μβριοσ νοεμβριου
    dec|ember dec|embre dic|embre dic|iembre dez|ember dez|embro des|ember des|embre dec|embrie gru|dzien grudnia pro|sinec prosince joulu|kuuta ara|lik дек|абрь декабря гру|день грудня δεκ|εμβριοσ δεκεμβριου
    """

  /// A line a weekday from Sunday on, English first; in the last those of no certain day.
  private static let weekdays: StaticString = """
    sun|day dim|anche son|ntag dom|ingo dom|enica zon|dag nied|ziela nie ned|ele vas|arnap sun|nuntai pazar dum|inica son|dag вос|кресенье нед|іля κυρ|ιακη diu|menge
    mon|day lun|di mon|tag lun|es lun|edi seg|unda maa|ndag pon|iedzialek pon|deli het|fo maa|nantai pazartesi luni man|dag пон|едельник пон|еділок δευ|τερα dil|luns
    tue|sday tues mar|di die|nstag mar|tes mar|tedi ter|ca din|sdag wto|rek ute|ry kedd tii|stai sali mar|ti tir|sdag tis|dag вто|рник вів|торок τρι|τη dim|arts
    wed|nesday weds mer|credi mit|twoch mie|rcoles mer|coledi qua|rta woe|nsdag sro|da str|eda sze|rda kes|kiviikko car|samba mie|rcuri ons|dag сре|да сер|еда τετ|αρτη dim|ecres
    thu|rsday thur thurs jeu|di don|nerstag jue|ves gio|vedi qui|nta don|derdag czw|artek ctv|rtek csu|tortok tor|stai per|sembe joi tor|sdag чет|верг чет|вер πεμ|πτη dij|ous
    fri|day ven|dredi fre|itag vie|rnes ven|erdi sex|ta vri|jdag pia|tek pat|ek pen|tek per|jantai cum|a vin|eri fre|dag пят|ница пят|ниця παρ|ασκευη div|endres
    sat|urday sam|edi sam|stag sab|ado sab|ato zat|erdag sob|ota szo|mbat lau|antai cum|artesi sam|bata lor|dag son|nabend суб|бота суб|ота σαβ|βατο dis|sabte
    mo di mi do fr sa so ma wo vr za zo lu me je ve va su ti ke to pe la po ut st ct pa ne wt sr pt nd ndz cz пн вт ср чт пт сб вс нд κυ δε τρ τε πε πα σα sz cs pzt sal car cmt paz dg dl dt dc dj dv ds
    """

  /// Words between the parts of dates, and after the time of day.
  private static let fillers: StaticString = """
    at on the of um uhr am den der im de del d el les la le a las as ore alle o om klo kl kello dne na w v в о у r r. roku г год года р року h hrs hs hour hours uur hod ч feira dia da das y e og och at. of. i noon published posted updated date
    """
}
