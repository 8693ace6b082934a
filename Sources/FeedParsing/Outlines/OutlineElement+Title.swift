package import FeedModel

extension OutlineElement {
  /// What a reader is shown of it: its `text`, else its `title`, as one line without markup (OPML 2.0
  /// allows HTML there); nil when nothing is left.
  package var displayTitle: String? {
    for name in ["text", "title"] {
      guard let value = value(name) else { continue }
      let title = PlainText.fromHTML(value)
      if !title.isEmpty { return title }
    }
    return nil
  }
}
