import System

struct ResponseHeaders: Sendable {
  private(set) var status = 0
  private(set) var isComplete = false
  private(set) var etag: String?
  /// The time as the server sent it, byte for byte; nil for a text that is no time, and for a time
  /// after the answer's own (RFC 9110 §8.8.2.1), which would be answered with 304 for ever.
  var lastModified: String? {
    guard let claimedTime, let time = HTTPDate.validator(claimedTime) else { return nil }
    return freshness.date.map { time > $0 } == true ? nil : claimedTime
  }
  private var claimedTime: String?
  private(set) var freshness = Freshness()
  private(set) var retryAfter: RetryAfter?
  private(set) var mediaType: MediaType?
  private(set) var location: String?
  private(set) var server: String?
  private(set) var links: [String] = []
  private(set) var refresh: String?
  /// The compressions that the body is said to have (RFC 9110 §8.4), without words that name none: a
  /// charset, `8bit`, `none`.
  private(set) var codings: [String] = []
  /// The compressions of the transfer, which nobody has asked for and libcurl undoes as well.
  private(set) var transferCodings: [String] = []
  /// The length of the body as it is sent.
  private(set) var contentLength: Int?
  private(set) var contentRange: ContentRange?
  private(set) var isChunked = false
  /// True for HTTP/2 or later, which mark the end of every body.
  private(set) var isMultiplexed = false
  /// True if a proxy has passed the answer on, and does not say that it is its own (`Proxy-Status`,
  /// RFC 9209; Squid's `X-Squid-Error`).
  var isPassedOn: Bool { hasVia && !isProxysOwn }
  private var hasVia = false
  private var isProxysOwn = false
  private(set) var offersDigest = false
  /// True for Cloudflare's `cf-mitigated: challenge`.
  private(set) var isChallenge = false
  private var lastName = ""

  /// Reads one line with its line end, as libcurl gives them.
  ///
  /// A status line begins anew, after `100 Continue` and after a refusal that is asked again with a
  /// password. A line after any other head is a trailer of a chunked body: never a header.
  mutating func read(_ line: UnsafeRawBufferPointer) {
    if isComplete && !mayBeFollowed {
      return
    } else if line.starts(with: Self.protocolName) {
      self = ResponseHeaders()
      status = Self.status(line)
      isMultiplexed = !line.starts(with: Self.protocolName + Array("1".utf8))
    } else if isComplete {
      return
    } else if line.first == 0x0D || line.first == 0x0A {
      isComplete = true
    } else if line.first == 0x20 || line.first == 0x09 {
      dropFolded()
    } else if let colon = line.firstIndex(of: 0x3A) {
      lastName = String(decoding: line[..<colon], as: UTF8.self).lowercased()
      readField(lastName, UnsafeRawBufferPointer(rebasing: line[(colon + 1)...]))
    }
  }

  private var mayBeFollowed: Bool {
    status < 200 || status == 401 || status == 407
  }

  /// Drops a validator that goes on in another line: it could not be sent back as it came.
  private mutating func dropFolded() {
    switch lastName {
    case "etag": etag = nil
    case "last-modified": claimedTime = nil
    default: break
    }
  }

  private static let maximumLinks = 64
  private static let protocolName: [UInt8] = Array("HTTP/".utf8)

  private static func status(_ line: UnsafeRawBufferPointer) -> Int {
    let afterVersion = line.drop { $0 != 0x20 }.drop { $0 == 0x20 }
    let digits = afterVersion.prefix { $0.isASCIIDigit }.prefix(4)
    return Int(String(decoding: digits, as: UTF8.self)) ?? 0
  }

