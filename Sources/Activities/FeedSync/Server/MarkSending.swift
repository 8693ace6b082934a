internal import FeedFetching
internal import FeedModel

/// Sends marks, and halves a batch that the server refuses until the refused stories are found.
struct MarkSending {
  typealias Part = (ids: ArraySlice<ServerItemID>, error: ServerError)

  struct Outcome {
    fileprivate(set) var taken: [(edit: ServerEdit, ids: ArraySlice<ServerItemID>)] = []
    fileprivate(set) var refused: [ServerEdit: [Part]] = [:]
    /// Errors that say nothing about the marks, which wait for the next sync.
    fileprivate(set) var failures: [ServerError] = []
    /// True if too many refusals ended the search for the refused stories.
    fileprivate(set) var isUnfinished = false
  }

  private(set) var outcome = Outcome()
  private var single: [ServerEdit: [Part]] = [:]
  private var open: [(edit: ServerEdit, part: Part)] = []
  private var unsplit: [ServerEdit: [Part]] = [:]
  private let known: Set<ServerChange>
  private var refusals: [ServerEdit: Int] = [:]

  /// The most refused halves in a run, and of one edit before the server has taken any.
  ///
  /// One bad story among 250 costs eight.
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

  /// Decides which marks are refused, and which wait because the server may be in trouble.
  ///
  /// A server that takes other marks has looked at these. So has one that answers 4xx for every
  /// single story, or repeats an earlier refusal.
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

  /// True if the server refused the marks themselves, so that it may take others.
  var isAboutMarks: Bool {
    guard case .request(let error) = self, !error.isUnasked, let status = error.status else {
      return false
    }
    return 400...501 ~= status && ![401, 407, 408, 429].contains(status)
  }

  /// True if the server refused a change of one feed, so that it may take others.
  ///
  /// It asks the feed first, which may take too long: an answer that breaks off is a refusal too.
  var isAboutFeed: Bool {
    switch self {
    case .request(let error) where error.isUnasked: false
    case .request(let error):
      error.status.map { ![401, 407, 429, 503].contains($0) } ?? error.isOfAnswer
    case .answer: true
    case .refused, .absent: false
    }
  }
}

extension FetchError {
  fileprivate var isOfAnswer: Bool {
    switch self {
    case .brokenHTTP2, .connectionClosed, .stalled, .tooSlow, .transferTimeout, .truncated: true
    default: false
    }
  }
}
