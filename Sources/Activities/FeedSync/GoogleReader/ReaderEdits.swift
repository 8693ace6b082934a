internal import FeedFetching
internal import FeedModel

extension ReaderClient {
  static func form(_ ids: some Collection<ServerItemID>) -> String {
    ServiceCall.form(ids.map { ("i", $0.text) })
  }

  mutating func send(
    _ marks: [ServerEdit: [ServerItemID]],
    _ done: (ServerEdit, ArraySlice<ServerItemID>, ServerError?) -> Void,
  ) throws(ServerError) {
    var batches: [(edit: ServerEdit, ids: ArraySlice<ServerItemID>)] = []
    for edit in marks.keys.sorted() {
      let ids = marks[edit] ?? []
      batches += ids[...].batches(of: Self.mostIDs).map { (edit, $0) }
    }
    let forms = batches.map { edit, ids in
      Self.form(ids) + "&"
        + ServiceCall.form([(edit.isSet ? "a" : "r", "user/-/\(edit.mark.stream)")])
    }
    for ((edit, ids), answer) in zip(batches, try post(forms, to: "edit-tag")) {
      do throws(ServerError) {
        try Self.checkAccepted(answer, "edit-tag")
        done(edit, ids, nil)
      } catch {
        done(edit, ids, error)
      }
    }
  }

  mutating func send(_ edit: ServerFeedEdit) throws(ServerError) -> String {
    let stream = edit.stream ?? "feed/\(edit.url)"
    for form in edit.forms(stream) {
      try Self.checkAccepted(try post([form], to: "subscription/edit")[0], "subscription/edit")
    }
    return stream
  }

  private static func checkAccepted(_ answer: Answer, _ request: String) throws(ServerError) {
    guard try answer.get().prefix(64).starts(with: "OK".utf8) else {
      throw .answer("the answer to \(request) is not understood")
    }
  }
}

extension SyncKey.StoryMark {
  fileprivate var stream: String {
    switch self {
    case .tag(let name): "label/\(name)"
    case .read: "state/com.google/read"
    default: "state/com.google/starred"
    }
  }
}

extension ServerFeedEdit {
  /// The forms to post, with one folder each: of several, servers heed one.
  ///
  /// FreshRSS moves a feed that leaves any folder to none, so the added folders come last.
  fileprivate func forms(_ stream: String) -> [String] {
    let added = added.map { ("a", "user/-/label/\($0)") }
    let removed = removed.map { ("r", "user/-/label/\($0)") }
    var steps = removed.dropLast(added.count).map { [$0] }
    let rest = removed.suffix(added.count)
    for (number, label) in added.enumerated() {
      steps.append([label] + rest.dropFirst(number).prefix(1))
    }
    if steps.isEmpty { steps = [[]] }
    if let title { steps[0].insert(("t", title), at: 0) }
    return steps.enumerated().map { number, step in
      let action = number == 0 ? action : .edit
      return ServiceCall.form([("ac", action.rawValue), ("s", stream)] + step)
    }
  }
}
