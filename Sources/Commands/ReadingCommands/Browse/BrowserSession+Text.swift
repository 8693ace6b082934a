import CommandSupport
import FeedModel
import FeedStorage
import HTMLText

extension BrowserSession {
  func text(of story: StoredItem) -> ShownStory {
    ShownStory(NamedStory(number: nil, story: story), trackers: removal, in: store, context)
      .withPicture()
  }

  var removal: TrackerRemoval { TrackerRemoval(browser.stories.library.subscriptions) }

  func showLinks(of story: StoredItem) {
    let menu = pane(text(of: story), isMenu: true)
    if menu.lines.isEmpty { browser.message = "this story has no link" } else { browser.show(menu) }
  }

  func pane(_ shown: ShownStory, isMenu: Bool = false) -> TextPane {
    let columns = browser.layout.storyColumns
    let drawn = pictures?.drawn(columns: columns) ?? [:]
    let card = StoryCard(context, names, width: columns, pictures: drawn)
    let hasDetails = browser.hasDetails
    let story = shown.story
    let lines =
      isMenu
      ? card.menu(shown.links, of: story.item)
      : card.page(story, shown.document, hasDetails: hasDetails)
    return TextPane(
      shown,
      lines,
      columns: columns,
      hasDetails: hasDetails,
      isMenu: isMenu,
      pictures: pictures?.count ?? 0,
    )
  }

  func openPictures() {
    guard browser.focus == .text, let text = browser.text, let shown = text.shown else {
      pictures?.close()
      return
    }
    guard !text.isMenu else { return }
    pictures?.open(shown.named.story, shown.links.pictures, columns: text.columns)
  }

  func layOutText() {
    guard let old = browser.text else { return }
    let (columns, hasDetails) = (browser.layout.storyColumns, browser.hasDetails)
    guard
      old.columns != columns || old.hasDetails != hasDetails
        || old.shown != nil && old.pictures != pictures?.count ?? 0
    else { return }
    replaceText(
      old.shown.map { pane($0, isMenu: old.isMenu) }
        ?? TextPane(columns: columns, hasDetails: hasDetails, layOut: old.layOut)
    )
  }

  private func replaceText(_ pane: TextPane) {
    let rows = browser.layout.paneRows
    browser.text?.replace(pane, rows: rows)
  }

  /// Shows the text of the chosen row beside the list, which does not mark it as read.
  func followRow() {
    guard browser.focus != .text, browser.layout.slot(.text) != nil else { return }
    guard let story = try? browser.stories.selected() else {
      browser.text = nil
      return
    }
    if browser.text?.isOf(story) != true || browser.text?.isMenu == true {
      browser.open(pane(text(of: story)))
    }
  }

  /// Lays the text out anew if its story has changed: its page has come, it has a star.
  func updateText() {
    guard let old = browser.text, let shown = old.shown?.named.story,
      let new = try? browser.stories.story(withID: shown.id), removal.story(new) != shown
    else { return }
    let pane = pane(text(of: new), isMenu: old.isMenu)
    if old.isMenu || new.article == shown.article { replaceText(pane) } else { browser.open(pane) }
  }
}
