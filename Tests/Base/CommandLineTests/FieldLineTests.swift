import System
import Testing

@testable import CommandLine

@Suite("A line of fields")
struct FieldLineTests {
  private func text(
    _ styling: FieldLine.Styling? = nil,
    _ body: (inout FieldLine) -> Void,
  ) -> String {
    var line = FieldLine(styling)
    body(&line)
    return String(decoding: line.bytes, as: UTF8.self)
  }

  @Test(
    "has its numbers and dates as texts of them are, styled or not",
    arguments: [0, 1, 9, 10, 101, 1_000_000, .max, -7, .min, nil],
  )
  func numbers(_ number: Int?) {
    let date = number.map { Date(timeIntervalSince1970: Double($0)) }
    let texts = [number.map(String.init) ?? "", date.map(RFC3339.string) ?? ""]
    let plain = text {
      $0.append(number)
      $0.append(date)
    }
    #expect(plain == texts.joined(separator: "\t"))
    let styling = { (index: Int, text: String) in "\(index)<\(text)>" }
    let styled = text(styling) {
      $0.append(number)
      $0.append(date)
    }
    #expect(styled == "0<\(texts[0])>\t1<\(texts[1])>")
  }

  @Test("has neither tabs nor breaks nor signs that reorder in a field")
  func clean() {
    let plain = text {
      for field in ["a\tb\nc", "", " \u{202E}x\u{7} ", "é"] { $0.append(field) }
    }
    #expect(plain == "a b c\t\tx\té")
  }
}
