/// Recognises the pages with which protection services keep programs out.
enum ProtectionService {
  /// Bytes of an error page that are looked at.
  static let pageBytes = 8_192

  /// The service's name, or nil for a server's own answer; `page` is the body's beginning.
  static func name(headers: ResponseHeaders, page: [UInt8]) -> String? {
    guard [403, 429, 503].contains(headers.status) else { return nil }
    if headers.isChallenge { return "Cloudflare" }
    let text = String(decoding: page, as: UTF8.self).lowercased()
    if let service = pages.first(where: { text.contains($0.words) }) { return service.name }
    // A busy origin behind one of these services answers 429 or 503 through it, so that there
    // its name alone means nothing.
    guard headers.status == 403, let server = headers.server else { return nil }
    return servers.first { server.hasPrefix($0.words) }?.name
  }

  private static let pages: [(words: String, name: String)] = [
    ("<title>just a moment...", "Cloudflare"),
    ("/cdn-cgi/challenge-platform/", "Cloudflare"),
    ("attention required! | cloudflare", "Cloudflare"),
    ("<title>ddos-guard", "DDoS-Guard"),
    ("errors.edgesuite.net", "Akamai"),
    ("sucuri website firewall", "Sucuri"),
    ("_incapsula_resource", "Imperva"),
    ("geo.captcha-delivery.com", "DataDome"),
    ("making sure you&#39;re not a bot", "Anubis"),
    ("making sure you're not a bot", "Anubis"),
  ]

  private static let servers: [(words: String, name: String)] = [
    ("cloudflare", "Cloudflare"),
    ("akamaighost", "Akamai"),
    ("ddos-guard", "DDoS-Guard"),
    ("sucuri", "Sucuri"),
    ("imperva", "Imperva"),
    ("datadome", "DataDome"),
  ]
}
