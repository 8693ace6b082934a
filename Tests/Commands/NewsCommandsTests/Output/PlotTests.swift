import Testing

@testable import NewsCommands

@Suite("Pictures made of characters")
struct PlotTests {
  private func plot(_ columns: Int, ascii: Bool = false) -> Plot {
    Plot(columns: columns, hasBlocks: !ascii)
  }

  @Test("upright bars show nothing of nothing, something of everything else, and no more than all")
  func row() {
    let values = [0, 1, 25, 50, 75, 99, 100, 0]
    #expect(plot(80).row(values, most: 100) == " ▁▂▄▆██")
    #expect(plot(80, ascii: true).row(values, most: 100) == " .-+#@@")
    #expect(plot(80).row([1, 2], most: 2, width: 3) == "▄▄▄███")
    #expect(plot(80).row([.max, -5, .min, 1], most: 10) == "█  ▁")
    #expect(plot(80).row([3], most: 0) == "" && plot(80).row([], most: 1) == "")
  }

  private let bars = [
    Plot.Bar(label: "東京", value: 1000, amount: "1000"),
    Plot.Bar(label: "b", value: 1, amount: "1"),
    Plot.Bar(label: "A long label", value: 500, amount: "500"),
    Plot.Bar(label: "none", value: 0, amount: "0"),
  ]

  @Test("lying bars are fitted to the width, in eighths of a column")
  func lying() {
    #expect(
      plot(30).bars(bars) { "<\($0)>" } == [
        "東京         1000 <████████████>", "b               1 <▏>",
        "A long label  500 <██████>", "none            0",
      ]
    )
    #expect(
      plot(20, ascii: true).bars(bars) { $0 } == [
        "東京     1000 ######", "b           1 #", "A long…   500 ###", "none        0",
      ]
    )
    #expect(plot(10).bars(bars) { $0 }.last == "none        0")
    #expect(plot(1000).bars([bars[0]]) { $0 }[0].count == 98)
  }

  @Test("a heat map has the hours above, and the days from Sunday")
  func heatMap() {
    var values = [Int](repeating: 0, count: 168)
    (values[0], values[23], values[24 + 6], values[6 * 24 + 13]) = (4, 1, 2, 3)
    #expect(
      plot(40).heatMap(values, most: 4) { $0 } == [
        "    0     6     12    18", "Sun █                      ░", "Mon       ▒", "Tue", "Wed",
        "Thu", "Fri", "Sat              ▓",
      ]
    )
    #expect(
      plot(20, ascii: true).heatMap(values, most: 4) { $0 } == [
        "    0  6  12 18", "Sun @          -", "Mon    +", "Tue", "Wed", "Thu", "Fri",
        "Sat       #",
      ]
    )
    let wide = plot(80).heatMap(values, most: 4) { $0 }
    #expect(wide[0] == "    0                 6                 12                18")
    #expect(wide[1].hasPrefix("Sun ███   ") && wide[1].count == 76)
  }

  @Test(
    "nothing is too narrow: no width ends the program",
    arguments: [-1, 0, 1, 2, 4, 5, 8, 16, 27, 28],
  )
  func narrow(_ columns: Int) {
    let values = (0..<168).map { $0 }
    #expect(plot(columns).heatMap(values, most: 167) { $0 }.count == 8)
    #expect(plot(columns).bars(bars) { $0 }.count == 4)
  }

  @Test(
    "blocks are for locales with UTF-8, by the first variable that says something",
    arguments: [
      ([:], false), (["LANG": "de_CH.UTF-8"], true), (["LANG": "C.utf8"], true),
      (["LANG": "de_CH.UTF-8", "LC_CTYPE": "de_CH"], false),
      (["LC_ALL": "", "LC_CTYPE": "", "LANG": "C.UTF-8"], true),
      (["LC_ALL": "C", "LC_CTYPE": "C.UTF-8", "LANG": "C.UTF-8"], false),
      (["LC_ALL": "C.UTF-8", "LC_CTYPE": "C"], true),
    ] as [([String: String], Bool)],
  )
  func locale(_ variables: [String: String], _ hasBlocks: Bool) throws {
    let news = try CommandRun()
    try news.storeSample()
    news.variables.merge(variables) { $1 }
    #expect(news("stats", "--since", "2y").output.contains("█") == hasBlocks)
    news.isMacOS = true
    let isUnset = variables.isEmpty
    #expect(news("stats", "--since", "2y").output.contains("█") == (hasBlocks || isUnset))
  }
}
