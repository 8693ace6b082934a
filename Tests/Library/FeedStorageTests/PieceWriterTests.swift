import TestSupport
import Testing

@testable import FeedStorage

@Suite("A file that is written piece by piece")
struct PieceWriterTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// The sizes of pieces: small ones before and between large ones, and empty ones.
  private static let sizes = [3, 0, 1 << 20, 5, 300_000, 300_000, 0, 1, 2 << 20, 7]

  private static func piece(_ number: Int) -> [UInt8] {
    (0..<sizes[number]).map { UInt8(truncatingIfNeeded: $0 / 256 &+ $0 &+ number) }
  }

  private static func write(_ piece: [UInt8], to writer: PieceWriter) throws {
    try AtomicFile.write(piece) { bytes in try writer.write(bytes) }
  }

  @Test("is what was written, in its order", arguments: 1...10)
  func order(count: Int) throws {
    let file = try OpenFile.folder(folder.path).create("file")
    let writer = PieceWriter(file)
    for number in 0..<count { try Self.write(Self.piece(number), to: writer) }
    try writer.finish()
    #expect(try readFile(folder.path("file")) == (0..<count).flatMap(Self.piece))
  }

  @Test("tells of an error of any piece, the last one too", arguments: [[0], [2], [2, 4, 5, 8]])
  func failure(numbers: [Int]) throws {
    _ = try folder.write("as it was", to: "file")
    let file = try #require(try OpenFile.reading(folder.path("file"))?.0)
    let writer = PieceWriter(file)
    let error = #expect(throws: StorageError.self) {
      for number in numbers { try Self.write(Self.piece(number), to: writer) }
      try writer.finish()
    }
    let path = folder.path("file")
    #expect(error?.description == "cannot write \(path): bad file descriptor")
    #expect(try readText(path) == "as it was")
  }

  @Test("is not written to any more once it is given up")
  func end() throws {
    let path = folder.path("file")
    let file = AtomicFile(path: path)
    try file.replace([1, 2, 3])
    #expect(throws: StorageError.refused("given up")) {
      try file.replace { write in
        for number in [2, 4, 5] { try AtomicFile.write(Self.piece(number), to: write) }
        throw StorageError.refused("given up")
      }
    }
    #expect(try readFile(path) == [1, 2, 3])
    #expect(try namesInFolder(folder.path) == ["file"])
  }
}
