import Testing

@testable import CommandLine

@Suite("keys of the bytes that a terminal sends")
struct KeyReaderTests {
  private func keys(_ text: String) -> [Key] {
    var reader = KeyReader()
    return reader.read(text.utf8) + reader.endSequence()
  }

  @Test(
    "what terminals send for keys, in both modes of the cursor keys",
    arguments: [
      ("j", .character("j")), ("é", .character("é")), ("漢", .character("漢")),
      ("👍", .character("👍")), ("\u{1b}[A", .up), ("\u{1b}OA", .up), ("\u{1b}[1;2B", .down),
      ("\u{1b}[3~", .delete), ("\u{1b}[5~", .pageUp), ("\u{1b}[6~", .pageDown),
      ("\u{1b}[1~", .home), ("\u{1b}OF", .end),
      ("\r", .enter), ("\n", .enter), ("\t", .tab), ("\u{1b}[Z", .backTab), ("\u{7f}", .backspace),
      ("\u{3}", .control("c")), ("\u{1a}", .control("z")), ("\u{1b}", .escape),
    ] as [(String, Key)],
  )
  func one(_ bytes: String, _ key: Key) {
    #expect(keys(bytes) == [key])
  }

  @Test("what comes in pieces is the same as what comes at once")
  func pieces() {
    let text = "aé漢\u{1b}[6~\u{1b}[<0;5;7M\u{1b}[200~x\ny\u{1b}[201~\u{1b}OBq"
    let whole = keys(text)
    #expect(
      whole == [
        .character("a"), .character("é"), .character("漢"), .pageDown, .click(row: 6, column: 4),
        .pasted("x y"), .down, .character("q"),
      ]
    )
    var reader = KeyReader()
    var single: [Key] = []
    for byte in text.utf8 { single += reader.read([byte]) }
    #expect(single == whole)
    #expect(!reader.isInSequence)
  }

  @Test("Escape is a key when nothing follows, and when another sequence does")
  func escapes() {
    var reader = KeyReader()
    #expect(reader.read("\u{1b}".utf8).isEmpty && reader.isInSequence)
    #expect(reader.endSequence() == [.escape])
    #expect(reader.read("\u{1b}\u{1b}[A".utf8) == [.escape, .up])
    #expect(keys("\u{1b}[") == [.escape])
  }

  @Test("the mouse: a press, the wheel; nothing else")
  func mouse() {
    #expect(keys("\u{1b}[<0;1;1M") == [.click(row: 0, column: 0)])
    #expect(
      keys("\u{1b}[<64;10;2M\u{1b}[<65;10;2M") == [
        .wheelUp(row: 1, column: 9), .wheelDown(row: 1, column: 9),
      ]
    )
    #expect(keys("\u{1b}[<0;1;1m\u{1b}[<2;1;1M\u{1b}[<0;0;0M\u{1b}[<0M").isEmpty)
  }

  @Test("what is pasted is no key, and has no controls in it")
  func pastes() {
    #expect(keys("\u{1b}[200~dy\u{1b}[Aq\u{3}\u{1b}[201~") == [.pasted("dy [Aq")])
  }

  @Test("no part of a sequence is a key, in whatever pieces it comes")
  func letters() {
    #expect(keys("\u{1b}[[A\u{1b}[\u{1b}[BA").map(\.self) == [.down, .character("A")])
    #expect(keys("\u{1b}[M !A\u{1b}[M !Aj") == [.character("j")])
    for rest in ["[A", "OA", "[<0;1;1M", "[6~"] {
      var reader = KeyReader()
      _ = reader.read("\u{1b}".utf8)
      #expect(reader.endSequence() == [.escape])
      let key: [Key] =
        ["[A": [.up], "OA": [.up], "[6~": [.pageDown]][rest] ?? [.click(row: 0, column: 0)]
      let keys = [.noEscape] + key + [.character("j")]
      #expect(reader.read("\(rest)j".utf8) == keys, "\(rest)")
    }
    var slow = KeyReader()
    var pressed: [Key] = []
    for byte in "\u{1b}[A".utf8 {
      pressed += slow.read([byte])
      if pressed.isEmpty { pressed = slow.endSequence() }
    }
    #expect(pressed == [.escape, .noEscape, .up])
  }

  @Test("over a slow line the pieces of a sequence may come 400 ms apart, and take Escape back")
  func remote() {
    var reader = KeyReader(isRemote: true)
    #expect(reader.read("\u{1b}".utf8).isEmpty && reader.timeout == .milliseconds(60))
    #expect(reader.endSequence() == [.escape] && reader.timeout == .milliseconds(400))
    #expect(reader.read("[".utf8).isEmpty && reader.timeout == .milliseconds(400))
    #expect(reader.read("A".utf8) == [.noEscape, .up] && !reader.isInSequence)
  }

  @Test("what comes long after Escape was typed, and is a key")
  func late() {
    for sign in ["O", "["] {
      var reader = KeyReader()
      #expect(reader.read("\u{1b}".utf8) + reader.endSequence() == [.escape])
      #expect(reader.isInSequence && reader.endSequence() == [] && !reader.isInSequence)
      #expect(reader.read("\(sign)j".utf8) == [.character(Character(sign)), .character("j")])
      #expect(reader.read("\u{1b}".utf8) + reader.endSequence() == [.escape])
      #expect(reader.read(sign.utf8) + reader.endSequence() == [.character(Character(sign))])
    }
  }

  @Test("a paste that never ends is one all the same")
  func endlessPaste() {
    var reader = KeyReader()
    #expect(reader.read("\u{1b}[200~abc".utf8).isEmpty && reader.isInSequence)
    #expect(reader.endSequence() == [.pasted("abc")])
    #expect(reader.read("q".utf8) == [.character("q")])
  }

  @Test("what nobody knows is passed over, and what never ends is given up")
  func unknown() {
    #expect(keys("\u{1b}[99~\u{1b}xj") == [.escape, .character("x"), .character("j")])
    #expect(keys("\u{1b}[" + String(repeating: "1;", count: 100) + "j").last != .character("j"))
    var reader = KeyReader()
    let odd: [UInt8] = [0xff, 0xc3, 0x28, 0x00, 0x6a]
    #expect(reader.read(odd) == [.character("("), .character("j")])
  }
}
