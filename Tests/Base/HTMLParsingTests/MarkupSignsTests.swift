import Testing

@testable import HTMLParsing

@Suite("Plain text for programs that may take it for HTML")
struct MarkupSignsTests {
  @Test(
    "shows the same either way: what would be a tag or a reference has wide signs",
    arguments: [
      ("a <img src=x> & b", "a ＜img src=x＞ ＆ b"), ("</b>", "＜/b＞"), ("<!-- x", "＜!-- x"),
      ("<?x", "＜?x"), ("Tom &amp; Jerry", "Tom ＆amp; Jerry"), ("&#60;b>", "＆#60;b＞"),
      ("&copy 1", "＆copy 1"), ("\u{0D4E}<b \u{0D4E}>", "\u{0D4E}＜b \u{0D4E}＞"),
    ],
  )
  func signs(_ text: String, _ expected: String) {
    #expect(MarkupSigns.text(text) == expected)
  }

  @Test(
    "stays as it is where HTML reads nothing else",
    arguments: ["AT&T", "1 < 2", "a > b", "<", "&", "&x;"],
  )
  func plain(_ text: String) {
    #expect(MarkupSigns.text(text) == text)
  }
}
