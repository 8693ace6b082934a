import CommandLine
package import CommandSupport
import FeedFetching
import FeedImport
import FeedLibrary
import FeedModel
import FeedParsing
import FeedReading
import FeedStorage
package import FeedUpdating

/// Lists on the web that are followed: what comes and goes with them.
package struct FeedLists {
  let context: CommandContext
  let store: LibraryStore

  package static let maximumBytes = 32 << 20

  struct Answer: Sendable {
    let outcome: FetchOutcome
    /// The list; nil for one that has not changed, or did not come.
    var list: ImportedList?
    /// The title in its head.
    var title: String?
    var failure: String?
  }

  // MARK: Asking

  private func answers(
    to lists: [FeedList],
    in library: Library,
    until deadline: ContinuousClock.Instant? = nil,
    _ cancellation: FetchCancellation,
  ) -> [Answer?] {
    var options = context.fetchOptions(library: library)
    options.deadline = deadline
    return context.makeFetcher().answers(
      to: lists.map { list in
        let state = list.source.state
        var request = FetchRequest(list.source, validators: state.validators, index: 0)
        request.maximumBytes = Self.maximumBytes
        request.reading = OutlineReading().job
        return request
      },
      options: options,
      cancellation: cancellation,
      make: { [lists] in Answer($1, $2, lists[$0.index].permission) },
    )
  }

  /// Asks the lists that are due: to be called when the stories are safe.
  func refresh(_ tools: RunTools) throws {
    let library = try store.read()
    let due = library.feeds.lists.filter { $0.isDue(at: context.clock.date) }
    let end = tools.clock.fetchDeadline
    let answers = answers(to: due, in: library, until: end, tools.cancellation)
    for (list, answer) in zip(due, answers) {
      guard let answer, answer.outcome.error?.isUnasked != true else { continue }
      var origin = context.origin
      origin.author = .list(list.tag)
      let lines = try store.change { library in
        try take(answer, of: list, in: library, origin, asks: true)
      }
      for line in lines { context.say(line) }
    }
  }

  // MARK: Following

  /// Follows a list, or takes the changes of a followed one that wait.
  func follow(_ word: String) throws {
    let url = PastedAddress(word).url
    guard WebURL.isWeb(url) else {
      throw Failure("\(Spelling.quoted(word)): a list that is followed is on the web (http, https)")
    }
    let library = try store.read()
    let key = SubscriptionMerge.key
    // What is printed of a list has no account.
    let known =
      library.feeds.lists.first { key($0.url) == key(url) }
      ?? library.feeds.lists.first { WebURL.printable($0.url) == url }
    var list = known ?? FeedList(source: Subscription(url: url))
    list.takePassword(of: url)
    if WebURL.hasPassword(url), WebURL.origin(of: url) != WebURL.origin(of: list.url) {
      let place = WebURL.printable(list.url)
      context.complain("the password is not taken: the list is followed at \(place)")
    }
    list.source.route = try list.source.route.changed(context)
    if context.arguments.has("allow-private") { list.source.state.isOnInternet = false }
    list.source.state.validators = nil
    let name = WebURL.printable(url)
    let answers = answers(to: [list], in: library, context.cancellation())
    guard let answer = answers.first.flatMap(\.self) else {
      throw Failure("\(name): no answer")
    }
    if let failure = answer.failure { throw Failure("\(name): \(failure)") }
    if known == nil, answer.list == nil { throw Failure("\(name): no list came") }
    try nameTag(&list, answer)
    context.complain(of: answer.list?.refused ?? [])
    guard try known == nil || isAgreed(list, answer, library) else {
      return context.say("nothing was changed")
    }
    try store.prepareHome()
    let origin = context.origin
    let lines = try store.change { [list] library in
      try take(answer, of: list, in: library, origin, asks: false)
    }
    for line in lines { context.say(line) }
    if let known, known.url != list.url {
      context.say("the list \(list.printableTag): asked with another password")
    }
  }

  private func nameTag(_ list: inout FeedList, _ answer: Answer) throws {
    let typed = try context.tags(context.arguments.values("tag"))
    let title = FolderTag.tag([answer.title ?? ""])
    let usual = title.isEmpty ? WebURL.host(of: list.url) ?? "list" : title
    if !typed.isEmpty { list.source.tags = typed }
    if list.source.tags.isEmpty { list.source.tags = [usual] }
  }

  /// Asks before many feeds go with their stories.
  private func isAgreed(_ list: FeedList, _ answer: Answer, _ library: Library) throws -> Bool {
    guard let document = answer.list else { return true }
    let update = FeedListUpdate(list, to: document, in: library)
    guard update.isTooMany else { return true }
    return try context.confirm(
      "Take \(Self.counts(update.added.count, update.gone.count)) with the list \(list.printableTag)"
    )
  }

  // MARK: Taking

  /// Makes the change of an answer; with `asks`, too many feeds wait for the user.
  private func take(
    _ answer: Answer,
    of asked: FeedList,
    in library: Library,
    _ origin: ChangeOrigin,
    asks: Bool,
  ) throws -> (LibraryChange, [String]) {
    var lists = library.feeds.lists
    let index = lists.firstIndex { $0.name == asked.name }
    // Another process has ended it meanwhile.
    guard !asks || index != nil else { return (LibraryChange(), []) }
    // Another process may have changed it meanwhile.
    var list = asks ? index.map { lists[$0] } ?? asked : asked
    let (now, isNew) = (context.clock.date, index == nil)
    var change = LibraryChange()
    var lines: [String] = []
    if let document = answer.list {
      let update = FeedListUpdate(list, to: document, in: library)
      if asks, update.isTooMany {
        (list.bringing, list.taking) = (update.added.count, update.gone.count)
      } else {
        change = try update.change(origin)
        list = update.list
        (list.bringing, list.taking) = (0, 0)
        lines = try said(update, &change, in: library, isNew: isNew)
      }
      list.source.state.validators = answer.outcome.response?.validators
    }
    if let failure = answer.failure {
      list.fail(failure, at: now)
      lines = ["the list \(list.printableTag): \(failure); its feeds stay"]
    } else {
      list.succeed(at: now)
      if list.isWaiting { lines = [Self.waiting(list)] }
    }
    list.source.state.learnNetwork(answer.outcome.response?.isOnInternet)
    if let index { lists[index] = list } else { lists.append(list) }
    change.feeds.lists = lists
    var busy = BusyServers()
    busy.note(answer.outcome, to: list.url, now: now)
    if !busy.retryTimes.isEmpty {
      change.feeds.retryTimes = library.retryTimes
      change.feeds.retryTimes?.extend(by: busy.retryTimes)
    }
    return (change, lines)
  }

  private func said(
    _ update: FeedListUpdate,
    _ change: inout LibraryChange,
    in library: Library,
    isNew: Bool,
  ) throws -> [String] {
    let rules = try context.followFeeds(&change, of: library)
    let (added, gone) = (update.added.count, update.gone.count)
    let name = update.list.printableTag
    let there = update.list.feeds.count - added
    if isNew {
      let rest = there > 0 ? "; \(Count.of(there, "was", "were")) there already" : ""
      let next = "; `news refresh` fetches them"
      return ["following the list \(name): \(Count.of(added, "feed"))\(rest)\(next)"] + rules
    }
    guard added + gone > 0 else { return context.isVerbose ? ["the list \(name): unchanged"] : [] }
    return ["the list \(name): \(Self.counts(added, gone))"] + rules
  }

  private static func counts(_ added: Int, _ gone: Int) -> String {
    let parts = [added > 0 ? Count.of(added, "new feed") : nil, gone > 0 ? "\(gone) gone" : nil]
    return parts.compactMap(\.self).joined(separator: ", ")
  }

  /// Returns a line on a list for `news feeds`.
  static func words(_ list: FeedList, _ library: Library, _ clock: WallClock) -> String {
    if list.isWaiting { return waiting(list) }
    let count = library.subscriptions.count { $0.list == list.name }
    let start = "\(Count.of(count, "feed")) by the list \(list.printableTag)"
    if let error = list.source.state.lastError { return "\(start): \(error)" }
    let due = list.source.state.nextDue?.wholeSeconds
    let next = due.map { ", asked next \(RelativeDate(clock: clock).dueText($0))" }
    return start + (next ?? "")
  }

  static func waiting(_ list: FeedList) -> String {
    "the list \(list.printableTag) has changed much: \(counts(list.bringing, list.taking)); "
      + "nothing is changed until you say so: news subscribe --list "
      + ShellWord.asNeeded(WebURL.printable(list.url))
  }
}

