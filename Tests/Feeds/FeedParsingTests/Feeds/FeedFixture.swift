import TestSupport
import Testing

@testable import FeedParsing

/// A document of `Fixtures/feeds`, and what has to be found in it.
struct FeedFixture: CustomTestStringConvertible, Sendable {
  let path: String
  let bytes: [UInt8]
  let expected: JSONValue

  var testDescription: String { String(path.dropFirst(Self.folder.count + 1)) }

  static let all: [FeedFixture] = {
    let documents = paths(in: folder).filter {
      !$0.hasSuffix(".expected.json") && !$0.hasSuffix(".md")
    }
    return documents.sorted().compactMap { path in
      guard let dot = path.lastIndex(of: ".") else { return nil }
      let expected = contents(of: path[..<dot] + ".expected.json")
      return JSONValue(reading: expected).map {
        FeedFixture(path: path, bytes: contents(of: path), expected: $0)
      }
    }
  }()

  static let folder = BuiltProduct.fixture("feeds")

  private static func paths(in folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var found: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard !name.hasPrefix(".") else { continue }
      let path = "\(folder)/\(name)"
      found += entry.pointee.d_type == UInt8(DT_DIR) ? paths(in: path) : [path]
    }
    return found
  }

  private static func contents(of path: String) -> [UInt8] {
    guard let file = fopen(path, "rb") else { return [] }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var byte = getc(file)
    while byte != EOF {
      bytes.append(UInt8(truncatingIfNeeded: byte))
      byte = getc(file)
    }
    return bytes
  }
}

extension JSONValue {
  init?(reading bytes: [UInt8]) {
    let value = bytes.withUnsafeBufferPointer { bytes in
      var reader = JSONReader(bytes, limits: .standard)
      return try? reader.document()
    }
    guard let value else { return nil }
    self = value
  }
}
