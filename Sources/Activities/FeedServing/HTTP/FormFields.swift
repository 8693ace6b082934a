internal import System

/// The names and values of a query or a form (`application/x-www-form-urlencoded`), in their order.
package struct FormFields: Sendable {
  private var fields: [(name: String, value: String)] = []

  /// The most fields: more than the ids that an app names at once.
  static let mostFields = 20_000

  /// False if there were more fields than `mostFields`, which are left out.
  private(set) var isWhole: Bool

  package init(_ bytes: some Sequence<UInt8>) {
    let parts = bytes.split(separator: 0x26, maxSplits: Self.mostFields)
    isWhole = parts.count <= Self.mostFields
    for part in parts.prefix(Self.mostFields) {
      let name = part.prefix { $0 != 0x3D }
      fields.append((Self.text(name), Self.text(part.dropFirst(name.count + 1))))
    }
  }

  /// The first value of a name that is not empty: apps send `xt=` for no stream, and `T=` for no
  /// token.
  package subscript(_ name: String) -> String? {
    fields.first { $0.name == name && !$0.value.isEmpty }?.value
  }

  /// Returns the values of a name that are not empty.
  package func values(_ name: String) -> [String] {
    fields.filter { $0.name == name && !$0.value.isEmpty }.map(\.value)
  }

  func adding(_ others: FormFields) -> FormFields {
    var all = self
    all.fields += others.fields
    all.isWhole = all.isWhole && others.isWhole
    return all
  }

  private static func text(_ bytes: some Sequence<UInt8>) -> String {
    let spaced = bytes.map { $0 == 0x2B ? 0x20 : $0 }
    return String(decoding: spaced.percentDecoded(), as: UTF8.self)
  }
}

// MARK: Posted forms

extension FormFields {
  private static let (lineEnd, headEnd) = (Array("\r\n".utf8), Array("\r\n\r\n".utf8))

  /// Reads a posted form of either kind; a body of another type has no fields.
  init(posted body: [UInt8], type: String?) {
    let type = type ?? "application/x-www-form-urlencoded"
    switch type.prefix(while: { $0 != ";" && $0 != " " }).lowercased() {
    case "application/x-www-form-urlencoded": self.init(body)
    case "multipart/form-data":
      self.init(parts: body, boundary: Self.parameter("boundary", of: type[...]))
    default: self.init([])
    }
  }

  /// Reads a form in parts (`multipart/form-data`, RFC 7578), in which Readrops logs in.
  private init(parts body: [UInt8], boundary: String?) {
    self.init([])
    guard let boundary, !boundary.isEmpty else { return }
    let delimiter = Array("\r\n--\(boundary)".utf8)
    var rest = (Self.lineEnd + body)[...]
    var next = rest.range(of: delimiter)
    while let start = next {
      rest = rest[start.upperBound...]
      next = rest.range(of: delimiter)
      guard fields.count < Self.mostFields else {
        isWhole = false
        return
      }
      let part = rest[..<(next?.lowerBound ?? rest.endIndex)]
      if let field = Self.field(of: part) { fields.append(field) }
    }
  }

  private static func field(of part: ArraySlice<UInt8>) -> (name: String, value: String)? {
    guard let head = part.range(of: headEnd) else { return nil }
    let disposition = String(decoding: part[..<head.lowerBound], as: UTF8.self)
      .split(whereSeparator: \.isNewline)
      .first { $0.lowercased().hasPrefix("content-disposition:") }
    guard let name = disposition.flatMap({ parameter("name", of: $0) }) else { return nil }
    return (name, String(decoding: part[head.upperBound...], as: UTF8.self))
  }

  /// Returns a parameter of a header, with or without quotation marks.
  private static func parameter(_ name: String, of header: Substring) -> String? {
    for part in header.split(separator: ";").dropFirst() {
      let words = part.split(separator: "=", maxSplits: 1)
      guard words.count == 2, words[0].filter({ $0 != " " }).lowercased() == name else { continue }
      return words[1].filter { $0 != "\"" && $0 != " " }
    }
    return nil
  }
}

extension ArraySlice<UInt8> {
  /// Returns where these bytes stand first; Foundation's `firstRange(of:)` brings all of it along.
  fileprivate func range(of bytes: [UInt8]) -> Range<Int>? {
    var rest = self
    while let start = rest.firstIndex(of: bytes[0]) {
      if rest[start...].starts(with: bytes) { return start..<start + bytes.count }
      rest = rest[(start + 1)...]
    }
    return nil
  }
}
