import CommandSupport
import FeedModel
import FeedStorage

/// The text of a story from now on: an article just fetched, or one of the two that are kept.
enum TextChoice: Sendable {
  case found(FoundArticle)
  case kept(isArticle: Bool)

  func applied(to article: StoredArticle) -> StoredArticle {
    switch self {
    case .found(let found): found.stored
    case .kept(let isArticle):
      article.isBeside ? StoredArticle(number: article.number, isShown: isArticle) : article
    }
  }

  fileprivate var isNew: Bool {
    if case .found = self { true } else { false }
  }

  var newText: StoryText? {
    guard case .found(let found) = self, found.isShown else { return nil }
    return found.text
  }
}

typealias TextChoices = [String: TextChoice]

extension TextChoices {
  var command: String {
    isEmpty ? "show" : values.contains { $0.isNew } ? "show --full" : "show --from"
  }
}

extension StoryMarking {
  /// Keeps the choices and marks stories as read, in one change that `news undo` takes back.
  func keep(_ choices: TextChoices, read ids: [String] = []) throws {
    guard !choices.isEmpty || !ids.isEmpty else { return }
    var articles: [NewText] = []
    for (id, choice) in choices {
      if case .found(let article) = choice { articles.append(article.newText(ofStory: id)) }
    }
    let (all, read) = (ItemIDs(ids + choices.keys), ItemIDs(ids))
    let choose = { (library: Library) in try library.items.positions(of: all) }
    _ = try change(articles: articles, choose: choose) { edits, positions in
      try edits.show(choices, at: positions)
      let shown = try positions.filter { read.contains(try edits.items.id(at: $0)) }
      _ = try edits.set([.read: true], at: shown)
    }
  }
}

extension MarkingEdits {
  fileprivate mutating func show(_ choices: TextChoices, at positions: [Int]) throws {
    var new: [Int: StoredArticle] = [:]
    try items.forEachStory(at: positions) { position, story in
      let old = try story.article()
      guard let choice = choices[try story.id()] else { return }
      let article = choice.applied(to: old)
      // A lost article that was fetched again has the number that it had.
      if article != old || choice.isNew { new[position] = article }
    }
    for (position, article) in new { set(article, at: position) }
  }
}
