internal import FeedModel
internal import System

/// The subscriptions as a list: where imported lists had them, or else in the folders of their tags.
struct SubscriptionOutlines {
  private(set) var elements: [OutlineElement] = []
  private var feeds: [String: Subscription] = [:]
  /// The tags under which the list has each feed already.
  private var covered: [String: Set<String>] = [:]
  private var imported: [String: OutlineElement] = [:]

  init(_ subscriptions: [Subscription], in list: [OutlineElement]) {
    for subscription in subscriptions { feeds[subscription.url] = subscription }
    for subscription in subscriptions {
      if let url = subscription.listedURL { feeds[url] = subscription }
    }
    findFeeds(list, in: [])
    elements = arranged(list.merged(with: subscriptions.flatMap(missing)), in: [])
  }

  private mutating func findFeeds(_ elements: [OutlineElement], in folders: [String]) {
    guard !elements.isEmpty else { return }
    let tag = FolderTag.tag(folders)
    for element in elements {
      if let feed = element.feed {
        covered[feed, default: []].formUnion([tag] + element.categoryTags)
        imported[feed] = imported[feed] ?? element
      }
      findFeeds(element.children, in: element.folders(in: folders))
    }
  }

  /// Returns the feed in the folder of each tag under which the list does not have it.
  private func missing(_ subscription: Subscription) -> [OutlineElement] {
    let feed = subscription.listedURL ?? subscription.url
    let tags = subscription.tags.isEmpty ? [""] : subscription.tags
    return tags.filter { !(covered[feed]?.contains($0) ?? false) }.map { tag in
      FolderTag.folders(tag).reversed().reduce(OutlineElement(feed: feed)) {
        OutlineElement(text: $1, children: [$0])
      }
    }
  }

  private func arranged(_ elements: [OutlineElement], in folders: [String]) -> [OutlineElement] {
    guard !elements.isEmpty else { return [] }
    let tag = FolderTag.tag(folders)
    return elements.flatMap { element in
      let children = arranged(element.children, in: element.folders(in: folders))
      // A folder whose feeds are all gone goes with them.
      let isKept =
        element.feed.map { isListed($0, under: tag) }
        ?? (element.children.isEmpty || !children.isEmpty)
      var new = complete(element)
      new.children = children
      return isKept ? [new] : children
    }
  }

  private func isListed(_ feed: String, under tag: String) -> Bool {
    guard let subscription = feeds[feed] else { return false }
    if !tag.isEmpty { return subscription.tags.contains(tag) }
    // At the top it stays until it was put into a folder that the list did not have it in.
    return covered[feed].map { there in subscription.tags.allSatisfy(there.contains) } ?? true
  }

  private func complete(_ element: OutlineElement) -> OutlineElement {
    var element = element
    if element.isNewFolder {
      element.attributes = [.init("text", element.text), .init("title", element.text)]
      element.text = ""
    }
    guard let feed = element.feed, let subscription = feeds[feed] else { return element }
    let isNew = element.attributes.isEmpty
    if isNew { element.attributes = imported[feed]?.attributes ?? [.init("type", "rss")] }
    let given = imported[feed]?.givenTitle
    if given == nil || given != subscription.title {
      let title = element.value("title")
      let isSame = title == element.value("text") ?? title
      element.replace("text", with: subscription.displayTitle)
      if isSame { element.replace("title", with: subscription.displayTitle) }
    }
    element.keepCategories(subscription.tags)
    element.fill("type", with: "rss")
    element.fill("text", with: element.value("title") ?? subscription.displayTitle)
    element.replace("xmlUrl", with: subscription.url)
    if let link = subscription.state.link, SafeLink.isAbsolute(link) {
      element.fill("htmlUrl", with: link)
    }
    return element
  }
}
