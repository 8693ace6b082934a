import FeedModel
import FeedStorage
import FeedUpdating
import System

/// What `news undo` says of what it has taken back.
struct UndoReport {
  let record: UndoRecord
  let undo: LibraryUndo
  let rulesBack: [StoryRule]
  let rulesGone: [StoryRule]

  /// Such as `read`.
  var command: String { record.command }

  var stories: Int {
    let removed = record.added == nil ? 0 : undo.removed
    let rejoined = record.move == nil ? undo.rejoined : 0
    return removed + undo.returned + undo.wereBack + rejoined + undo.unmarkedStories
  }

  /// Such as `2 stories are unread again`; none where nothing was left to take back.
  var words: [String] {
    record.added == nil ? feeds + cleared + rest + marks : added + marks + feeds
  }

  private var added: [String] {
    guard undo.removed > 0 else { return [] }
    return [Count.of(undo.removed, "story is", "stories are") + " gone again"]
  }

  private var cleared: [String] {
    var words: [String] = []
    if undo.returned > 0 {
      words.append(Count.of(undo.returned, "story is back", "stories are back"))
    }
    if undo.rejoined > 0, record.move == nil {
      words.append(Count.of(undo.rejoined, "story is", "stories are") + " of the feed again")
    }
    if undo.wereBack > 0 { words.append("\(Count.stories(undo.wereBack)) had come back already") }
    return words
  }

  private var feeds: [String] {
    let words = [
      ("following", undo.feeds.returned, "again"), ("no longer following", undo.feeds.removed, ""),
      (
        "", undo.feeds.changed, undo.feeds.changed.count == 1 ? "is as it was" : "are as they were",
      ),
    ]
    return words.filter { !$0.1.isEmpty }.map { before, feeds, after in
      let names = feeds.count == 1 ? FeedName.printable(feeds[0]) : Count.of(feeds.count, "feed")
      return [before, names, after].filter { !$0.isEmpty }.joined(separator: " ")
    }
  }

  private var rest: [String] {
    var words: [String] = []
    if undo.feeds.count == 0 {
      if record.outlines != nil { words.append("exported lists are arranged as they were") }
      // A move that was stopped before it came to the subscriptions.
      if record.move != nil, undo.change.items != nil {
        words.append("the stories are of their feed again")
      }
    }
    // Rules that only followed a feed go back with it.
    return record.move == nil ? words + rules : words
  }

  private var rules: [String] {
    let back = Set(rulesBack.map { $0.name.lowercased() })
    let gone = Set(rulesGone.map { $0.name.lowercased() })
    let groups = [
      (rulesBack.filter { !gone.contains($0.name.lowercased()) }, "back", "back"),
      (rulesGone.filter { !back.contains($0.name.lowercased()) }, "gone", "gone"),
      (rulesBack.filter { gone.contains($0.name.lowercased()) }, "as it was", "as they were"),
    ]
    return groups.filter { !$0.0.isEmpty }.map { rules, one, many in
      let names = rules.map { SafeText.line($0.name) }.joined(separator: ", ")
      return rules.count == 1 ? "rule \(names) is \(one)" : "rules \(names) are \(many)"
    }
  }

  private var marks: [String] {
    zip(record.marked, undo.unmarked).flatMap { marked, count in
      var words: [String] = []
      if count.marks > 0 {
        words.append(
          Count.of(count.marks, "story is", "stories are") + state(marked.marks.reversed)
        )
      }
      if count.texts > 0 {
        words.append(Count.of(count.texts, "story has", "stories have") + " the text of before")
      }
      if count.tags > 0, let tag = marked.tag ?? marked.lostTag {
        let stories = Count.of(count.tags, "story is", "stories are")
        let name = SafeText.line(tag)
        words.append(
          stories + (marked.tag == nil ? " tagged \(name) again" : " no longer tagged \(name)")
        )
      }
      return words
    }
  }

  private func state(_ marks: ItemMarks) -> String {
    switch (marks.isRead, marks.isStarred) {
    case (true, _): " read again"
    case (false, _): " unread again"
    case (nil, true): " starred again"
    case (nil, _): " no longer starred"
    }
  }
}
