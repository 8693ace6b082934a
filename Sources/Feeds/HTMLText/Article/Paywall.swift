import HTMLParsing

enum Paywall {
  static func isPrompt(_ text: [UInt8]) -> Bool { prompts.isFound(in: text) }

  static func prompts(in facts: PageFacts) -> [Int] {
    facts.tree.nodes.indices.filter { index in
      let node = facts.tree.nodes[index]
      guard node.names.contains(.paywall), !node.tag.isBody, node.tag != .article,
        facts.plainLengths[index] < shortLength
      else { return false }
      return offers.isFound(in: PhraseText.folded(facts.text(of: index, atMost: 2048)))
    }
  }

  /// Returns true if the article is only the beginning of what the page promises.
  static func isCut(_ facts: PageFacts, roots: [Int], length: Int32, hasPrompt: Bool) -> Bool {
    let claims = facts.tree.claims
    if facts.hasLimitedText || claims.isFree && !claims.isLimited { return false }
    if hasPrompt || endsInPrompt(facts, roots) { return true }
    guard claims.isLimited else { return false }
    // An English word and the space behind it are six characters, a German one seven.
    return claims.words > 0 ? Int(length) < claims.words * 3 : length < usualLength
  }

  /// A shorter part may be an offer; a longer one is text.
  static let shortLength: Int32 = 700
  /// A beginning is shorter, most articles are longer.
  private static let usualLength: Int32 = 2500
  private static let windowBefore = 400
  private static let windowBehind = 1500

  private static func endsInPrompt(_ facts: PageFacts, _ roots: [Int]) -> Bool {
    guard let root = roots.last else { return false }
    let nodes = facts.tree.nodes
    let last = (root..<nodes[root].end).last { nodes[$0].tag == .text }
    guard let last else { return false }
    let end = nodes[last].content.upperBound
    let range = max(0, end - windowBefore)..<min(facts.tree.text.count, end + windowBehind)
    return prompts.isFound(in: PhraseText.folded(facts.tree.text[range]))
  }

  private static let prompts = PhraseTable(
    "subscribe to continue|subscribe to read|subscribe to keep reading|subscribe now to read|"
      + "to continue reading|to read the full|to read the rest|to read this article|"
      + "to keep reading|to unlock this|unlock this article|unlock the full|"
      + "continue reading with|continue reading this article with|want to read more? subscribe|"
      + "this article is for subscribers|this article is for paid|this post is for paid|"
      + "this post is for subscribers|this content is for subscribers|this story is for subscribers|"
      + "article is for subscribers only|available to subscribers only|exclusive to subscribers|"
      + "exclusively for subscribers|for subscribers only|is reserved for subscribers|"
      + "only available to subscribers|this content is for members|this is a subscriber-only|"
      + "subscriber-only content|sign in to read|log in to read|log in to continue|"
      + "sign in to continue reading|register to continue|register to read|"
      + "already a subscriber? log in|already a subscriber? sign in|"
      + "start your free trial to|become a member to read|read the full article|"
      + "you have reached your limit of free articles|you've reached your limit of free articles|"
      + "member-only story|"
      + "jetzt weiterlesen|weiterlesen mit|weiter lesen mit|um weiterzulesen|um weiter zu lesen|"
      + "exklusiv für abonnenten|nur für abonnenten|dieser artikel ist abonnenten|"
      + "dieser inhalt ist exklusiv|diesen artikel weiterlesen|artikel freischalten|"
      + "mit einem abo weiterlesen|als abonnent|sie haben bereits ein abo|"
      + "testen sie unser angebot|den ganzen artikel lesen|lesen sie diesen artikel mit|"
      + "réservé aux abonnés|réservée aux abonnés|réservés aux abonnés|il vous reste|"
      + "abonnez-vous pour lire|pour lire la suite|pour lire l'intégralité|déjà abonné|"
      + "lire la suite de cet article|"
      + "exclusivo para suscriptores|solo para suscriptores|sólo para suscriptores|"
      + "suscríbete para seguir|suscríbete para leer|para seguir leyendo|para continuar leyendo|"
      + "conteúdo exclusivo para assinantes|exclusivo para assinantes|assine para continuar|"
      + "para continuar lendo|para continuar a ler|exclusivo assinantes|"
      + "riservato agli abbonati|contenuto riservato|per continuare a leggere|abbonati per leggere|"
      + "questo articolo è riservato|"
      + "alleen voor abonnees|exclusief voor abonnees|om verder te lezen|lees verder met|"
      + "verder lezen?|endast för prenumeranter|för att läsa vidare|läs vidare med|"
      + "bli prenumerant för|for abonnenter|bare for abonnenter|for at læse videre|"
      + "for å lese videre|kun for abonnenter|vain tilaajille|tilaajille|"
      + "tylko dla subskrybentów|tylko dla prenumeratorów|aby czytać dalej|"
      + "dostęp do pełnej treści|только для подписчиков|доступен по подписке|"
      + "чтобы читать дальше|оформите подписку|この記事は会員限定|会員限定記事|有料会員限定|"
      + "続きを読むには|订阅后阅读|付费阅读|登录后阅读全文"
  )

  private static let offers = PhraseTable(
    "subscri|subscribe|abonn|abo |abos|sign in|sign up|log in|login|anmelden|register|registrier|"
      + "suscri|assin|abbon|prenumer|tilaa|подпис|continue reading|weiterlesen|premium|unlock|"
      + "member|trial|€|per month|pro monat|会員|订阅"
  )
}
