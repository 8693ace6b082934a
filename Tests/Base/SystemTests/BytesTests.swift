import Testing

@testable import System

@Suite("Bytes")
struct BytesTests {
  @Test(
    "base64 is decoded with white space and without padding, or refused",
    arguments: [
      ("PGI+", "<b>"), (" PG\nI+ ", "<b>"), ("YQ==", "a"), ("YQ", "a"), ("", ""), ("Y", nil),
      ("Y!==", nil), ("YQ==YQ", nil),
    ] as [(String, String?)],
  )
  func base64(_ text: String, _ expected: String?) {
    #expect(Base64.decode(text.utf8).map { String(decoding: $0, as: UTF8.self) } == expected)
  }

  @Test(
    "escapes of URLs are read, and what is none stays",
    arguments: [
      ("a%20b", "a b"), ("%c3%A4", "ä"), ("100%", "100%"), ("%4", "%4"), ("%+1x", "%+1x"),
      ("%zz%41", "%zzA"),
    ],
  )
  func escapes(_ text: String, _ decoded: String) {
    #expect(String(decoding: text.utf8.percentDecoded(), as: UTF8.self) == decoded)
  }

  @Test("all but the bytes that may stand in a URL are escaped")
  func encoding() {
    #expect("a b/ä~".utf8.percentEncoded(unless: \.isUnreservedInURL) == "a%20b%2F%C3%A4~")
  }

  @Test("numbers are as wide as they have to be")
  func widths() {
    #expect([7, 42, 123].map { $0.padded(to: 2) } == ["07", "42", "123"])
    #expect(0xAB.padded(to: 4, radix: 16) == "00ab")
  }

  @Test(
    "a slip is a letter that is wrong, missing, too many or swapped with its neighbour",
    arguments: [
      ("item", "item", 0), ("item", "itme", 1), ("item", "itm", 1), ("item", "iitem", 1),
      ("item", "utem", 1), ("item", "meti", 3), ("", "item", 4),
    ],
  )
  func slipsOfFinger(_ one: String, _ other: String, _ count: Int) {
    #expect(editDistance(Array(one), Array(other)) == count)
  }

  @Test("the hash of bytes is that of Fowler, Noll and Vo")
  func hashes() {
    #expect(FNV1a.hash("") == 0xCBF2_9CE4_8422_2325)
    #expect(FNV1a.hash("foobar") == 0x8594_4171_F739_67E8)
  }
}
