import CommandSupport
import FeedLibrary
import FeedModel
import FeedStorage

struct UndoReport {
  let step: HistoryStep
  let undo: LibraryUndo
  let rulesBack: [StoryRule]
  let rulesGone: [StoryRule]
  let clock: WallClock

  var command: String { step.origin.command }

  var stories: Int {
    let removed = bringsStories ? undo.removed : 0
    let rejoined = isMove ? 0 : undo.rejoined
    return removed + undo.returned + undo.wereBack + rejoined + undo.unmarkedStories
  }

  var words: [String] {
    bringsStories ? added + marks + feeds + cleared : lists + feeds + cleared + rest + marks
  }

  /// True if the step has brought stories, or brought some back: its reversal removes them.
  private var bringsStories: Bool { !step.added.isEmpty || !step.returned.isEmpty }

  private var isMove: Bool { !undo.feeds.moves.isEmpty || undo.feeds.isUnmerging }

  private var added: [String] {
    guard undo.removed > 0 else { return [] }
    return [Count.of(undo.removed, "story is", "stories are") + " gone again"]
  }

  private var cleared: [String] {
    var words: [String] = []
    if undo.returned > 0 {
      words.append(Count.of(undo.returned, "story is back", "stories are back"))
    }
    if undo.rejoined > 0, !isMove {
      words.append(Count.of(undo.rejoined, "story is", "stories are") + " of the feed again")
    }
    if undo.wereBack > 0 { words.append("\(Count.stories(undo.wereBack)) had come back already") }
    return words
  }

  private var lists: [String] {
    step.lists.compactMap { fact in
      let name = (fact.old ?? fact.new).map { "the list \(SafeText.line($0.tag))" } ?? ""
      return fact.old == nil ? "no longer following \(name)" : "following \(name) again"
    }
  }

  private var feeds: [String] {
    let words = [
      ("following", undo.feeds.returned, " again"),
      ("no longer following", undo.feeds.removed, ""),
    ]
    return words.filter { !$0.1.isEmpty }.map { before, feeds, after in
      "\(before) \(Self.names(feeds))\(after)"
    } + changed
  }

  private static func names(_ feeds: [Subscription]) -> String {
    feeds.count == 1 ? FeedName.printable(feeds[0]) : Count.of(feeds.count, "feed")
  }

  private var changed: [String] {
    let feeds = undo.feeds.changed
    guard !feeds.isEmpty else { return [] }
    guard step.origin.isBack else {
      return ["\(Self.names(feeds)) \(feeds.count == 1 ? "is as it was" : "are as they were")"]
    }
    let again = feeds.map(changedAgain)
    guard again.allSatisfy({ !$0.changes.isEmpty && $0.changes == again[0].changes }) else {
      return ["\(Self.names(feeds)) \(feeds.count == 1 ? "is" : "are") changed again"]
    }
    return ["\(Self.names(again.map(\.feed))): \(again[0].changes.joined(separator: ", "))"]
  }

  /// Returns a feed without its change, and what that is, such as `tagged work`.
  private func changedAgain(_ feed: Subscription) -> (feed: Subscription, changes: [String]) {
    let fact = step.feeds.first { $0.old?.url == feed.url }
    guard let old = fact?.new, let new = fact?.old else { return (feed, []) }
    var before = feed
    for part in SubscriptionPart.different(old, new) { part.take(&before, from: old) }
    return (before, feed.changes(since: before, clock))
  }

  private var rest: [String] {
    var words: [String] = []
    // A move that was stopped before it came to the subscriptions.
    if undo.feeds.count == 0, isMove, !undo.change.stories.isEmpty {
      words.append("the stories are of their feed again")
    }
    // Rules that only followed a feed go back with it.
    return isMove ? words : words + rules
  }

  private var rules: [String] {
    let back = Set(rulesBack.map { $0.name.lowercased() })
    let gone = Set(rulesGone.map { $0.name.lowercased() })
    let groups = [
      (rulesBack.filter { !gone.contains($0.name.lowercased()) }, "back", "back"),
      (rulesGone.filter { !back.contains($0.name.lowercased()) }, "gone", "gone"),
      (
        rulesBack.filter { gone.contains($0.name.lowercased()) },
        step.origin.isBack ? "changed again" : "as it was",
        step.origin.isBack ? "changed again" : "as they were",
      ),
    ]
    return groups.filter { !$0.0.isEmpty }.map { rules, one, many in
      let names = rules.map { SafeText.line($0.name) }.joined(separator: ", ")
      return rules.count == 1 ? "rule \(names) is \(one)" : "rules \(names) are \(many)"
    }
  }

  private var marks: [String] {
    zip(step.marked, undo.unmarked).filter { $1 > 0 }.map { marked, count in
      let (are, have) = (
        Count.of(count, "story is", "stories are"), Count.of(count, "story has", "stories have"),
      )
      let which = step.origin.isBack ? "the later" : "the former"
      return switch marked.fact {
      case .article: have + " \(which) text back"
      case .text(let mark, let old, _):
        have + (old.isEmpty ? " no \(mark.kindName) again" : " \(which) \(mark.kindName) back")
      case .flag(.read, true): are + " unread again"
      case .flag(let flag, let isSet):
        are + (isSet ? " no longer \(flag.field.name)" : " \(flag.field.name) again")
      case .tagged(let name): are + " no longer tagged \(SafeText.line(name))"
      case .untagged(let name): are + " tagged \(SafeText.line(name)) again"
      }
    }
  }
}