extension FeedLists.Answer {
  fileprivate init(
    _ outcome: FetchOutcome,
    _ body: ReceivedBody,
    _ permission: ImportedURL.Permission,
  ) {
    self.outcome = outcome
    switch outcome {
    case .notModified: break
    case .failed(let error, _): failure = SafeText.line("\(error)")
    case .content:
      do throws(FeedParsingError) {
        read(try OutlineReading().value(of: body), permission)
      } catch {
        failure = OPMLImport.reason(error)
      }
    }
  }

  /// Takes a whole list with feeds: any other is no proof that the feeds are to go.
  private mutating func read(_ document: OutlineDocument, _ permission: ImportedURL.Permission) {
    var new = OPMLImport.list(of: document, permission)
    // Pages that the user has saved are no list's to bring or to take away.
    new.subscriptions.removeAll { !WebURL.isWeb($0.url) }
    let titles = document.head.filter { $0.name.lowercased() == "title" }.map(\.text)
    title = titles.first.map { SafeText.line($0) }
    if new.isCutShort {
      failure = "it breaks off"
    } else if new.subscriptions.isEmpty {
      failure = "there is no feed in it" + (new.refused.first.map { ": \($0.reason)" } ?? "")
    } else if new.subscriptions.count > ImportedStories.maximumFeeds {
      failure = "refused: number of feeds over \(ImportedStories.maximumFeeds)"
    } else {
      list = new
    }
  }
}

extension FeedList {
  /// Feeds of a list may be in private networks only where the user has said so.
  fileprivate var permission: ImportedURL.Permission {
    ImportedURL.Permission(privateNetworks: source.state.isOnInternet == false)
  }

  var printableTag: String { SafeText.line(tag) }
}

extension CommandContext {
  package func complain(of refused: [ImportedList.LeftOut]) {
    for group in SharedCause.groups(refused, by: { isVerbose ? nil : $0.reason }) {
      let (text, reason) = (Spelling.quoted(WebURL.redacted(group[0].text)), group[0].reason)
      complain(
        group.count > 1
          ? "\(group.count) left out (-v lists them): \(reason)" : "\(text): \(reason); left out"
      )
    }
  }
}
