internal import FeedModel

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
      .init("head", { $1(&$0.head) }, always: .outlines),
      .init("body", { $1(&$0.body) }, always: .outlines),
    ],
  )
}

/// An element in the file, where those inside it follow, one level deeper.
///
/// Property lists do not nest as deeply as folders.
private struct OutlineRow: Hashable {
  private static let maximumDepth = 128

  var depth = 0
  var element = OutlineElement()

  static let table: PropertyListTable<OutlineRow> = .init(
    OutlineRow(),
    [
      .init("depth", { $1(&$0.depth) }, .count(atMost: maximumDepth)),
      .init("name", { $1(&$0.element.name) }, .string),
      .init("feed", { $1(&$0.element.feed) }, .string),
      .init("text", { $1(&$0.element.text) }, .string),
      .init("attributes", { $1(&$0.element.attributes) }, .attributes),
    ],
  )

  static func rows(_ elements: [OutlineElement], depth: Int = 0) -> [OutlineRow] {
    elements.flatMap { element in
      var row = OutlineRow(depth: depth, element: element)
      row.element.children = []
      return [row] + rows(element.children, depth: depth + 1)
    }
  }

  /// Takes the elements that are deeper than another off the start of some rows.
  static func take(_ rows: inout ArraySlice<OutlineRow>, below depth: Int) -> [OutlineElement] {
    var elements: [OutlineElement] = []
    while let row = rows.first, row.depth > depth {
      rows.removeFirst()
      elements.append(row.element)
      elements[elements.count - 1].children = take(&rows, below: row.depth)
    }
    return elements
  }
}

extension PropertyListCoding where Value == [OutlineElement] {
  fileprivate static var outlines: Self {
    PropertyListCoding<[OutlineRow]>.list(of: .dictionary(OutlineRow.table)).map(
      { rows in
        var rows = rows[...]
        return OutlineRow.take(&rows, below: -1)
      },
      back: { OutlineRow.rows($0) },
    )
  }
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
