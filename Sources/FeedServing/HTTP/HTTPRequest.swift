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

  /// The fields of a posted form, followed by those of the query.
  ///
  /// Read You has a URL in both, and encodes it in the form alone: that one counts, as in PHP's
  /// `$_REQUEST` and Go's `Form`.
  package var fields: FormFields {
    FormFields(posted: body, type: headers["content-type"]).adding(query)
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
