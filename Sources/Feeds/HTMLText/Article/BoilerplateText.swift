/// Recognises foreign lines in an article by their words, in the languages of newspapers.
enum BoilerplateText {
  enum Kind {
    case line
    /// The elements below the line lead elsewhere.
    case introduction
    /// The line is there only for its links.
    case reference
  }

  static let maximumLength: Int32 = 240

  static func kind(of text: [UInt8]) -> Kind? {
    let line = Array(PhraseText.trimmed(text))
    if lines.contains(line) { return .line }
    if introductions.contains(line) { return .introduction }
    if notices.begins(line[...]) { return .line }
    return references.begins(line[...]) ? .reference : nil
  }

  private static func set(_ text: String) -> Set<[UInt8]> {
    Set(text.split(separator: "|").map { Array($0.utf8) })
  }

  private static let lines = set(
    "advertisement|advertising|ad|ads|sponsored|sponsored content|promoted|skip advertisement|"
      + "skip ad|story continues below|story continues below advertisement|continue reading below|"
      + "article continues below|article continues below advertisement|article continues after ad|"
      + "scroll to continue|continue reading|read more|click to expand|show more|loading|share|"
      + "share this|share this article|share this story|share on facebook|share on twitter|tweet|"
      + "print|print this page|email|e-mail|email this|copy link|save|follow us|like this|comments|"
      + "comment|leave a comment|leave a reply|no comments|view comments|back to top|top|"
      + "listen to this article|skip to content|skip to main content|sign up|subscribe|log in|"
      + "anzeige|werbung|teilen|drucken|merken|artikel teilen|kommentare|kommentieren|nach oben|"
      + "mehr anzeigen|zum seitenanfang|zur startseite|publicité|partager|imprimer|commenter|"
      + "commentaires|partager cet article|haut de page|la suite après la publicité|publicidad|"
      + "compartir|imprimir|comentarios|comentar|continúa leyendo|volver arriba|publicidade|"
      + "compartilhar|partilhar|comentários|continua após a publicidade|pubblicità|condividi|"
      + "stampa|commenti|advertentie|delen|deel dit artikel|reacties|annons|dela|"
      + "dela artikeln|artikeln fortsätter efter annonsen|annonse|annonce|del|reklama|reklam|"
      + "udostępnij|drukuj|komentarze|реклама|поделиться|комментарии|распечатать|mainos|jaa|"
      + "広告|シェア|分享|广告|廣告|공유|광고"
  )

  private static let introductions = set(
    "related|related articles|related stories|related posts|related content|related links|"
      + "related news|related topics|related coverage|recommended|recommended reading|"
      + "recommended for you|recommended stories|you may also like|you might also like|"
      + "you may also be interested in|more stories|more from|more news|more on this story|"
      + "more on this|most read|most popular|popular posts|trending|trending now|read next|up next|"
      + "see also on this site|latest news|latest stories|don't miss|editor's picks|"
      + "mehr zum thema|weitere artikel|weitere themen|ähnliche artikel|ähnliche beiträge|"
      + "lesen sie auch|das könnte sie auch interessieren|das könnte dich auch interessieren|"
      + "meistgelesen|meistgelesene artikel|zum thema|verwandte artikel|verwandte themen|"
      + "à lire aussi|lire aussi|à lire également|sur le même sujet|articles liés|"
      + "les plus lus|voir aussi sur ce site|lea también|lee también|también te puede interesar|"
      + "noticias relacionadas|artículos relacionados|más información|lo más leído|te recomendamos|"
      + "leia também|leia mais|veja também|notícias relacionadas|mais lidas|leggi anche|"
      + "articoli correlati|potrebbe interessarti|lees ook|lees meer|gerelateerde artikelen|"
      + "meest gelezen|läs också|läs mer|mest läst|relaterade artiklar|les også|læs også|"
      + "mest lest|czytaj także|czytaj też|zobacz także|zobacz też|polecane|przeczytaj także|"
      + "читайте также|читать также|по теме|материалы по теме|lue myös|関連記事|あわせて読みたい|おすすめ記事|"
      + "相关阅读|相关新闻|相關新聞|推荐阅读|为你推荐|猜你喜欢|点击排行|热门推荐|延伸閱讀|관련기사|많이 본 뉴스"
  )

  /// Beginnings of lines that are foreign whatever follows.
  private static let notices = PhraseTable(
    "all rights reserved|copyright ©|copyright 20|© 20|©20|© copyright|follow us on|"
      + "sign up for our|sign up to our|subscribe to our|subscribe to the|join our newsletter|"
      + "get our newsletter|like us on facebook|alle rechte vorbehalten|abonnieren sie unseren|"
      + "tous droits réservés|abonnez-vous à|inscrivez-vous à notre|todos los derechos reservados|"
      + "suscríbete a|síguenos en|todos os direitos reservados|inscreva-se na|siga-nos|"
      + "tutti i diritti riservati|riproduzione riservata|© riproduzione|iscriviti alla|seguici su|"
      + "alle rechten voorbehouden|schrijf je in voor|wszelkie prawa zastrzeżone|zapisz się na|"
      + "все права защищены|подписывайтесь на|подпишитесь на|this site uses cookies|"
      + "this article was originally published on|by submitting this form|"
      + "click to share on|share this on|posted in|filed under|tagged|tags:|topics:|categories:|"
      + "schlagwörter:|schlagworte:|étiquettes :|etiquetas:|tagi:|теги:"
  )

  /// Beginnings of lines that are foreign where most of the line is a link.
  private static let references = PhraseTable(
    "read more|read also|also read|read next|read:|related|more:|more on|watch:|watch more|"
      + "don't miss|recommended|you may also like|click here|lesen sie auch|lesen sie hier|"
      + "lesen sie mehr|mehr dazu|mehr zum thema|auch interessant|lire aussi|à lire|"
      + "lire également|lea también|lee también|lea más|más información|te puede|ver más|"
      + "leia também|leia mais|veja também|saiba mais|leggi anche|leggi di più|lees ook|lees meer|"
      + "läs också|läs mer|les også|læs også|czytaj także|czytaj też|czytaj więcej|zobacz|"
      + "przeczytaj|читайте также|читать далее|смотрите также|lue myös|tags|topics|source:"
  )
}