  private mutating func readField(_ name: String, _ bytes: UnsafeRawBufferPointer) {
    let value = { HTTPField.trimmed(String(decoding: bytes, as: UTF8.self)) }
    switch name {
    case "etag": etag = etag ?? Self.validator(bytes)
    case "last-modified": claimedTime = claimedTime ?? Self.validator(bytes)
    case "content-type": mediaType = mediaType ?? MediaType(value())
    case "cache-control": freshness.readCacheControl(value())
    case "expires": freshness.readExpires(value())
    case "date": freshness.date = HTTPDate.date(value())
    case "age": freshness.readAge(value())
    case "retry-after": retryAfter = RetryAfter(value())
    case "location": location = location ?? Self.location(bytes)
    case "www-authenticate": offersDigest = offersDigest || Self.offersDigest(value())
    case "link": if links.count < Self.maximumLinks { links.append(value()) }
    case "refresh": refresh = refresh ?? value()
    case "server": server = value().lowercased()
    case "content-length": contentLength = contentLength ?? ContentRange.number(value()[...])
    case "content-range": contentRange = contentRange ?? ContentRange(value())
    case "transfer-encoding":
      isChunked = isChunked || value().lowercased().contains("chunked")
      transferCodings += Self.codings(value())
    case "content-encoding": codings += Self.codings(value())
    case "via": hasVia = true
    case "proxy-status", "x-squid-error": isProxysOwn = true
    case "cf-mitigated": isChallenge = value().lowercased().contains("challenge")
    default: break
    }
  }

  private static func codings(_ field: String) -> [String] {
    field.lowercased().split(separator: ",").map(HTTPField.trimmed)
      .filter(["gzip", "x-gzip", "deflate", "br", "zstd", "compress"].contains)
  }

  /// Looks for Digest; one line may have several challenges, with commas within and between them
  /// (RFC 9110 §11.6.1).
  private static func offersDigest(_ challenges: String) -> Bool {
    challenges.lowercased().split(separator: ",").contains { part in
      part.drop { $0 == " " }.hasPrefix("digest ")
    }
  }

  /// Reads a URL reference; bytes that are not UTF-8 are percent-encoded as they stand.
  private static func location(_ bytes: UnsafeRawBufferPointer) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return HTTPField.trimmed(text) }
    return HTTPField.trimmed(bytes.percentEncoded { $0 < 0x80 })
  }

  private static func validator(_ bytes: UnsafeRawBufferPointer) -> String? {
    let value = HTTPField.trimmed(String(decoding: bytes, as: UTF8.self))
    return HTTPField.isSafe(value) ? value : nil
  }
}

struct MediaType: Hashable, Sendable {
  /// The type in lower case, without parameters; nil when it is not printable ASCII.
  var name: String?
  var charset: String?

  init(_ field: String) {
    let parts = field.split(separator: ";", omittingEmptySubsequences: false)
    name = parts.first.flatMap { Self.value($0) }
    for part in parts.dropFirst() {
      // Some write `charset:gbk`.
      let pair = part.split(maxSplits: 1) { $0 == "=" || $0 == ":" }
      guard charset == nil, pair.count == 2,
        HTTPField.trimmed(pair[0]).lowercased() == "charset"
      else { continue }
      charset = Self.value(pair[1])
    }
  }

  private static func value(_ text: Substring) -> String? {
    let unquoted = HTTPField.trimmed(text.filter { $0 != "\"" && $0 != "'" }).lowercased()
    return HTTPField.isSafe(unquoted) && unquoted.utf8.count <= 128 ? unquoted : nil
  }
}

enum ProtectionService {
  static let pageBytes = 8_192

  /// Returns the service's name, empty for an unknown one, or nil for a server's own answer.
  static func name(headers: ResponseHeaders, page: [UInt8]) -> String? {
    guard [403, 429, 503].contains(headers.status) else { return nil }
    if headers.isChallenge { return "Cloudflare" }
    let text = String(decoding: page, as: UTF8.self).lowercased()
    if let service = pages.first(where: { text.contains($0.words) }) { return service.name }
    // A busy origin behind one of these services answers 429 or 503 through it, so that there its
    // name alone means nothing.
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
    ("/.within.website/", "Anubis"),
    ("awswaf", "AWS WAF"),
    ("vercel security checkpoint", "Vercel"),
    ("px-captcha", "HUMAN"),
    ("perfdrive.com", "Radware"),
    ("sec-if-cpt-container", "Akamai"),
    ("sgcaptcha", "SiteGround"),
    ("generated by wordfence", "Wordfence"),
    // Pages of unknown services.
    ("verify you are human", ""),
    ("verifying you are human", ""),
    ("checking your browser", ""),
    ("are you a robot", ""),
    ("are not a robot", ""),
    ("enable javascript and cookies to continue", ""),
    ("g-recaptcha", ""),
    ("h-captcha", ""),
    ("cf-turnstile", ""),
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
