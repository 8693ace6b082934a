import CommandLine
import CommandSupport
import FeedFetching
import FeedLibrary
import FeedModel
import FeedStorage
import FeedUpdating

final class FeedSubscriber {
  let context: CommandContext
  var store: LibraryStore
  /// True once this command has changed a subscription: further changes join its step of `undo`.
  private var hasChanged = false
  var asked: [FetchRequest: FetchedDocument] = [:]
  /// The documents of new subscriptions whose stories are not stored yet, by URL.
  private var answers: [String: FetchedDocument] = [:]

  init(context: CommandContext, store: LibraryStore) {
    self.context = context
    self.store = store
  }

  struct Subscribed: Sendable {
    let subscription: Subscription
    let answer: FetchedDocument?
  }

  func follow(_ source: FeedSource) throws {
    let added = Result { try add(source) }
    try storeAnswers()
    try added.get()
  }

  /// Follows a source, whose stories `storeAnswers` stores.
  func add(_ source: FeedSource) throws {
    let found = try subscribe(source)
    for case .success(let new) in found {
      if let answer = new.answer { answers[new.subscription.url] = answer }
    }
    try throwLast(found)
  }

  func storeAnswers() throws {
    try RefreshRun(context: context, store: store, answers: answers).storeAnswers()
    answers = [:]
  }

  /// Asks for several new sources at once, before they are followed one after the other.
  ///
  /// A single one may have secrets and a filter, and is asked when it is followed.
  func ask(for sources: [FeedSource]) throws {
    guard sources.count > 1, !context.arguments.has("no-check") else { return }
    let known = SubscriptionMerge(try store.read().subscriptions)
    var wanted = Subscription(url: "")
    wanted.route = try FeedRoute().changed(context)
    wanted.settings.maximumBytes = try context.maximumBytes()
    var finder = FeedFinder(context: context, wanted: wanted, allowsPrivate: allowsPrivate)
    finder.ask(for: sources.filter { known.subscription(to: $0.url) == nil })
    asked = finder.asked
  }

  /// Reports all failures but the last, which is thrown.
  func throwLast(_ found: [Result<Subscribed, any Error>]) throws {
    var last: (any Error)?
    for case .failure(let error) in found {
      if let last { context.environment.report(last) }
      last = error
    }
    if let last { throw last }
  }

  func subscribe(_ source: FeedSource) throws -> [Result<Subscribed, any Error>] {
    store.typed = store.typed.union(context.typed(source))
    let all = SubscriptionMerge(try store.read().subscriptions)
    if let known = all.subscription(to: source.url) {
      let subscribed = try add(try subscription(known.url), nil)
      if WebURL.hasPassword(source.url), source.url != known.url {
        context.say("its URL stays as it was; for the one with this password: news move FEED URL")
      }
      return [.success(subscribed)]
    }
    if context.sourceTrust == .internet, WebURL.host(of: source.url).map(LocalHost.contains) ?? true
    {
      throw Failure("\(WebURL.printable(source.url)): \(FetchError.privateNetwork)")
    }
    let wanted = try subscription(source.url)
    if context.arguments.has("no-check") { return [.success(try add(wanted, nil))] }
    let finder = FeedFinder(
      context: context,
      wanted: wanted,
      allowsPrivate: allowsPrivate,
      asked: asked,
    )
    return try finder.find(source).map { found in
      Result { try add(try found.get(), from: source.url) }
    }
  }

  func add(_ found: FoundFeed, from source: String) throws -> Subscribed {
    var new = try subscription(found.url)
    if new.hasSecrets, !found.takesPassword {
      let secret =
        new.passwordCommand != nil
        ? "password" : new.route.hasCertificates ? "certificate" : "headers"
      new.forgetSecrets()
      context.complain(
        "\(WebURL.printable(found.url)): on another site than you said; it gets no \(secret)"
      )
    }
    // The page is the one that the user named, and none to which that has led.
    if let site = StoryWords.site(of: source),
      StoryWords.isOneSite(found.page.flatMap(StoryWords.site), site)
    {
      new.state.site = site
    }
    new.state.title = found.feed.title
    new.state.link = found.feed.link
    new.state.learnNetwork(found.isOnInternet)
    return try add(new, found)
  }

  private func subscription(_ url: String) throws -> Subscription {
    let title = context.arguments.value("title").map { SafeText.line($0) }
    var new = Subscription(url: url, title: title?.isEmpty == true ? nil : title)
    new.tags = try context.tags(context.arguments.values("tag"))
    new.passwordCommand = try passwordCommand(url)
    new.headers = try RequestHeaders().changed(context)
    new.route = try FeedRoute().changed(context)
    new.filter = try context.commandLine("filter").flatMap { $0.isEmpty ? nil : $0 }
    new.settings.maximumBytes = try context.maximumBytes()
    if allowsPrivate { new.state.isOnInternet = false }
    if context.sourceTrust == .internet { new.state.isOnInternet = true }
    return new
  }

  private var allowsPrivate: Bool { context.arguments.has("allow-private") }

  /// Returns the command for the password; over http only for a user that the URL names.
  private func passwordCommand(_ url: String) throws -> String? {
    guard let command = context.arguments.value("password-command"), !command.isEmpty else {
      return nil
    }
    guard url.lowercased().hasPrefix("https:") || WebURL.account(of: url) != nil else {
      throw Failure(
        "\(WebURL.printable(url)): --password-command is for https, or for a URL with a user:"
          + " http://NAME@HOST/"
      )
    }
    return command
  }

  func add(_ new: Subscription, _ found: FoundFeed?) throws -> Subscribed {
    let merge = try store.subscribe(to: [new], by: context, joinsLast: hasChanged)
    hasChanged = hasChanged || merge.hasChanged
    guard let subscription = merge.added.first else {
      let known = merge.subscription(to: new.url) ?? new
      context.say(message(known, was: merge.known.first ?? known))
      return Subscribed(subscription: known, answer: nil)
    }
    context.say(Self.message(subscription, found))
    return Subscribed(subscription: subscription, answer: found?.document)
  }

  private func message(_ now: Subscription, was old: Subscription) -> String {
    let changes = now.changes(since: old, context.clock).map { ", \($0)" }
    return "already subscribed to \(FeedName.printable(old))" + changes.joined()
  }

  private static func message(_ subscription: Subscription, _ found: FoundFeed?) -> String {
    let name = FeedName.printable(subscription)
    let url = WebURL.printable(subscription.url)
    let stories = found.map { " (\(Count.stories($0.feed.items.count)))" } ?? ""
    return "subscribed to \(name)\(stories)" + (name == url ? "" : ": \(url)")
  }
}

extension CommandContext {
  /// The trust in a source: what an app asks for is not the user's own word.
  var sourceTrust: RequestTrust {
    arguments.has("public") && !arguments.has("allow-private") ? .internet : .reader
  }
}
