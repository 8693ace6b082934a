import FeedFetching
import TestSupport
import Testing

@Suite("An HTTP date is read in its three forms")
struct HTTPDateTests {
  @Test(
    "what is a date",
    arguments: [
      ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
      ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
      ("Sun Nov  6 08:49:37 1994", 784_111_777),
      ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
      ("Tue, 29 Feb 2000 23:59:60 GMT", 951_868_800),
      ("Mon, 01 Mar 2100 00:00:00 GMT", 4_107_542_400),
      ("Wednesday, 31-Dec-69 00:00:00 GMT", 3_155_673_600),
      ("thu, 1 jan 1970 00:00:01 gmt", 1),
    ],
  )
  func dates(_ text: String, _ seconds: Double) {
    #expect(HTTPDate.date(text)?.timeIntervalSince1970 == seconds)
  }

  @Test(
    "what is not",
    arguments: [
      "", "0", "-1", "now", "Sun, 06 Nov 1994", "Sun, 32 Nov 1994 08:49:37 GMT",
      "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:49:37 GMT",
      "Sun, 06 Nov 99999999999999999999 08:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT",
      "Sun, 06 Nov 1994 08:49:37:00 GMT", "Sun, +6 Nov 1994 08:49:37 GMT",
      String(repeating: "Sun, 06 Nov 1994 08:49:37 GMT ", count: 9),
    ],
  )
  func others(_ text: String) {
    #expect(HTTPDate.date(text) == nil)
  }
}
