import TestSupport
import Testing

@Suite("A good document that chance has damaged")
struct FuzzTests {
  @Test(
    "is an error or a value that holds together",
    arguments: ["feed", "html", "opml", "plist", "record"],
  )
  func damaged(reader: String) throws {
    let folder = try TemporaryFolder()
    let last = folder.path("last")
    let rounds = 2_000 * ProofScale.factor
    let words = [try BuiltProduct.path("FuzzProbe"), reader, "\(rounds)", "1", last]
    let result = try Subprocess.run(words + seeds(of: reader, in: folder), environment: [:])
    print("\(reader): \(result.text)", terminator: "")
    let document = (try? readFile(last)) ?? []
    #expect(
      result.status == 0,
      "\(result.errorText.prefix(2_000)) \(String(decoding: document, as: UTF8.self))",
    )
  }

  /// Returns files of no more than 16 KiB: of longer ones chance would damage a smaller part.
  private func seeds(of reader: String, in folder: TemporaryFolder) throws -> [String] {
    let script =
      switch reader {
      case "feed": "find \"$0/feeds\" \"$0/reuters\" -type f -size -16k"
      case "html", "record":
        "find \"$0\" \\( -name '*.html' -o -path '*/feeds/*' \\) -type f -size -16k"
      case "opml": "find \"$0/opml\" -type f"
      default:
        """
        cd "$1" && export NEWS_HOME="$1/home" TZ=UTC
        "$2" refresh "$0/reuters/technology.xml" && "$2" read 1
        for list in home/*.plist; do plutil -convert xml1 -o "$list.xml" "$list"; done
        ls "$1"/home/*.plist "$1"/home/*.xml
        """
      }
    let fixtures = BuiltProduct.fixture("").dropLast()
    let words = ["sh", "-ec", script, String(fixtures), folder.path, try BuiltProduct.path("news")]
    let found = try Subprocess.run(words)
    try #require(found.status == 0, "\(found.errorText)")
    let lines = found.text.split(separator: "\n")
    return lines.filter { $0.hasPrefix("/") && !$0.hasSuffix(".md") }.map(String.init)
  }
}
