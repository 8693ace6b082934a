import System
import Testing

@Suite("TextBuffer")
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
}
