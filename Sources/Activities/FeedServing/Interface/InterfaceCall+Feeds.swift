internal import CommandLine
internal import FeedModel
internal import System

extension InterfaceCall {
  /// The most feeds in one request.
  private static let mostFeeds = 100

  func editSubscriptions() throws(RequestFault) {
    try checkChange()
    let names = try fields.values("s").map(Self.feed)
    guard !names.isEmpty, names.count <= Self.mostFeeds else {
      throw .badRequest("no feed, or more than \(Self.mostFeeds): s=feed/…")
    }
    let edit = try feedEdit()
    switch fields["ac"] {
    case "unsubscribe": try unsubscribe(names)
    case "subscribe": for name in names { try subscribe(name, edit) }
    case "edit": for name in names { try self.edit(name, edit) }
    default: throw .badRequest("ac is not one of subscribe, unsubscribe and edit")
    }
  }

  private static func feed(_ text: String) throws(RequestFault) -> String {
    guard case .feed(let name)? = StreamID(text) else { throw .badRequest("not a feed") }
    return name
  }

  private func feedEdit() throws(RequestFault) -> ServedEdit {
    var edit = ServedEdit()
    edit.title = fields["t"].map { SafeText.line($0) }.flatMap { $0.isEmpty ? nil : $0 }
    edit.added = try labels("a")
    edit.removed = try labels("r")
    return edit
  }

  /// Returns the tags that a field names; no name, and streams other than labels, change nothing
  /// in a feed.
  private func labels(_ field: String) throws(RequestFault) -> [String] {
    var tags: [String] = []
    for text in fields.values(field) {
      if case .label(let name)? = StreamID(text), !name.isEmpty { tags.append(try Self.tag(name)) }
    }
    try Self.check(tags)
    return tags
  }

  private func edit(_ name: String, _ edit: ServedEdit) throws(RequestFault) {
    guard let feed = try stories().feeds.feed(named: name) else {
      throw .badRequest("not followed: \(name)")
    }
    if !edit.isEmpty {
      try perform { try interface.actions.make(.init(.editFeed, edit, feeds: [feed.url])) }
    }
  }

  /// Subscribes to a feed, or changes it if it is followed already.
  private func subscribe(_ name: String, _ edit: ServedEdit) throws(RequestFault) {
    if try stories().feeds.feed(named: name) != nil { return try self.edit(name, edit) }
    let url = try Self.address(name)
    do {
      try interface.ask { try interface.actions.make(.init(.subscribe, edit, feeds: [url])) }
    } catch {
      if let fault = error as? RequestFault { throw fault }
      if (error as? Failure)?.status != .notAFeed {
        interface.options.tell("\(self.name): \(error)")
      }
      throw .badRequest("\(error)")
    }
  }

  private func unsubscribe(_ names: [String]) throws(RequestFault) {
    let feeds = try stories().feeds
    let urls = names.compactMap { feeds.feed(named: $0)?.url }
    if !urls.isEmpty {
      try perform { try interface.actions.make(.init(.unsubscribe, feeds: urls)) }
    }
  }

  /// Returns the URL that a user has typed, which must be of the web: files and commands are this
  /// machine's.
  private static func address(_ text: String) throws(RequestFault) -> String {
    let text = text.hasPrefix("feed/") ? String(text.dropFirst(5)) : text
    let url = text.contains("://") ? text : "https://\(text)"
    guard WebURL.isWeb(url), WebURL.host(of: url)?.isEmpty == false,
      url.utf8.count <= WebURL.maximumLength, url == SafeText.line(url)
    else { throw .badRequest("not a URL of the web") }
    return url
  }

  func addQuickly() throws(RequestFault) -> HTTPAnswer {
    try checkChange()
    let text = fields["quickadd"] ?? fields["q"] ?? ""
    let url = try Self.address(text)
    let known = Set(try stories().feeds.all.map(\.url))
    var reason: String?
    if try stories().feeds.feed(named: url) == nil {
      do {
        try interface.ask { try interface.actions.make(.init(.subscribe, feeds: [url])) }
      } catch {
        if let fault = error as? RequestFault { throw fault }
        reason = "\(error)"
      }
    }
    let feeds = try stories().feeds
    let new = feeds.all.first { !known.contains($0.url) } ?? feeds.feed(named: url)
    let result: [(key: String, value: PrintedJSON)] =
      if let new {
        [
          // Capy Reader takes it for the feed's URL, which it is in FreshRSS and Miniflux.
          ("query", .string(ServedFeeds.address(ofFeed: new.url))), ("numResults", .integer(1)),
          ("streamId", .string(StreamID.feed(ServedFeeds.name(ofFeed: new.url)).text)),
          ("streamName", .string(new.servedTitle)),
        ]
      } else {
        [
          ("query", .string(text)), ("numResults", .integer(0)),
          ("error", .string(reason ?? "no feed there")),
        ]
      }
    return .json(PrintedJSON.object(result).description)
  }

  func exportedList() throws(RequestFault) -> HTTPAnswer {
    let list = try perform { try interface.actions.exportedList() }
    return HTTPAnswer(type: "text/xml; charset=utf-8", Array(list.utf8))
      .adding("Content-Disposition", "attachment; filename=\"subscriptions.opml\"")
  }

  func importList() throws(RequestFault) {
    try checkChange()
    let list = String(decoding: request.body, as: UTF8.self)
    guard list.first(where: { !$0.isWhitespace && $0 != "\u{feff}" }) == "<" else {
      throw .badRequest("not OPML")
    }
    var change = ServedChange(.importList)
    change.text = list
    try perform { try interface.ask { try interface.actions.make(change) } }
  }
}
