internal import FeedModel
internal import PropertyLists

/// The file `outlines.plist`: what imported subscription lists had besides the feeds.
///
/// It only says how an export is arranged: the subscriptions are those of `feeds.plist`, and a list
/// without this file loses nothing but its looks. Apart from that file, so that fetches do not
/// read and write what they never use.
struct OutlinesFile {
  let path: String

  func read() throws(StorageError) -> OutlineDocument {
    guard let (reader, _) = try LibraryStore.reader(path) else { return OutlineDocument() }
    let value = try ItemTable.reading(path) { () throws(PropertyListError) in
      try reader.value(reader.root)
    }
    guard let root = value.dictionary else {
      throw .damaged(path: path, reason: "the top-level object is not a dictionary")
    }
    let version = Int(root["version"]?.integer ?? 1)
    guard version <= SubscriptionsFile.version else {
      let supported = SubscriptionsFile.version
      throw .newerVersion(path: path, version: version, supported: supported)
    }
    return OutlineDocument(root)
  }

  func save(_ document: OutlineDocument) throws(StorageError) {
    var root = document.dictionary()
    root["version"] = .integer(Int64(SubscriptionsFile.version))
    try AtomicFile(path: path).replace(PropertyList.encode(.dictionary(root)))
  }
}

extension OutlineDocument {
  init(_ root: PropertyListDictionary) {
    self.init()
    attributes = Self.attributes(root["attributes"])
    head = Self.elements(root["head"])
    body = Self.elements(root["body"])
  }

  func dictionary() -> PropertyListDictionary {
    [
      "attributes": Self.list(attributes),
      "head": .array(head.map { .dictionary(Self.dictionary($0)) }),
      "body": .array(body.map { .dictionary(Self.dictionary($0)) }),
    ]
  }

  private static func elements(_ value: PropertyListValue?) -> [OutlineElement] {
    (value?.array ?? []).compactMap(\.dictionary).map { dictionary in
      OutlineElement(
        depth: dictionary["depth"]?.asCount ?? 0,
        name: dictionary["name"]?.string ?? "outline",
        attributes: attributes(dictionary["attributes"]),
        text: dictionary["text"]?.string ?? "",
        feed: dictionary["feed"]?.string,
      )
    }
  }

  private static func dictionary(_ element: OutlineElement) -> PropertyListDictionary {
    var dictionary = PropertyListDictionary()
    if element.depth > 0 { dictionary.append("depth", .integer(Int64(element.depth))) }
    if element.name != "outline" { dictionary.append("name", .string(element.name)) }
    if let feed = element.feed { dictionary.append("feed", .string(feed)) }
    if !element.text.isEmpty { dictionary.append("text", .string(element.text)) }
    if !element.attributes.isEmpty { dictionary.append("attributes", list(element.attributes)) }
    return dictionary
  }

  /// Names and values in turn: a dictionary would lose their order.
  private static func list(_ attributes: [OutlineAttribute]) -> PropertyListValue {
    .array(attributes.flatMap { [.string($0.name), .string($0.value)] })
  }

  private static func attributes(_ value: PropertyListValue?) -> [OutlineAttribute] {
    let strings = value?.asStrings ?? []
    return stride(from: 0, to: strings.count - strings.count % 2, by: 2).map { index in
      OutlineAttribute(strings[index], strings[index + 1])
    }
  }
}
