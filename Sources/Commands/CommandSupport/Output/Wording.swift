package import FeedModel

/// Counts of a run in words: `12 new in 3 feeds`, `0 new, 1 changed in 1 feed`.
package enum NewsCount {
  package static func text(_ new: Int, _ changed: Int, in feeds: String? = nil) -> String {
    "\(new) new" + (changed > 0 ? ", \(changed) changed" : "") + (feeds.map { " in \($0)" } ?? "")
  }

  package static func outcome(of run: RunRecord) -> String {
    run.isMetered ? "waited, metered" : text(run.outcome, run.new, run.changed)
  }

  /// Returns an outcome in words: `12 new`, `1 changed`, `nothing new`, `failed`.
  package static func text(_ outcome: Outcome, _ new: Int, _ changed: Int) -> String {
    guard outcome == .newData else { return word(outcome) }
    return new == 0 ? "\(changed) changed" : text(new, changed)
  }

  package static func word(_ outcome: Outcome) -> String {
    switch outcome {
    case .newData: "new"
    case .noData: "nothing new"
    case .failed: "failed"
    }
  }
}

package enum SharedCause {
  private static let maximumNames = 20
  /// The least number of feeds that are told in one line.
  static let many = 3

  /// Groups the elements that share a cause, in the place of the first; every other is alone.
  package static func groups<Element>(
    _ elements: [Element],
    by cause: (Element) -> String?,
    where isPrinted: ([Element]) -> Bool = { $0.count >= many },
  ) -> [[Element]] {
    let all = Dictionary(grouping: elements) { cause($0) }
    var told: Set<String> = []
    return elements.compactMap { element in
      guard let cause = cause(element), let group = all[cause], isPrinted(group) else {
        return [element]
      }
      return told.insert(cause).inserted ? group : nil
    }
  }

  /// Replaces the feed's host in an error by `…`, so that one reason reads alike for all hosts.
  package static func text(_ error: String, of url: String) -> String {
    guard let host = WebURL.host(of: url), !host.isEmpty else { return error }
    return error.split(separator: host, omittingEmptySubsequences: false).joined(separator: "…")
  }

  package static func names(_ names: [String]) -> String {
    let rest = names.count - maximumNames
    return names.prefix(maximumNames).joined(separator: ", ")
      + (rest > 0 ? " and \(rest) more" : "")
  }
}
