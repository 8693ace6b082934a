package import System

/// Asks for a file as its server has it, byte for byte, or for the rest of it (RFC 9110 §14).
///
/// The first `start` bytes are there already; they came with `validator`, a strong `ETag` or a
/// `Last-Modified`.
package struct FileRequest: Hashable, Sendable {
  package private(set) var start = 0
  package private(set) var validator: String?

  package init() {}

  /// Asks for the rest, where the file still has this validator; else the server sends all of it.
  package init(from start: Int, of validator: String) {
    (self.start, self.validator) = (start, validator)
  }

  var headerLines: [String] {
    guard start > 0, let validator, HTTPField.isSafe(validator) else { return ["Accept: */*"] }
    return ["Accept: */*", "Range: bytes=\(start)-", "If-Range: \(validator)"]
  }
}

/// The part of a file that an answer brings.
///
/// It begins at `start`; `size` is that of the whole file, where the server says it. `validator` is
/// nil where the rest cannot be asked for.
package struct FileHead: Hashable, Sendable {
  package private(set) var start: Int
  package private(set) var size: Int?
  package private(set) var validator: String?
  private var etag: String?
  private var lastModified: String?
  /// True if only the end of the connection ends the file: it may be cut short.
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

  /// Returns true if the answer is of another version than the one with this validator: some
  /// servers do not heed `If-Range`.
  package func contradicts(_ validator: String) -> Bool {
    let own = validator.hasPrefix("\"") ? etag : lastModified
    return own.map { $0 != validator } ?? false
  }
}

extension FileRequest: RecordValue {
  package static let blank = FileRequest()

  /// The bytes that a file may have; no file system has larger ones.
  static let sizes = 0...1 << 60

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    coder.code(&start, in: Self.sizes)
    coder.code(&validator, .field)
  }
}

extension FileHead: RecordValue {
  package static let blank = FileHead(ResponseHeaders())

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    coder.code(&start, in: FileRequest.sizes)
    coder.code(&size, in: FileRequest.sizes)
    coder.code(&validator, .field)
    coder.code(&etag, .field)
    coder.code(&lastModified, .field)
    coder.code(&isOpenEnded)
  }
}
