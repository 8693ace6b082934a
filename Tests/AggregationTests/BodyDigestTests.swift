import Testing

@testable import Aggregation

@Suite("BodyDigest")
struct BodyDigestTests {
  /// Values of the reference implementation (smhasher's MurmurHash3_x64_128, seed 0).
  @Test(
    "a digest is the reference's",
    arguments: [
      ("", "00000000000000000000000000000000"),
      ("hello", "cbd8a7b341bd9b025b1e906a48ae1d19"),
      ("The quick brown fox jumps over the lazy dog", "e34bbc7bbc071b6c7a433ca9c49a9347"),
    ],
  )
  func reference(text: String, expected: String) {
    #expect(digest(of: Array(text.utf8), inPiecesOf: 1024) == expected)
  }

  @Test("pieces of any size give the same digest", arguments: [1, 2, 7, 15, 16, 17, 64, 4096])
  func pieces(size: Int) {
    for count in [0, 1, 15, 16, 17, 31, 32, 33, 1000] {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ 7) }
      #expect(digest(of: bytes, inPiecesOf: size) == digest(of: bytes, inPiecesOf: 1 << 20))
    }
  }

  @Test("every byte and every bit counts, at every place of a block")
  func everyBit() {
    let bytes = [UInt8](repeating: 0, count: 37)
    var seen: Set = [digest(of: bytes, inPiecesOf: 64)]
    for place in bytes.indices {
      for bit in 0..<8 {
        var changed = bytes
        changed[place] ^= 1 << UInt8(bit)
        seen.insert(digest(of: changed, inPiecesOf: 64))
      }
    }
    #expect(seen.count == 37 * 8 + 1)
    #expect(!seen.contains(digest(of: bytes + [0], inPiecesOf: 64)))
  }

  private func digest(of bytes: [UInt8], inPiecesOf size: Int) -> String {
    var digest = BodyDigest()
    var rest = bytes[...]
    while !rest.isEmpty {
      let piece = Array(rest.prefix(size))
      piece.withUnsafeBytes { digest.update($0) }
      rest = rest.dropFirst(size)
    }
    return digest.hexadecimal()
  }
}
