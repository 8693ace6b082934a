internal import System

package enum ItemKey: Hashable, Sendable {
  case guid(String)
  case link(String)
  /// `pubDate` is as published, or empty where titles alone tell the stories apart.
  case titleAndDate(title: String, pubDate: String)
}

/// The rule by which a story is known again.
///
/// A change of it makes every story of every user a new one; tests pin it.
package enum ItemID {
  /// Returns the guid, else the link, else the title and the date as published.
  ///
  /// White space in guids does not count, nor does http against https in guids that are URLs, nor
  /// do tracking parameters in links. The summary stands in for a missing title.
  package static func key(of item: Item) -> ItemKey {
    guidKey(item.guid) ?? linkKey(item.link) ?? titleKey(of: item)
  }

  /// Returns the keys of a document's items, in their order.
  ///
  /// True duplicates have equal keys. A guid that several different stories bear is none: their
  /// links take its place. Nor is a link that several such stories have (often the front page):
  /// there the titles decide, and the dates only among equal titles, since a date must not make a
  /// new story of one that has a guid or a link.
  ///
  /// - Returns: the keys, and true where all of them differ.
  package static func distinctKeys(of items: [Item]) -> (keys: [ItemKey], areDistinct: Bool) {
    var keys = items.map(key)
    var seen = Set<ItemKey>(minimumCapacity: keys.count)
    guard !keys.allSatisfy({ seen.insert($0).inserted }) else { return (keys, true) }
    replace(\.isGUID, in: &keys, of: items) { group in
      isReusedGUID(of: group)
        ? group.map(keyOfReusedGUID) : nil
    }
    replace(\.isLink, in: &keys, of: items) { group in
      isSharedLink(of: group) ? titleKeys(of: group) : nil
    }
    return (keys, false)
  }

  /// Returns true for a new story that bears the guid of another stored one.
  ///
  /// Link, title and date must all differ, and a missing value differs from nothing.
  package static func isOther(_ new: Item, underGUIDOf old: Item) -> Bool {
    guard let link = linkKey(new.link), let oldLink = linkKey(old.link), link != oldLink else {
      return false
    }
    let (title, oldTitle) = (identityTitle(of: new), identityTitle(of: old))
    guard !title.isEmpty, !oldTitle.isEmpty, title != oldTitle else { return false }
    if let date = new.date, let oldDate = old.date { return date != oldDate }
    return !new.pubDate.isEmpty && !old.pubDate.isEmpty && new.pubDate != old.pubDate
  }

  package static func keyOfReusedGUID(of item: Item) -> ItemKey {
    linkKey(item.link) ?? titleKey(of: item)
  }

  /// Returns the part of a guid before the number of the edit; nil for a guid without one.
  ///
  /// The BBC counts a story's edits so (`URL#0`, `URL#1`).
  package static func countedGUID(_ guid: String?) -> Substring? {
    guard let guid, let sign = guid.lastIndex(of: "#") else { return nil }
    let number = guid[guid.index(after: sign)...]
    let isNumber = (1...3).contains(number.utf8.count) && number.utf8.allSatisfy(\.isASCIIDigit)
    return isNumber && sign > guid.startIndex ? guid[..<sign] : nil
  }

  /// Returns the identity of a story across feeds: its permalink guid, else its link, canonical.
  ///
  /// A site's front page is nobody's link: nil. `canonicalURLs(of:keys:)` also sees which items of
  /// a document have the same one.
  package static func canonicalURL(of item: Item) -> String? {
    let guid = item.guidIsPermaLink ? item.guid.flatMap(canonicalPageURL) : nil
    return guid ?? canonicalPageURL(item.link)
  }

  /// Returns the canonical URL of each item of a document.
  ///
  /// Nil too where different stories would have the same one, so that stories which all link to one
  /// page are never taken for one.
  package static func canonicalURLs(of items: [Item], keys: [ItemKey]) -> [String?] {
    var stories = [String: ItemKey](minimumCapacity: items.count)
    var shared: Set<String> = []
    let urls = items.map(canonicalURL)
    for (url, key) in zip(urls, keys) {
      guard let url else { continue }
      if let other = stories.updateValue(key, forKey: url), other != key {
        shared.insert(url)
      }
    }
    guard !shared.isEmpty else { return urls }
    return urls.map { url in url.flatMap { shared.contains($0) ? nil : $0 } }
  }

  /// Returns sixteen lower-case hexadecimal digits, for ever the same for a feed and a key.
  package static func id(feed: String, key: ItemKey) -> String {
    number(feed: feed, key: key).hexadecimal
  }

  package static func number(feed: String, key: ItemKey) -> UInt64 {
    switch key {
    case .guid(let guid): SHA256.prefix(joining: [feed, "guid", guid])
    case .link(let link): SHA256.prefix(joining: [feed, "link", link])
    case .titleAndDate(let title, let pubDate):
      SHA256.prefix(joining: [feed, "title", title, pubDate])
    }
  }

  /// Returns the number of an id of ours; nil for another program's.
  package static func number(of digits: some Collection<UInt8>) -> UInt64? {
    digits.withContiguousStorageIfAvailable { number(of: UnsafeRawBufferPointer($0)) }
      ?? number(of: Array(digits))
  }

  /// Returns the number of an id of ours, or a hash of another program's id.
  package static func number(ofAny id: String) -> UInt64 {
    number(of: id.utf8) ?? SHA256.prefix(joining: ["id", id])
  }

  package static func number(of digits: UnsafeRawBufferPointer) -> UInt64? {
    guard digits.count == 16 else { return nil }
    var number: UInt64 = 0
    for byte in digits {
      guard let value = byte.hexadecimalValue, byte == byte.asciiLowercased else { return nil }
      number = number << 4 | UInt64(value)
    }
    return number
  }

  package static func guidKey(_ guid: String?) -> ItemKey? {
    guard let guid = guid.map(SafeText.line), !guid.isEmpty else { return nil }
    return .guid(WebURL.isPlainHTTP(guid) ? "https" + guid.dropFirst(4) : guid)
  }

  package static func linkKey(_ link: String) -> ItemKey? {
    link.isEmpty ? nil : .link(WebURL.canonical(link, fragment: .allButTracking))
  }

  package static func titleKey(of item: Item) -> ItemKey {
    .titleAndDate(title: identityTitle(of: item), pubDate: SafeText.line(item.pubDate))
  }

  private static func titleKeys(of group: [Item]) -> [ItemKey] {
    let titles = group.map(identityTitle)
    let counts = Dictionary(titles.map { ($0, 1) }, uniquingKeysWith: +)
    return zip(group, titles).map { item, title in
      let isUnique = counts[title] == 1 && !title.isEmpty
      return isUnique ? .titleAndDate(title: title, pubDate: "") : titleKey(of: item)
    }
  }

  package static func identityTitle(of item: Item) -> String {
    SafeText.line(item.title.isEmpty ? item.summary ?? "" : item.title)
  }

  /// Returns the canonical form of an http or https URL; nil for any other text and for a front
  /// page.
  package static func canonicalPageURL(_ text: String) -> String? {
    guard WebURL.isClean(text) || WebURL.host(of: text) != nil else { return nil }
    let url = WebURL.canonical(text)
    let isPage = url.utf8.withContiguousStorageIfAvailable { bytes in
      bytes.starts(with: "https://".utf8) && bytes[8...].drop { $0 != WebURL.slash }.count > 1
    }
    return isPage == true ? url : nil
  }

  private static func replace(
    _ isOfKind: (ItemKey) -> Bool,
    in keys: inout [ItemKey],
    of items: [Item],
    by rule: ([Item]) -> [ItemKey]?,
  ) {
    let groups = Dictionary(grouping: keys.indices.filter { isOfKind(keys[$0]) }) { keys[$0] }
    for indices in groups.values where indices.count > 1 {
      guard let newKeys = rule(indices.map { items[$0] }) else { continue }
      for (index, key) in zip(indices, newKeys) { keys[index] = key }
    }
  }

  /// Returns true for a guid that stands for different stories.
  ///
  /// Their links differ, or their titles do and no link could tell. Two titles under one guid and
  /// link are one story that was corrected (RFC 4287 §4.1.1); three are not.
  private static func isReusedGUID(of group: [Item]) -> Bool {
    let links = Set(group.map { linkKey($0.link) })
    if links.count > 1 { return true }
    let titles = Set(group.map(identityTitle)).count
    return titles > 2 || (titles == 2 && group.allSatisfy { canonicalPageURL($0.link) == nil })
  }

  private static func isSharedLink(of group: [Item]) -> Bool {
    Set(group.map { titleKey(of: $0) }).count > 1
  }
}

extension ItemKey {
  fileprivate var isGUID: Bool {
    if case .guid = self { true } else { false }
  }

  fileprivate var isLink: Bool {
    if case .link = self { true } else { false }
  }
}
