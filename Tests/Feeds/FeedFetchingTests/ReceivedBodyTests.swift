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

  @Test("what is not wanted by its head is not taken, and ends the transfer with its first byte")
  func unwanted() {
    let head = ResponseHead(status: 200, url: "http://a.example/", contentType: "audio/mpeg")
    let body = ReceivedBody(isWanted: { $0.contentType == "text/html" })
    #expect(body.head == nil)
    body.begin(head)
    #expect(Array("bytes".utf8).withUnsafeBytes { !body.receive($0) })
    #expect(body.head == head && body.count == 0)
  }

  @Test("a body that goes elsewhere as it comes is not kept, and ends when that takes no more")
  func elsewhere() {
    var taken: [UInt8] = []
    let body = ReceivedBody(into: { piece in
      taken += piece
      return taken.count < 4
    })
    body.begin(ResponseHead(status: 200, url: "http://a.example/"))
    let results = ["ab", "cd"].map { Array($0.utf8).withUnsafeBytes { body.receive($0) } }
    #expect(results == [true, false])
    #expect(taken == Array("abcd".utf8) && body.count == 0)
  }
}
