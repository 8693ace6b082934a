import TestSupport
import Testing

@Suite("Where a command enters")
struct CommandEntryTests {
  private func files(with text: String) throws -> [String] {
    let sources = BuiltProduct.fixture("../Sources")
    let words = ["grep", "-rlF", "--include=*.swift", text, "."]
    let found = try Subprocess.run(words, folder: sources)
    return found.text.split(separator: "\n").map(String.init).sorted()
  }

  @Test("words count as typed in the one place that reads what was typed")
  func typed() throws {
    let place = "./Commands/CommandSupport/Arguments/TypedWords.swift"
    #expect(try files(with: "OwnWords(typed:") == [place])
  }

  @Test("a shell is started for the user's own commands, his pager, and to restore the terminal")
  func shells() throws {
    let places = [
      "./Base/CommandLine/Terminal/Pager.swift", "./Base/CommandLine/Terminal/TerminalScreen.swift",
      "./Base/System/Processes/OwnWords.swift",
    ]
    #expect(try files(with: "\"/bin/sh\"") == places)
  }
}
