/// The words that say little about which story it is, in the languages that most feeds are in.
enum GistVocabulary {
  /// The kinds of folded whole words by their ids; a word that is not here tells stories apart.
  static let kinds: [UInt64: GistWord.Kind] = {
    var kinds: [UInt64: GistWord.Kind] = [:]
    for (kind, list) in [(GistWord.Kind.vague, vague), (.filler, fillers), (.date, dates)] {
      for word in words(list) { kinds[word] = kind }
    }
    for word in numbers.keys { kinds[word] = .number }
    return kinds
  }()

  /// The ids of digits by those of the words that say the number.
  static let numbers: [UInt64: UInt64] = {
    var numbers: [UInt64: UInt64] = [:]
    for (index, line) in numerals.split(separator: "|").enumerated() {
      for word in words(String(line)) { numbers[word] = GistWord.id("\(index + 2)") }
    }
    return numbers
  }()

  private static func words(_ list: String) -> [UInt64] {
    list.split(whereSeparator: \.isWhitespace).map { GistWord.id(String($0)) }
  }

  private static let fillers = """
    a an and are as at be been but by can could did do does for from had has have he her his how
    i if in into is it its more most my no not of off on or our out over than that the their them
    then there these they this to up us was we were what when where which while who why will with
    would you your about after against all also amid before between down just still under until
    don didn isn doesn wasn won ll ve re
    der die das den dem des ein eine einen einem einer eines und oder im am auf aus bei beim bis
    für ist sich sie er es hat haben mit nach nicht noch nur von vom vor war wie wird werden zu
    zum zur über um unter als auch dass durch sein seine ihre gegen ohne wenn man kann
    le la les un une du de et ou au aux en dans par pour sur qui que ne pas se ce ces son sa ses
    est sont il elle avec plus après avant sous cette leur qu
    el los las del al con por para su sus lo como
    lo gli di da nel nella della dello delle degli dei che non alla si ha
    в на и с по из за от до о об не но а что как для к у это его ее их он она они был была было
    были при
    """

  /// Words that many titles have, and columns and series above all.
  private static let vague = """
    say says said new news report update live latest first last year month week day today people
    man woman top big biggest show announce announced release released version issue part episode
    podcast link links weekly daily morning evening open thread book review photo quote roundup
    newsletter briefing interview watch video read know need get go going make back set world
    neue neuer neues jahr tag woche heute lage worum geht überblick wichtig tipps
    nouveau année jour semaine nuevo año día год года году день
    """

  private static let dates = """
    january february march april may june july august september october november december
    jan feb mar apr jun jul aug sep sept oct nov dec
    monday tuesday wednesday thursday friday saturday sunday
    januar februar märz mai juni juli oktober dezember
    montag dienstag mittwoch donnerstag freitag samstag sonntag sonnabend
    janvier février mars avril juin juillet août septembre octobre novembre décembre
    lundi mardi mercredi jeudi vendredi samedi dimanche
    января февраля марта апреля мая июня июля августа сентября октября ноября декабря
    понедельник вторник среда среду четверг пятница пятницу суббота субботу воскресенье
    """

  /// From two on.
  private static let numerals = """
    two zwei deux dos два две|three drei trois tres три|four vier quatre cuatro четыре|
    five fünf cinq cinco пять|six sechs seis шесть|seven sieben siete семь|
    eight acht huit ocho восемь|nine neun neuf nueve девять|ten zehn dix diez десять|
    eleven elf onze|twelve zwölf douze doce|thirteen dreizehn|fourteen vierzehn|
    fifteen fünfzehn quinze|sixteen sechzehn|seventeen siebzehn|eighteen achtzehn|
    nineteen neunzehn|twenty zwanzig vingt veinte
    """
}
