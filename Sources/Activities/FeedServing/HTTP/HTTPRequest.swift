package struct HTTPRequest: Sendable {
  package var method = "GET"
  /// The path and the query, percent-encoded.
  package let target: String
  package var headers = HTTPHeaders()
  package var body: [UInt8] = []
  /// The address of the connection's other end.
  package var peer: NetworkAddress?

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
    guard ["GET", "HEAD", "POST"].contains(method) else {
      return .text("GET and POST alone", 405).adding("Allow", "GET, HEAD, POST")
    }
    let lengths = headers.count("content-length")
    let codings = headers.count("transfer-encoding")
    let isDouble =
      lengths + codings > 1 || headers.count("host") > 1 || headers.count("authorization") > 1
    let isWrong = lengths == 1 && contentLength.map { $0 < 0 } ?? true
    guard !isDouble, !isWrong, headers.areSound, target.hasPrefix("/"),
      target.utf8.allSatisfy({ $0 > 0x20 })
    else { return .malformed }
    // The library reads a body of any other coding up to the end of the connection.
    guard headers["transfer-encoding"].map({ $0.lowercased() == "chunked" }) ?? true else {
      return .text("no transfer coding but chunked", 501)
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

  /// Returns the last of a name's values, which commas separate.
  func last(_ name: String) -> Substring? {
    all.last { $0.name == name }?.value.split(separator: ",", omittingEmptySubsequences: false).last
  }

  /// True if `Accept-Encoding` names gzip, and not with the weight 0.
  var takeGzip: Bool {
    (self["accept-encoding"] ?? "").lowercased().split(separator: ",").contains { part in
      let words = part.split(separator: ";").map { $0.filter { $0 != " " } }
      let isRefused = words.dropFirst().contains {
        $0.hasPrefix("q=0") && Double($0.dropFirst(2)) == 0
      }
      return words.first == "gzip" && !isRefused
    }
  }

  func count(_ name: String) -> Int { all.count { $0.name == name } }

  /// False if a name has a blank, or a value a bare CR (RFC 9112 §2.2, §5.1).
  var areSound: Bool {
    all.allSatisfy { name, value in
      !name.isEmpty && name.utf8.allSatisfy { (0x21...0x7E) ~= $0 }
        && value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
    }
  }
}
