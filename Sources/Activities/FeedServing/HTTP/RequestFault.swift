enum RequestFault: Error, Hashable {
  case badRequest(String)
  case notFound
  case mustBePosted
  /// The token, of the log-in or for a change, is foreign or has ended.
  case badToken
  /// The request has more fields than are read.
  case tooManyFields
  /// As many feeds as may be are being asked for apps.
  case busy
  case failed(String)

  var answer: HTTPAnswer {
    switch self {
    case .badRequest(let reason): .text(reason, 400)
    case .notFound: .text("not found", 404)
    case .mustBePosted: .text("to be posted", 405).adding("Allow", "POST")
    // Google and Miniflux name the header with the prefix, FreshRSS without.
    case .badToken:
      .text("Unauthorized", 401).adding("X-Reader-Google-Bad-Token", "true")
        .adding("Google-Bad-Token", "true")
    case .tooManyFields: .text("more than \(FormFields.mostFields) fields", 413)
    case .busy: .text("too many feeds at once: try again", 503).adding("Retry-After", "10")
    case .failed(let reason): .text(reason, 500)
    }
  }
}
