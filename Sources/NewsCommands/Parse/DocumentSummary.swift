import FeedModel
import FeedParsing

struct DocumentSummary {
  let context: CommandContext

  func lines(_ feed: Feed) -> [String] {
    var lines = facts(feed)
    if !feed.items.isEmpty { lines += [""] + stories(feed) }
    let notes = notes(feed)
    if !notes.isEmpty {
      lines += [""] + notes.map { "note: \(SafeText.line($0))" }
    }
    return lines
  }

  private func facts(_ feed: Feed) -> [String] {
    let facts: [(String, String?)] = [
      ("Format", feed.format.rawValue), ("Title", feed.title), ("Link", feed.link),
      ("About", feed.description), ("Language", feed.language),
      ("Date", feed.date.map(FeedDate.rfc3339String)), ("Stories", String(feed.items.count)),
    ]
    return facts.compactMap { name, value in
      let text = SafeText.line(value ?? "")
      guard !text.isEmpty else { return nil }
      return context.style.dim(TerminalText.fit(name, to: 8)) + "  " + cut(text, leaving: 10)
    }
  }

  private func stories(_ feed: Feed) -> [String] {
    let places = String(feed.items.count).count
    let unknown = TerminalText.fit("-", to: 20)
    // A narrow terminal has room for the titles alone.
    let hasDates = !context.isOnTerminal || context.columns >= 50
    return feed.items.enumerated().map { index, item in
      let number = TerminalText.right(String(index + 1), in: places)
      let date = item.date.map(FeedDate.rfc3339String) ?? unknown
      let text = cut(StoryTitle.text(item), leaving: places + (hasDates ? 24 : 2))
      let start = hasDates ? "\(number)  \(context.style.dim(date))  " : "\(number)  "
      return start + context.style.link(text, to: item.link)
    }
  }

  private func cut(_ text: String, leaving taken: Int) -> String {
    context.isOnTerminal ? TerminalText.cut(text, to: max(context.columns - taken, 10)) : text
  }

  private func notes(_ feed: Feed) -> [String] {
    feed.notes + (feed.isComplete ? [] : ["the document ends before its end tag"])
  }
}
