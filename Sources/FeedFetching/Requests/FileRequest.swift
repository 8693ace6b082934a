package import System

/// Asks for a file as its server has it, byte for byte, or for the rest of it (RFC 9110 §14).
package struct FileRequest: Hashable, Sendable {
  /// Bytes that are there already.
  package private(set) var start: Int
  /// What they came with: a strong `ETag`, or a `Last-Modified`.
  package private(set) var validator: String?

  /// The whole file.
  package init() {
    (start, validator) = (0, nil)
  }

  /// The rest, where the file is still the one with this validator; else all of it.
  package init(from start: Int, of validator: String) {
    (self.start, self.validator) = (start, validator)
  }

  var headerLines: [String] {
    guard start > 0, let validator, HTTPField.isSafe(validator) else { return ["Accept: */*"] }
    return ["Accept: */*", "Range: bytes=\(start)-", "If-Range: \(validator)"]
  }
}

/// What an answer says of the file of which it brings bytes.
package struct FileHead: Hashable, Sendable {
  /// Where in the file they begin.
  package private(set) var start: Int
  /// Bytes of the whole file; nil when the server does not say.
  package private(set) var size: Int?
  /// To ask for the rest with; nil where that cannot be.
  package private(set) var validator: String?
  private var etag: String?
  private var lastModified: String?
  /// The end of the connection is taken for the file's end: nobody can tell whether it is.
  package private(set) var isOpenEnded: Bool

  init(_ headers: ResponseHeaders) {
    let isWhole = (200..<300).contains(headers.status) && headers.status != 206
    let range = isWhole ? nil : headers.contentRange
    start = range?.start ?? 0
    let length = headers.isChunked ? nil : headers.contentLength
    size = isWhole ? length : range?.size
    (etag, lastModified) = (headers.etag, headers.lastModified)
    // A weak validator says nothing of bytes (RFC 9110 §8.8.1).
    validator = etag?.hasPrefix("\"") == true ? etag : lastModified
    isOpenEnded = size == nil && !headers.isChunked && !headers.isMultiplexed
  }

  /// Whether the answer says that it is of another version than the one with this validator: there
  /// are servers that do not heed `If-Range`.
  package func contradicts(_ validator: String) -> Bool {
    let own = validator.hasPrefix("\"") ? etag : lastModified
    return own.map { $0 != validator } ?? false
  }
}

extension FileRequest: RecordValue {
  package static let blank = FileRequest()

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    coder.code(&start)
    coder.code(&validator)
  }
}

extension FileHead: RecordValue {
  package static let blank = FileHead(ResponseHeaders())

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    coder.code(&start)
    coder.code(&size)
    coder.code(&validator)
    coder.code(&etag)
    coder.code(&lastModified)
    coder.code(&isOpenEnded)
  }
}
