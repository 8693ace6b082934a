internal import System

package struct HTTPRequest: Sendable {
  package var method = "GET"
  /// The path and the query, percent-encoded.
  package let target: String
  package var headers = HTTPHeaders()
  package var body: [UInt8] = []
  /// The address of the connection's other end.
  package var peer: NetworkAddress?

  package init(target: String) { self.target = target }

  /// The path, percent-encoded.
  package var path: Substring { target.prefix { $0 != "?" } }

  package var query: FormFields { FormFields(target.utf8.drop { $0 != 0x3F }.dropFirst()) }

  /// The fields of the query, followed by those of a posted form.
  package var fields: FormFields {
    guard headers["content-type"].map(Self.isForm) ?? true else { return query }
    return query.adding(FormFields(body))
  }

  private static func isForm(_ type: String) -> Bool {
    type.lowercased().hasPrefix("application/x-www-form-urlencoded")
  }

  var contentLength: Int? { headers["content-length"].flatMap { Int($0) } }

  /// The refusal of a malformed request, or of one that two servers could read in two ways.
  var refusalOfForm: HTTPAnswer? {
    guard ["GET", "HEAD", "POST", "OPTIONS"].contains(method) else {
      return .text("GET and POST alone", 405).adding("Allow", "GET, HEAD, OPTIONS, POST")
    }
    let lengths = headers.count("content-length")
    let codings = headers.count("transfer-encoding")
    let isDouble =
      lengths + codings > 1 || headers.count("host") > 1 || headers.count("authorization") > 1
    let isWrong = lengths == 1 && contentLength.map { $0 < 0 } ?? true
    guard !isDouble, !isWrong, target.hasPrefix("/"), target.utf8.allSatisfy({ $0 > 0x20 }) else {
      return HTTPAnswer.text("not a request", 400).closing
    }
    return nil
  }
}

/// The headers of a request, with names in lower case.
package struct HTTPHeaders: Sendable {
  private var all: [(name: String, value: String)] = []

  package init() {}

  package mutating func add(_ name: String, _ value: String) {
    all.append((name.lowercased(), value))
  }

  /// The first value of a name.
  package subscript(_ name: String) -> String? { all.first { $0.name == name }?.value }

  /// Returns the values of a name, separated by commas.
  package func list(_ name: String) -> [Substring] {
    all.filter { $0.name == name }.flatMap { $0.value.split(separator: ",") }
  }

  func count(_ name: String) -> Int { all.count { $0.name == name } }
}

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

  package subscript(_ name: String) -> String? { fields.first { $0.name == name }?.value }

  package func values(_ name: String) -> [String] {
    fields.filter { $0.name == name }.map(\.value)
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
