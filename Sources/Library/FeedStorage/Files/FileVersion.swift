internal import FeedModel
internal import System

/// The number of a file's save, in the five bytes of a binary property list's trailer that nothing
/// uses.
///
/// A file of the home that another names is known by it, and never by its time: a copy of a home has
/// the numbers of that home, and a clock that is wrong changes none. A file without one was
/// converted, or written by another program, and is known by its content.
struct FileVersion: Hashable, Sendable {
  /// The number, from 1 up; 0 where there is no file.
  let number: Int

  static let none = FileVersion(number: 0)

  private static let (most, width, trailer) = ((1 << 40) - 1, 5, 32)

  var next: FileVersion { FileVersion(number: number % Self.most + 1) }

  /// The first bytes of the trailer.
  var bytes: [UInt8] { (0..<Self.width).map { UInt8(truncatingIfNeeded: number >> (32 - 8 * $0)) } }

  init(number: Int) { self.number = number }

  init(at path: String) throws {
    guard let (file, status) = try OpenFile.reading(path) else {
      self = .none
      return
    }
    try self.init(of: file, status)
  }

  init(of file: OpenFile, _ status: FileStatus) throws {
    self = try Self.stored(in: file, status) ?? Self(ofContentOf: file, status)
  }

  /// Returns the number that a file holds; nil for a file without one.
  static func stored(at path: String) throws -> FileVersion? {
    try OpenFile.reading(path).flatMap { file, status in try stored(in: file, status) }
  }

  private static func stored(in file: OpenFile, _ status: FileStatus) throws -> FileVersion? {
    let head = Array("bplist00".utf8)
    guard status.size >= head.count + trailer else { return nil }
    guard try file.bytes(head.count, at: 0) == head else { return nil }
    let bytes = try file.bytes(width, at: status.size - trailer)
    let number = bytes.reduce(0) { $0 << 8 | Int($1) }
    return number == 0 ? nil : FileVersion(number: number)
  }

  private init(ofContentOf file: OpenFile, _ status: FileStatus) throws {
    let bytes = try file.readAll(limit: LibraryStore.maximumSize)
    let hash = bytes.withUnsafeBytes(FNV1a.hash(words:))
    number = Int(hash % UInt64(Self.most)) + 1
  }

  /// The place of the number in a file of some size.
  static func offset(in size: Int) -> Int { size - trailer }
}

extension OpenFile {
  fileprivate func bytes(_ count: Int, at offset: Int) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    try bytes.withUnsafeMutableBytes { try fill($0, at: offset) }
    return bytes
  }
}
