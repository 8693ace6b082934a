import Testing

@testable import FeedFetching

@Suite("ReceivedBody")
struct ReceivedBodyTests {
  @Test(
    "a body is whole at its end, however long it is and however it came",
    arguments: [0, 1, 100_000, 512 << 10, (512 << 10) + 1, 3_000_000],
    [1_000, 65_536, 5_000_000],
  )
  func whole(length: Int, piece: Int) {
    let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 / 7) }
    let body = ReceivedBody()
    bytes.withUnsafeBytes { bytes in
      for start in stride(from: 0, to: length, by: piece) {
        body.append(UnsafeRawBufferPointer(rebasing: bytes[start..<min(start + piece, length)]))
      }
    }
    #expect(body.count == length)
    for _ in 0..<2 { #expect(body.withBytes { Array($0) == bytes }) }
  }
}
