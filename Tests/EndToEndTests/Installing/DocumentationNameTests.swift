import TestSupport
import Testing

@Suite("What the pages name")
struct DocumentationNameTests {
  private let root = BuiltProduct.fixture("..")

  private func output(_ words: String...) throws -> [String] {
    try Subprocess.run(words, folder: root).text.split(separator: "\n").map(String.init)
  }

  private func declared() throws -> Set<String> {
    let kinds = "(class|struct|enum|protocol|typealias|actor) [A-Z][A-Za-z0-9]+"
    let types = try output("grep", "-rhoE", "--include=*.swift", kinds, "Sources", "Tests")
    let files = try output("find", "Sources", "Tests", "-name", "*.swift", "-printf", "%f\n")
    let names =
      types.compactMap { $0.split(separator: " ").last } + files.map { $0.dropLast(".swift".count) }
    return Set(names.map(String.init))
  }

  @Test("types and files have the names that they have in the sources")
  func types() throws {
    let known = try declared()
    for name in ["Architecture", "Contributing"] {
      let page = try Page.named(name)
      let named = page.code.filter { $0.wholeMatch(of: #/[A-Z]\w*[a-z]\w*(\+\w+)?/#) != nil }
      #expect(named.count > 10)
      for type in named where !["Sources", "Tests", "Fixtures"].contains(type) {
        #expect(known.contains(type), "\(page.name): \(type)")
      }
    }
  }

  @Test("suites that are to be run, scripts and files are there", arguments: try Page.all())
  func paths(_ page: Page) throws {
    let known = try declared()
    let folders = try output("find", "Tests", "-type", "d", "-printf", "%f\n")
    let lines = page.lines(of: "sh") + page.code
    for suite in lines.flatMap({ $0.matches(of: #/--filter (\w+Tests)/#).map { String($0.1) } }) {
      #expect(known.contains(suite) || folders.contains(suite), "\(page.name): \(suite)")
    }
    for path in lines.flatMap({ $0.matches(of: #/(?:Fixtures|Sources|\.ci)\/[\w.\/-]*\w/#) }) {
      #expect(isThere(String(path.0)), "\(page.name): \(path.0)")
    }
  }

  private func isThere(_ path: String) -> Bool { access("\(root)/\(path)", F_OK) == 0 }

  @Test("every page is linked from the README, and from the page that lists them")
  func links() throws {
    let (readme, list) = (try Page.readme().text, try Page.named("news").text)
    for page in try Page.all() where page.name.hasPrefix(Page.folder) {
      #expect(readme.contains("(\(page.name))"), "\(page.name)")
      let name = page.name.dropFirst(Page.folder.count + 1).dropLast(3)
      #expect(name == "news" || list.contains("- <doc:\(name)>"), "\(name)")
    }
    for link in readme.matches(of: #/\]\(([^):]+)\)/#) { #expect(isThere(String(link.1))) }
  }
}
