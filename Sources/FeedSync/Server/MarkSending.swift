internal import FeedFetching
internal import FeedModel

/// Sends marks; of a batch that the server refuses halves, until the stories are found that it
/// refuses.
struct MarkSending {
  typealias Part = (ids: ArraySlice<ServerItemID>, error: ServerError)

  struct Outcome {
    fileprivate(set) var taken: [(edit: ServerEdit, ids: ArraySlice<ServerItemID>)] = []
    fileprivate(set) var refused: [ServerEdit: [Part]] = [:]
    /// Why marks wait that the server has said nothing about.
    fileprivate(set) var failures: [ServerError] = []
    /// Whether there were too many refusals to find all stories that are refused.
    fileprivate(set) var isUnfinished = false
  }

  private(set) var outcome = Outcome()
  /// Those of one story.
  private var single: [ServerEdit: [Part]] = [:]
  /// Those of several stories, not all of which may be refused.
  private var open: [(edit: ServerEdit, part: Part)] = []
  private var unsplit: [ServerEdit: [Part]] = [:]
  /// Those that were refused before.
  private let known: Set<ServerChange>
  /// By edit: how many halves were refused.
  private var refusals: [ServerEdit: Int] = [:]

  /// Halves that a server may refuse in a run, and of one edit before it has taken any: one bad story
  /// among 250 costs eight.
  private static let (mostRefusals, mostInVain) = (64, 16)

  init(known: some Sequence<ServerChange>) { self.known = Set(known) }

  mutating func send(
    _ marks: [ServerEdit: [ServerItemID]],
    by client: inout any ServerClient,
  ) throws(ServerError) {
    defer { judge() }
    try client.send(marks) { take($0, $1, $2) }
    while outcome.failures.isEmpty, let (edit, part) = open.popLast() {
      guard mayHalve(edit) else {
        unsplit[edit, default: []].append(part)
        continue
      }
      let ids = part.ids
      for half in [ids.prefix(ids.count / 2), ids.dropFirst(ids.count / 2)] {
        try client.send([edit: Array(half)]) { edit, ids, error in
          if error != nil { refusals[edit, default: 0] += 1 }
          take(edit, ids, error)
        }
      }
    }
  }

  private mutating func take(
    _ edit: ServerEdit,
    _ ids: ArraySlice<ServerItemID>,
    _ error: ServerError?,
  ) {
    guard let error else { return outcome.taken.append((edit, ids)) }
    if !error.isAboutMarks {
      outcome.failures.append(error)
    } else if ids.count > 1 {
      open.append((edit, (ids, error)))
    } else {
      single[edit, default: []].append((ids, error))
    }
  }

  private func hasTaken(_ edit: ServerEdit) -> Bool {
    outcome.taken.contains { $0.edit == edit }
  }

  private func mayHalve(_ edit: ServerEdit) -> Bool {
    refusals.values.reduce(0, +) < Self.mostRefusals
      && (hasTaken(edit) || refusals[edit, default: 0] < Self.mostInVain)
  }

  /// Decides what is refused, and what waits since the server may be in trouble.
  ///
  /// A server that takes other marks has looked at these; and so it has where it says of each story
  /// by itself that the request is bad (4xx), or what it said before.
  private mutating func judge() {
    for (edit, part) in open { unsplit[edit, default: []].append(part) }
    for edit in Set(single.keys).union(unsplit.keys) {
      let (ones, rest) = (single[edit] ?? [], unsplit[edit] ?? [])
      let areBad = rest.isEmpty && ones.allSatisfy { isBad($0, edit) }
      if hasTaken(edit) {
        if !ones.isEmpty { outcome.refused[edit] = ones }
        if !rest.isEmpty { outcome.isUnfinished = true }
      } else if !outcome.taken.isEmpty && outcome.failures.isEmpty || areBad {
        outcome.refused[edit] = ones + rest
      } else if let error = (ones + rest).first?.error {
        outcome.failures.append(error)
      }
    }
  }
}

extension MarkSending {
  private func isBad(_ part: Part, _ edit: ServerEdit) -> Bool {
    part.error.isBadRequest || part.ids.allSatisfy { known.contains(.story(edit, $0)) }
  }
}

extension ServerError {
  private var status: Int? {
    if case .request(let error) = self { error.status } else { nil }
  }

  fileprivate var isBadRequest: Bool { status.map { 400..<500 ~= $0 } ?? false }

  /// Returns whether the server has looked at the marks of a request, and would not have them: others
  /// may be taken.
  fileprivate var isAboutMarks: Bool {
    guard case .request(let error) = self, !error.isUnasked, let status = error.status else {
      return false
    }
    return 400...501 ~= status && ![401, 407, 408, 429].contains(status)
  }

  /// Returns whether the server has said no to a change of one feed: others may be taken.
  ///
  /// It asks the feed first, which may take too long.
  var isAboutFeed: Bool {
    switch self {
    case .request(let error) where error.isUnasked: false
    case .request(let error):
      error.status.map { ![401, 407, 429, 503].contains($0) } ?? error.isOfAnswer
    case .answer: true
    case .refused: false
    }
  }
}

extension FetchError {
  /// Returns whether a server was reached, and did not answer to the end.
  fileprivate var isOfAnswer: Bool {
    switch self {
    case .connectionClosed, .stalled, .tooSlow, .transferTimeout, .truncated: true
    default: false
    }
  }
}
