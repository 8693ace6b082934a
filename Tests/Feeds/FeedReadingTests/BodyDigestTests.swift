import Testing

@testable import FeedReading

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
    #expect(digest(of: Array(text.utf8)) == expected)
  }

  @Test("every byte and every bit counts, at every place of a block", arguments: [37, 32, 31])
  func everyBit(count: Int) {
    let bytes = [UInt8](repeating: 0, count: count)
    var seen: Set = [digest(of: bytes)]
    for place in bytes.indices {
      for bit in 0..<8 {
        var changed = bytes
        changed[place] ^= 1 << UInt8(bit)
        seen.insert(digest(of: changed))
      }
    }
    #expect(seen.count == count * 8 + 1)
    #expect(!seen.contains(digest(of: bytes + [0])))
  }

  private func digest(of bytes: [UInt8]) -> String {
    bytes.withUnsafeBytes(BodyDigest.hexadecimal)
  }
}
