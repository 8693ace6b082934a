internal import System

/// A page's markup without what no article needs and what costs libxml2 most.
package enum PageMarkup {
  /// The bytes without scripts, styles and comments; takes valid UTF-8.
  package static func tidy(_ page: UnsafeRawBufferPointer) -> (markup: [UInt8], claims: PageClaims)
  {
    var claims = PageClaims()
    var result: [UInt8] = []
    result.reserveCapacity(page.count)
    // What has no end is searched for once.
    var isMissing = [Bool](repeating: false, count: removed.count)
    var position = 0
    while let start = ByteScan.first(UInt8(ascii: "<"), in: page, from: position) {
      result += page[position..<start]
      position = start
      for (index, (mark, end)) in removed.enumerated()
      where !isMissing[index] && page.hasASCII(mark, at: start) && isWhole(mark, page, start) {
        if let found = ByteScan.first(end, in: page, from: start + mark.utf8CodeUnitCount) {
          if index == script { takeData(page, start..<found, &claims) }
          position = tagEnd(page, found + end.utf8CodeUnitCount - 1)
        } else {
          isMissing[index] = true
        }
      }
      if position == start {
        result.append(page[start])
        position += 1
      } else {
        result.append(UInt8(ascii: " "))
      }
    }
    result += page[position...]
    return (StoryMarkup.tidy(result), claims)
  }

  /// Takes what a script that is no program but data in JSON-LD says.
  private static func takeData(
    _ page: UnsafeRawBufferPointer,
    _ script: Range<Int>,
    _ claims: inout PageClaims,
  ) {
    let tag = UnsafeRawBufferPointer(rebasing: page[script].prefix(512))
    guard let end = ByteScan.first(UInt8(ascii: ">"), in: tag, from: 0),
      (0..<end).contains(where: { tag.hasASCII("ld+json", at: $0) })
    else { return }
    let json = page[script].dropFirst(end + 1)
    claims.add(json: UnsafeRawBufferPointer(rebasing: json))
  }

  private static let script = 1

  private static let removed: [(StaticString, StaticString)] = [
    ("<!--", "-->"), ("<script", "</script"), ("<style", "</style"),
  ]

  /// Whether the element's name ends with the mark.
  private static func isWhole(
    _ mark: StaticString,
    _ page: UnsafeRawBufferPointer,
    _ start: Int,
  ) -> Bool {
    let end = start + mark.utf8CodeUnitCount
    guard mark.utf8Start[1] != UInt8(ascii: "!") else { return true }
    guard end < page.count else { return false }
    return page[end].isASCIISpace || page[end] == UInt8(ascii: ">")
      || page[end] == UInt8(ascii: "/")
  }

  private static func tagEnd(_ page: UnsafeRawBufferPointer, _ start: Int) -> Int {
    ByteScan.first(UInt8(ascii: ">"), in: page, from: start).map { $0 + 1 } ?? page.count
  }
}
