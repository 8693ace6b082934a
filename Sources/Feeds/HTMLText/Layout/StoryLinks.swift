package import FeedModel
internal import System

/// The links of a story, numbered from 1.
///
/// First its own link and those in its summary, then those of enclosures, related files, comments,
/// chapters and people; with the whole text, those in the text last instead of those in the
/// summary.
package struct StoryLinks: Hashable, Sendable {
  package private(set) var urls: [String] = []
  /// The URLs of the pictures in the text, in its order, but for those in columns, which show
  /// words.
  package private(set) var pictures: [String] = []
  private var numbers: [String: Int] = [:]

  package init(_ item: Item, _ document: StoryDocument? = nil) {
    add(item.link)
    if document == nil {
      for word in (item.summary ?? "").split(separator: " ") {
        if let link = TextLink(in: word) { add(link.url) }
      }
    }
    for enclosure in item.enclosures { add(enclosure.url) }
    for file in item.related { add(file.url) }
    if let comments = item.comments { add(comments) }
    for url in item.chapters.map(\.url) + item.people.map(\.url) { url.map { add($0) } }
    if let document { add(document.blocks) }
  }

  package func number(of url: String) -> Int? {
    numbers[url]
  }

  /// Returns `[3: image: description]`.
  func label(of image: StoryImage) -> String {
    let number = image.url.flatMap(number).map { "\($0): " } ?? ""
    return "[\(number)image\(image.text.isEmpty ? "" : ": \(image.text)")]"
  }

  private mutating func add(_ url: String) {
    guard numbers[url] == nil, SafeLink.isSafe(url) || WebURL.isMail(url) else { return }
    urls.append(url)
    numbers[url] = urls.count
  }
}

extension StoryLinks {
  private mutating func add(_ blocks: [StoryBlock]) {
    for block in blocks {
      if let inlines = block.inlines { add(inlines) }
      if case .media(let media) = block, let url = media.url { add(url) }
      guard case .table(let table) = block else {
        add(block.children)
        continue
      }
      add(table.caption)
      let count = pictures.count
      for cell in table.rows.joined() { add(cell.blocks) }
      if pictures.count > count, TableGrid(table).isTabular { pictures.removeSubrange(count...) }
    }
  }

  private mutating func add(_ inlines: [StoryInline]) {
    for inline in inlines {
      switch inline {
      case .text(let run): if let link = run.link { add(link) }
      case .image(let image):
        if let url = image.url, !pictures.contains(url) { pictures.append(url) }
        for url in [image.url, image.link] { url.map { add($0) } }
      case .lineBreak: break
      }
    }
  }
}
