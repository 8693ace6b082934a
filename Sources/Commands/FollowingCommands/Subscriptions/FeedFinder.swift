import CommandLine
import CommandSupport
import FeedFetching
import FeedModel
package import FeedParsing
import FeedStorage
import FeedUpdating

struct FoundFeed: Sendable {
  let url: String
  let feed: Feed
  let document: FetchedDocument
  /// True if its server is on the internet; nil if unknown.
  let isOnInternet: Bool?
  /// True at the address that the user gave, where a password may go.
  let takesPassword: Bool
  /// The page that announced it in its head or header, and at whose word it was found.
  var page: String?
}

/// Finds the feed that a word means: the feed itself, or one that a web page announces.
package struct FeedFinder {
  let context: CommandContext
  /// The effect of `--no-check`, for messages.
  var unchecked = "subscribes"
  /// The subscription that is to be, whose filter is for the document of the source alone.
  let wanted: Subscription
  var allowsPrivate = false
  /// The documents that were asked for before, with others.
  var asked: [FetchRequest: FetchedDocument] = [:]

  /// Asks for several sources at once, then for the feeds that their pages announce.
  mutating func ask(for sources: [FeedSource]) {
    ask(sources.map { request($0.url) })
    // A new batch would forget the signal that ended this one.
    guard context.environment.interruption() == nil else { return }
    ask(sources.compactMap { asked[request($0.url)].flatMap(mainRequest) })
  }

  private mutating func ask(_ requests: [FetchRequest]) {
    var seen = Set(asked.keys)
    let new = requests.filter { seen.insert($0).inserted }
    guard !new.isEmpty else { return }
    for (request, document) in zip(new, documents(new)) { asked[request] = document }
  }

  /// Returns the feeds that are meant; of a page with several the user may choose some.
  func find(_ source: FeedSource) throws -> [Result<FoundFeed, any Error>] {
    var request = request(source.url)
    request.filter = wanted.filter
    switch try leadingOn(answer(to: request, orElse: alternative(to: source))) {
    case .feed(let found): return [.success(found)]
    case .page(let page, let announced) where wanted.filter == nil:
      return try choose(page, announced)
    case .page(let page, _):
      throw Failure("\(WebURL.printable(page.url)): the filter printed a web page, not a feed")
    }
  }

  /// Returns the answer at the address to which a page leads on by itself, if it does; once.
  private func leadingOn(_ answer: Answer) throws -> Answer {
    guard wanted.filter == nil, case .page(let page, let announced) = answer,
      let place = announced.first, place.evidence == .refresh
    else { return answer }
    return try self.answer(to: request(place.url, announcedBy: page))
  }

  /// Returns the feed at this address; a web page is refused, with the feeds that it announces.
  func feed(at url: String) throws -> FoundFeed {
    var request = request(url)
    request.filter = wanted.filter
    return try feed(request)
  }

  private enum Answer {
    case feed(FoundFeed)
    case page(FetchedDocument, [AnnouncedFeed])
  }

  /// Returns the same address by http, where the word had no scheme.
  ///
  /// nil where an account, a password or a header would go out in the clear.
  private func alternative(to source: FeedSource) -> String? {
    guard case .web(let url, let alternative?) = source, WebURL.account(of: url) == nil,
      wanted.passwordCommand == nil, wanted.headers.isEmpty
    else { return nil }
    return alternative
  }

  private func answer(
    to request: FetchRequest,
    orElse alternative: String? = nil,
  ) throws -> Answer {
    let name = WebURL.printable(request.url)
    guard let document = asked[request] ?? documents([request])[0] else {
      throw Failure("\(name): no answer")
    }
    if let alternative, case .failed(let error, nil) = document.outcome, !error.isUnasked {
      var other = request
      other.url = alternative
      return try answer(to: other)
    }
    switch document.feed {
    case .success(let feed): return .feed(Self.found(document, feed))
    case .failure(.webPage(let announced)): return .page(document, Self.distinct(announced))
    case .failure(.notAFeed(let root)) where root.lowercased() == "opml":
      throw Failure(
        "\(name): a list of feeds (OPML), not a feed; to follow it: "
          + "news subscribe --list \(ShellWord.asNeeded(name))"
      )
    case .failure(let error): throw Failure("\(name): \(SafeText.line("\(error)"))")
    case nil: throw failure(document)
    }
  }

  private func feed(_ request: FetchRequest) throws -> FoundFeed {
    switch try answer(to: request) {
    case .feed(let found): return found
    case .page(let page, let announced):
      let hint = announced.isEmpty ? "" : "; it announces:"
      throw Failure(
        "\(WebURL.printable(page.url)): a web page, not a feed\(hint)",
        choices: announced.map { Self.line($0, isVerbose: context.isVerbose) },
      )
    }
  }

  private func request(_ url: String) -> FetchRequest {
    var request = FetchRequest(url: url)
    request.passwordCommand = wanted.passwordCommand
    (request.headers, request.route) = (wanted.headers, wanted.route)
    request.trust = context.sourceTrust
    return request
  }

  /// Makes a request to an address that a page announces.
  ///
  /// It has secrets for the page's own site alone, and from a page on the internet it reaches no
  /// private network unless that is allowed.
  private func request(_ url: String, announcedBy page: FetchedDocument) -> FetchRequest {
    var request = request(url)
    guard let response = page.outcome.response else { return request }
    let trust = RequestTrust.announced(url, by: response, asked: page.url)
    if trust.givesPasswords {
      request.useAccount(of: page.url)
    } else {
      request.forgetSecrets()
    }
    request.trust = allowsPrivate ? trust.reachingPrivateNetworks : trust
    return request
  }

  private func documents(_ requests: [FetchRequest]) -> [FetchedDocument?] {
    // A library that cannot be read is reported when the subscription is saved.
    let library = try? context.store().read()
    return context.documents(
      requests,
      library: library,
      maximumBytes: wanted.settings.maximumBytes,
      line: context.progressLine(delay: 0.5),
    )
  }

  private func failure(_ document: FetchedDocument) -> Failure {
    let status = document.outcome.response?.status
    let reason =
      document.reason ?? status.map { "server answered \($0), without a document" } ?? "no answer"
    var hint =
      WebURL.isWeb(document.url) ? " (`--no-check` \(unchecked) without asking)" : ""
    // What no later fetch could do, either, is no reason to leave out the check.
    switch document.outcome {
    case .failed(.library, _), .failed(.tls(.authoritiesUnreadable), _): hint = ""
    case .failed(let error, _):
      switch FailureRemedy(error) {
      case .raiseLimit:
        hint =
          unchecked == "moves" ? "; feeds set --max-size allows more" : "; --max-size allows more"
      case .changeAccept: hint = "; other types may help: --header 'Accept: text/html'"
      default: break
      }
    default: break
    }
    // An app's user has no options.
    if context.arguments.has("public") { hint = "" }
    return Failure("\(WebURL.printable(document.url)): \(SafeText.line(reason))\(hint)")
  }

  private func choose(
    _ page: FetchedDocument,
    _ announced: [AnnouncedFeed],
  ) throws -> [Result<FoundFeed, any Error>] {
    tell(announced, of: page)
    guard !announced.isEmpty else { return [.success(try searchUsualPlaces(page))] }
    // Announced feeds are fetched as well: pages announce feeds that are long gone.
    if announced.count == 1 { return [followOnly(announced[0], of: page)] }
    let name = WebURL.printable(page.url)
    if let main = Self.main(of: announced) {
      let others = announced.dropFirst().map { WebURL.printable($0.url) }
      context.say(
        "\(name): its main feed is taken, comments are not: \(others.joined(separator: ", "))"
      )
      return [follow(main, of: page)]
    }
    let choices = announced.map { Self.line($0) }
    guard context.canAsk else {
      throw Failure(
        "\(name): a web page with \(choices.count) feeds; subscribe to one of them:",
        choices: choices,
      )
    }
    return try ask(choices, name).map { follow(announced[$0 - 1], of: page) }
  }

  /// Returns the feed that is taken without a question: all others are of comments.
  private static func main(of announced: [AnnouncedFeed]) -> AnnouncedFeed? {
    guard announced.count(where: { !$0.isOfComments }) == 1 else { return nil }
    return announced[0].isOfComments ? nil : announced[0]
  }

  private func mainRequest(of page: FetchedDocument) -> FetchRequest? {
    guard case .failure(.webPage(let announced)) = page.feed else { return nil }
    return Self.main(of: Self.distinct(announced)).map { request($0.url, announcedBy: page) }
  }

  private func tell(_ announced: [AnnouncedFeed], of page: FetchedDocument) {
    guard context.isVerbose else { return }
    let name = WebURL.printable(page.url)
    for feed in announced { context.say("\(name): found \(Self.line(feed, isVerbose: true))") }
    if announced.isEmpty {
      context.say("\(name): announces no feed; the usual addresses are asked")
    }
  }

  /// Follows the only feed of a page.
  ///
  /// The usual addresses may have a better one if that is uncertain, or a feed of comments.
  private func followOnly(
    _ announced: AnnouncedFeed,
    of page: FetchedDocument,
  ) -> Result<FoundFeed, any Error> {
    if announced.isOfComments, let found = try? searchUsualPlaces(page) { return .success(found) }
    let result = follow(announced, of: page)
    guard case .failure = result, !announced.evidence.isSure, !announced.isOfComments,
      let found = try? searchUsualPlaces(page)
    else { return result }
    return .success(found)
  }

  private func follow(
    _ announced: AnnouncedFeed,
    of page: FetchedDocument,
  ) -> Result<FoundFeed, any Error> {
    do {
      var found = try feed(request(announced.url, announcedBy: page))
      // A text may be a stranger's comment, and a redirect is another server's word.
      let isAnnounced =
        announced.evidence.isSure && RequestTrust.isOneSite(announced.url, found.url)
      if isAnnounced { found.page = page.outcome.response?.url }
      return .success(found)
    } catch {
      let page = WebURL.printable(page.url)
      let failure = Failure(error)
      guard failure.status == .failed else { return .failure(error) }
      let message = "\(page) announces \(failure.message)"
      return .failure(Failure(message, choices: failure.choices))
    }
  }

  private func ask(_ choices: [String], _ name: String) throws -> [Int] {
    var question = "\(name) has \(choices.count) feeds:\n"
    for (index, choice) in choices.enumerated() { question += "  \(index + 1)  \(choice)\n" }
    question += "Which one? [1-\(choices.count), several, or all] "
    let answer = context.ask(question)?.lowercased() ?? ""
    if answer == "all" { return Array(1...choices.count) }
    var numbers: [Int] = []
    for word in answer.split(whereSeparator: { " ,".contains($0) }) {
      guard case .numbers(let range) = StoryOperand(String(word)), range.upperBound <= choices.count
      else { throw Failure("no feed chosen; nothing subscribed") }
      numbers += range.filter { !numbers.contains($0) }
    }
    guard !numbers.isEmpty else { throw Failure("no feed chosen; nothing subscribed") }
    guard numbers.count == 1 || context.arguments.value("title") == nil else {
      throw Failure("--title is for one feed; nothing subscribed")
    }
    return numbers
  }

  /// Tries the folder of the page, as a blog may be a part of its site, then the root.
  private func searchUsualPlaces(_ page: FetchedDocument) throws -> FoundFeed {
    let base = page.source ?? page.url
    var asked: Set<String> = []
    for folder in ["./", "/"] where WebURL.isWeb(page.url) {
      let places = FeedAddress.usual(in: folder, of: base)
        .filter { asked.insert($0).inserted }
      for document in documents(places.map { request($0, announcedBy: page) }) {
        guard let document, case .success(let feed) = document.feed else { continue }
        if context.isVerbose {
          context.say("found \(WebURL.printable(document.url)), a usual address")
        }
        return Self.found(document, feed)
      }
    }
    let place = page.redirect.map { "; it redirects to \(WebURL.printable($0))" } ?? ""
    throw Failure(
      "\(WebURL.printable(page.url)): a web page, not a feed, and it announces none\(place)"
    )
  }

  private static func found(_ document: FetchedDocument, _ feed: Feed) -> FoundFeed {
    let response = document.outcome.response
    let moved = response?.permanentURL.flatMap { url in
      RequestTrust.mayMove(from: document.url, to: url) ? url : nil
    }
    let url = moved ?? document.url
    let mayBeInside =
      !WebURL.isWeb(url)
      || response?.trust.reachesPrivateNetworks ?? true
        && RequestTrust.mayLeadInside(document.url, to: url)
    return FoundFeed(
      url: url,
      feed: feed,
      document: document,
      isOnInternet: mayBeInside ? response?.isOnInternet : true,
      takesPassword: document.outcome.response?.trust.givesPasswords ?? true,
    )
  }

  private static func distinct(_ announced: [AnnouncedFeed]) -> [AnnouncedFeed] {
    announced.distinct { WebURL.canonical($0.url) }
  }

  package static func line(_ feed: AnnouncedFeed, isVerbose: Bool = false) -> String {
    let title = SafeText.line(feed.title ?? "")
    let url = WebURL.printable(feed.url)
    let reason = isVerbose ? "  (\(feed.reason))" : ""
    return (title.isEmpty ? url : "\(url)  \(title)") + reason
  }
}

extension AnnouncedFeed {
  fileprivate var reason: String {
    let words =
      switch evidence {
      case .header: "Link header"
      case .element: "link element"
      case .refresh: "the page leads on to it"
      case .typedLink: "link in the text with a feed's type"
      case .address: "link in the text that looks like a feed"
      case .name: "link in the text that is called RSS or Atom"
      }
    return words + (type.map { ", \(SafeText.line($0))" } ?? "")
  }
}
