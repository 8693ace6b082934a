import TestSupport
import Testing

@Suite("What is started for a server that was taken over")
struct StarterLimitTests {
  @Test("is news for its home with the words of apps, and nothing else")
  func limit() throws {
    let folder = try TemporaryFolder()
    let (probe, news) = (try BuiltProduct.path("StoreProbe"), try BuiltProduct.path("news"))
    let result = try Subprocess.run([probe, "limited", folder.path("home"), news])
    let lines = result.text.split(separator: "\n").map(String.init)
    let taken = ["a shell before", "subscribe", "titles and tags", "import"]
    let refused = [
      "another limit", "a shell", "a shell that stays", "a private network", "another permission",
      "a filter", "a filter behind", "a file",
      "two feeds", "commands", "a refresh", "nothing", "another home", "a variable",
    ]
    let expected =
      ["a limit: taken"] + taken.map { "\($0): started" } + refused.map { "\($0): refused" }
    #expect(lines.sorted() == expected.sorted(), "\(result.errorText)")
  }
}
