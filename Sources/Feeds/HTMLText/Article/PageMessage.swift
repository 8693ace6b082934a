/// Recognises pages that have a message in place of an article.
enum PageMessage {
  private static let maximumLength = 4096
  private static let minimumWords = 3
  private static let shortLength = 600
  private static let shortestLength = 60

  /// Returns true for a few words about the page itself, and for a question for consent.
  static func isMessage(_ html: [UInt8]) -> Bool {
    guard html.count < shortLength else { return isConsent(html) }
    let text = PhraseText.folded(html)
    return messages.isFound(in: text) || isConsent(html)
      || html.count < shortestLength && words.isFound(in: text)
  }

  private static let messages = PhraseTable(
    "page not found|was not found|not be found|no longer available|enable javascript|"
      + "javascript is|requires javascript|javascript aktiv|just a moment|checking your browser|"
      + "checking if the|access denied|captcha|not a robot|bad gateway|internal server error|"
      + "too many requests|something went wrong|nicht gefunden|introuvable|página no encontrada|"
      + "página não encontrada|pagina non trovata|pagina niet gevonden|hittades inte|"
      + "nie znaleziono|страница не найдена|見つかりません|页面不存在|找不到"
  )

  /// Words that in a longer text may be the writer's.
  private static let words = PhraseTable(
    ">gone|not found|404|403|loading|please wait|unavailable|forbidden|redirect|log in|sign in|"
      + "bitte warten|einen moment|weiterleitung"
  )

  private static func isConsent(_ html: [UInt8]) -> Bool {
    guard html.count <= maximumLength else { return false }
    let text = String(decoding: html, as: UTF8.self).lowercased()
    return text.contains("cookie") && consents.count(where: text.contains) >= minimumWords
  }

  /// Words of which none is a part of another.
  private static let consents = [
    "consent", "partner", "personal data", "accept all", "your privacy", "einwillig",
    "personenbezogen", "akzeptieren", "zustimm", "datenschutz", "partenaires", "accepter",
    "confidentialit", "données personnelles", "privacidad", "aceptar", "datos personales",
    "toestemming", "samtycke",
  ]
}
