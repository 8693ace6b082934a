internal import FeedModel
internal import PropertyLists

/// The file `outlines.plist`: the arrangement of imported subscription lists.
///
/// The subscriptions are those of `feeds.plist`, and a list without this file loses nothing but its
/// looks. It is a file of its own, so that fetches do not read and write what they never use.
extension LibraryStore {
  var outlines: PropertyListFile<OutlineDocument> {
    PropertyListFile(
      path: path(.outlines),
      coding: .dictionary(
        OutlineDocument.table.adding([.version { _ in SubscriptionsFile.version }])
      ),
      version: SubscriptionsFile.version,
    )
  }
}

extension OutlineDocument {
  static let table: PropertyListTable<OutlineDocument> = .init(
    OutlineDocument(),
    [
      .init("attributes", { $1(&$0.attributes) }, always: .attributes),
      .init("head", { $1(&$0.head) }, always: .list(of: .dictionary(OutlineElement.table))),
      .init("body", { $1(&$0.body) }, always: .list(of: .dictionary(OutlineElement.table))),
    ],
  )
}

extension OutlineElement {
  fileprivate static let table: PropertyListTable<OutlineElement> = .init(
    OutlineElement(),
    [
      .init("depth", { $1(&$0.depth) }, .count),
      .init("name", { $1(&$0.name) }, .string),
      .init("feed", { $1(&$0.feed) }, .string),
      .init("text", { $1(&$0.text) }, .string),
      .init("attributes", { $1(&$0.attributes) }, .attributes),
    ],
  )
}

extension PropertyListCoding where Value == [OutlineAttribute] {
  /// The names and values in turn: a dictionary would lose their order.
  fileprivate static var attributes: Self {
    PropertyListCoding<[String]>.strings.map(
      { strings in
        stride(from: 0, to: strings.count - strings.count % 2, by: 2).map { index in
          OutlineAttribute(strings[index], strings[index + 1])
        }
      },
      back: { $0.flatMap { [$0.name, $0.value] } },
    )
  }
}
