internal import CommandLine
internal import FeedModel
internal import FeedStorage
internal import System

extension InterfaceCall {
  /// The most tags times stories in a request.
  private static let mostTagged = 5_000

  func change() throws(RequestFault) -> HTTPAnswer {
    switch name {
    case "edit-tag": try editTags()
    case "mark-all-as-read": try markAllRead()
    case "rename-tag": try renameTag()
    case "disable-tag": try disableTags()
    case "subscription/edit": try editSubscriptions()
    case "subscription/quickadd": return try addQuickly()
    case "subscription/import": try importList()
    case "subscription/export": return try exportedList()
    default: throw .notFound
    }
    return .text("OK")
  }

  /// Refuses a change that is not posted, and one with a token that is none.
  ///
  /// No web page can send its reader's authorization, so that the token may be missing, as it is
  /// from some apps of FreshRSS.
  func checkChange() throws(RequestFault) {
    guard request.method == "POST" else { throw .mustBePosted }
    guard let token = fields["T"], token != "x" else { return }
    guard interface.isValid(token) else { throw .badToken }
  }

  /// Performs work whose failure lies in the store or in another server's answer.
  func perform<R>(_ body: () throws -> R) throws(RequestFault) -> R {
    do { return try body() } catch let failure as Failure where failure.status == .notAFeed {
      throw .badRequest(failure.message)
    } catch {
      if let fault = error as? RequestFault { throw fault }
      if error is TagLimit { throw .badRequest("\(error)") }
      interface.options.tell("\(name): \(error)")
      throw .failed("\(error)")
    }
  }

  private func editTags() throws(RequestFault) {
    try checkChange()
    var edit = ServedEdit()
    for name in fields.values("r") { try set(name, false, in: &edit) }
    for name in fields.values("a") { try set(name, true, in: &edit) }
    let ids = fields.values("i")
    guard ids.contains(where: ServedStories.isID) else { throw .badRequest("no story: i=…") }
    let stories = try stories()
    try mark(edit, stories.stories(named: ids), of: stories)
  }

  private func set(_ name: String, _ isSet: Bool, in edit: inout ServedEdit) throws(RequestFault) {
    switch try StreamQuery.stream(name) {
    case .read: edit.marks[.read] = isSet
    case .unread: edit.marks[.read] = !isSet
    case .starred: edit.marks[.starred] = isSet
    case .label(let text):
      let tag = try Self.tag(text)
      if isSet { edit.added.append(tag) } else { edit.removed.append(tag) }
    case .readingList, .feed, .empty: break
    }
  }

  /// Marks a stream's unread stories as read, up to those that lists had at a time.
  private func markAllRead() throws(RequestFault) {
    try checkChange()
    guard let name = fields["s"] else { throw .badRequest("no stream: s=feed/…") }
    var query = StreamQuery([try StreamQuery.stream(name)])
    query.excluding = [.read]
    let end = try StreamQuery.time(fields["ts"]) ?? .max
    query.arrived = .min...end
    var edit = ServedEdit()
    edit.marks[.read] = true
    let stories = try stories()
    let found = query.matches(of: stories).filter { stories.wasListed($0, at: end) }
    try mark(edit, found, of: stories)
  }

  private func mark(
    _ edit: ServedEdit,
    _ found: [ServedStory],
    of stories: ServedStories,
  ) throws(RequestFault) {
    guard !edit.isEmpty, !found.isEmpty else { return }
    // The home is locked meanwhile: others wait for it.
    guard (edit.added.count + edit.removed.count) * found.count <= Self.mostTagged else {
      throw .badRequest("more than \(Self.mostTagged) tags of stories at once")
    }
    var change = ServedChange(.mark, edit)
    try perform {
      change.stories = try stories.ids(of: found)
      try interface.actions.make(change)
    }
  }

  private func renameTag() throws(RequestFault) {
    try checkChange()
    try rename(try tags("s", "t")[0], to: [try tags("dest")[0]])
  }

  private func disableTags() throws(RequestFault) {
    try checkChange()
    for tag in try tags("s", "t") { try rename(tag, to: []) }
  }

  private func rename(_ tag: String, to new: [String]) throws(RequestFault) {
    var edit = ServedEdit()
    (edit.removed, edit.added) = ([tag], new)
    try perform { try interface.actions.make(.init(.renameTag, edit)) }
  }

  /// Returns the tags that fields name, alone or as streams; there is at least one.
  private func tags(_ names: String...) throws(RequestFault) -> [String] {
    let texts = names.flatMap { fields.values($0) }
    guard !texts.isEmpty else { throw .badRequest("no tag: \(names[0])=user/-/label/…") }
    try Self.check(texts)
    return try texts.map { (text) throws(RequestFault) in
      if case .label(let name)? = StreamID(text) { return try Self.tag(name) }
      guard StreamID(text) == nil else { throw .badRequest("not a tag") }
      return try Self.tag(text)
    }
  }

  /// Refuses more tags in one request than a story can have.
  static func check(_ tags: [String]) throws(RequestFault) {
    guard tags.count <= TagList.most else { throw .badRequest("\(TagLimit())") }
  }

  static func tag(_ text: String) throws(RequestFault) -> String {
    let tag = SafeText.line(text)
    guard !tag.isEmpty, SyncKey.isTag(tag) else {
      throw .badRequest("a tag has at most \(SyncKey.maximumTag) characters")
    }
    return tag
  }
}
