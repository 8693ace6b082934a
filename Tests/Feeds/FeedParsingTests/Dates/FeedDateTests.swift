import TestSupport
import Testing

@testable import FeedParsing
@testable import System

@Suite("Dates")
struct FeedDateTests {
  /// A row of `Fixtures/dates.tsv`.
  struct Row: CustomTestStringConvertible, Sendable {
    let text: String
    let expected: String
    var testDescription: String { text }
  }

  static let rows: [Row] = {
    let table = try? String(contentsOfFile: BuiltProduct.fixture("dates.tsv"), encoding: .utf8)
    return (table ?? "").split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      let text = fields[0].split(separator: "\\n", omittingEmptySubsequences: false)
      return Row(text: text.joined(separator: "\n"), expected: String(fields.last ?? ""))
    }
  }()

  @Test("a date is read or refused, never guessed", arguments: rows)
  func table(row: Row) {
    #expect((FeedDate.date(row.text).map(RFC3339.string) ?? "-") == row.expected)
  }

  @Test("the table is there")
  func tableIsThere() {
    #expect(Self.rows.count > 250)
  }

  @Test("white space around a date does not count", arguments: rows.prefix(60))
  func whiteSpace(row: Row) {
    #expect(FeedDate.date(" \n\t\(row.text)\r\n ") == FeedDate.date(row.text))
  }

  @Test("the fast ways give what the slow one gives", arguments: rows)
  func fastIsSlow(row: Row) throws {
    var text = row.text
    try text.withUTF8 { bytes in
      guard let fast = CommonDateForm.seconds(bytes) else { return }
      let fields = DateReader.fields(of: try #require(DateText(bytes)))
      #expect(fields?.instant == fast)
    }
  }

  @Test("every instant that is printed is read again")
  func roundTrip() {
    var generator = Chance(state: 3)
    for _ in 0..<5000 {
      let seconds = Int.random(in: -62_135_596_800...253_402_300_799, using: &generator)
      let date = Date(timeIntervalSince1970: Double(seconds))
      #expect(FeedDate.date(RFC3339.string(date)) == date)
    }
  }

  @Test(
    "instants that no store should have are printed all the same",
    arguments: [
      (Double.nan, "0000-01-01T00:00:00Z"), (.infinity, "9999-12-31T23:59:59Z"),
      (-.infinity, "0000-01-01T00:00:00Z"), (1e300, "9999-12-31T23:59:59Z"),
      (-1, "1969-12-31T23:59:59Z"), (0.9, "1970-01-01T00:00:00Z"),
    ],
  )
  func extremes(seconds: Double, expected: String) {
    #expect(RFC3339.string(Date(timeIntervalSince1970: seconds)) == expected)
  }

  @Test("no text makes the reader fail, however it is put together")
  func fuzz() {
    var generator = Chance(state: 4)
    let pieces = [
      "Mon", ",", " ", "7", "03", "2023", "Mar", "mars", "08:09", ":10", ".5", "+0100", "-", "/",
      ".",
      "T", "Z", "GMT", "EST", "pm", "a", "m", "(x", ")", "99999999999999999999", "年", "月", "오후",
      "W",
      "\u{301}", "Europe/Paris", "+", ":", "é", "'", "[", "at",
    ]
    for _ in 0..<20_000 {
      let text = (0..<Int.random(in: 1...9, using: &generator))
        .map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
      guard let date = FeedDate.date(text) else { continue }
      #expect((-62_200_000_000...253_500_000_000).contains(date.timeIntervalSince1970))
    }
  }

  @Test("a long text is no date")
  func length() {
    #expect(FeedDate.date(String(repeating: "2023-03-07 ", count: 100)) == nil)
    #expect(FeedDate.date("2023-03-07T08:09:10" + String(repeating: "(", count: 100)) != nil)
  }
}
