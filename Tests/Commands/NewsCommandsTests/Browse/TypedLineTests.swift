import Testing

@testable import CommandLine
@testable import ReadingCommands

@Suite("the table view: a line that is typed")
struct TypedLineTests {
  @Test(
    "keys move the cursor, and edit what stands at it",
    arguments: [
      ([], "tag new one_"), ([.left, .left], "tag new o_ne"), ([.home, .left], "_tag new one"),
      ([.control("a"), .right, .delete], "t_g new one"), ([.home, .end, .right], "tag new one_"),
      ([.home, .backspace], "_tag new one"), ([.delete], "tag new one_"),
      ([.left, .backspace, .character("é")], "tag new oé_e"),
      ([.home, .pasted("x y")], "x y_tag new one"), ([.control("w")], "tag new _"),
      ([.control("w"), .control("w"), .control("w"), .control("w")], "_"),
      ([.left, .left, .left, .left, .control("w")], "tag _ one"),
      ([.left, .left, .left, .left, .control("k"), .control("e")], "tag new_"),
      ([.left, .left, .left, .left, .control("u")], "_ one"),
    ] as [([Key], String)],
  )
  func edited(_ keys: [Key], _ result: String) {
    var line = TypedLine("tag new one")
    let isTaken = keys.map { line.take($0) }
    #expect(!isTaken.contains(false))
    let shown = line.shown(in: 80)
    #expect("\(shown.before)_\(shown.after)" == result)
  }

  @Test("keys that edit no line are left to others")
  func others() {
    var line = TypedLine("tag")
    let keys: [Key] = [.up, .down, .tab, .enter, .escape, .control("b"), .pageUp]
    let isTaken = keys.map { line.take($0) }
    #expect(!isTaken.contains(true) && line == TypedLine("tag"))
  }

  @Test(
    "of a long line the part around the cursor is shown, which fits however wide its signs are",
    arguments: ["東京で新しい駅が開業しました", "words that have no room in it", "👍🏽 x 👩‍👩‍👧 y 👍🏽"],
  )
  func part(_ text: String) {
    for (behind, columns) in (0...text.count).flatMap({ behind in (4...20).map { (behind, $0) } }) {
      let shown = TypedLine(text, behind: behind).shown(in: columns)
      #expect(text.dropLast(behind).hasSuffix(shown.before))
      #expect(text.suffix(behind).hasPrefix(shown.after))
      let width =
        TerminalText.width(shown.before, .apart) + TerminalText.width(shown.after, .apart)
      #expect(width <= columns)
    }
  }
}
