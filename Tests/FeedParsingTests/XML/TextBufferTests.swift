import Testing

@testable import FeedParsing

@Suite("TextBuffer and ChunkBuffer")
struct TextBufferTests {
  private func append(_ text: String, to buffer: TextBuffer) {
    Array(text.utf8).withUnsafeBufferPointer { buffer.append($0) }
  }

  @Test("what is appended is there, however large it grows")
  func growth() {
    let buffer = TextBuffer(capacity: 1)
    for number in 0..<1_000 { append("\(number),", to: buffer) }
    buffer.append(UInt8(ascii: "!"))
    let all = buffer.bytes(TextSpan(start: 0, end: buffer.count)).string
    #expect(all == (0..<1_000).map { "\($0)," }.joined() + "!")
  }

  @Test("a span outside the buffer is what of it is inside")
  func spans() {
    let buffer = TextBuffer()
    append(" a b \n", to: buffer)
    #expect(buffer.trimmed(TextSpan(start: 0, end: 99)) == TextSpan(start: 1, end: 4))
    #expect(buffer.bytes(TextSpan(start: 3, end: 99)).string == "b \n")
    #expect(buffer.bytes(TextSpan(start: 50, end: 99)).string.isEmpty)
    buffer.truncate(to: 2)
    #expect(buffer.bytes(TextSpan(start: 0, end: 99)).string == " a")
    #expect(buffer.trimmed(TextSpan(start: 0, end: 1)).isEmpty)
  }

  @Test(
    "text is cut before a character, not inside",
    arguments: [
      ("aüb", 2, "a"), ("aüb", 3, "aü"), ("aüb", 9, "aüb"), ("€", 2, ""), ("", 3, ""),
    ],
  )
  func cuts(_ text: String, _ length: Int, _ expected: String) {
    Array(text.utf8).withUnsafeBufferPointer {
      #expect($0.characters(atMost: length).string == expected)
    }
  }

  @Test(
    "chunks are cut at the same places however the bytes arrive",
    arguments: [1, 999, 32_768, 70_000],
  )
  func chunks(_ size: Int) throws {
    let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
    let chunks = ChunkBuffer()
    var sizes: [Int] = []
    var output: [UInt8] = []
    let sink: ByteSink = { (chunk) throws(FeedParsingError) in
      sizes.append(chunk.count)
      output.append(contentsOf: chunk)
    }
    for start in stride(from: 0, to: bytes.count, by: size) {
      let piece = TextBuffer()
      bytes[start..<min(start + size, bytes.count)].withUnsafeBufferPointer { piece.append($0) }
      let all = piece.bytes(TextSpan(start: 0, end: piece.count))
      try chunks.append(UnsafeRawBufferPointer(all), into: sink)
    }
    try chunks.finish(into: sink)
    #expect(sizes == [32_768, 32_768, 32_768, 1_696])
    #expect(output == bytes)
  }
}
