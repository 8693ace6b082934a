import TestSupport
import Testing

/// The output of the commands, compared with the files in `Fixtures/output`.
///
/// With `NEWS_OUTPUT=write` in the environment the files are written instead.
@Suite("the output is what the files in Fixtures/output say")
struct OutputSceneTests {
  @Test("the output of a command, to the letter", arguments: OutputScene.all)
  func scene(_ scene: OutputScene) throws {
    let path = BuiltProduct.fixture("output/\(scene.name).txt")
    let text = try scene.text()
    if ProcessInfo.processInfo.environment["NEWS_OUTPUT"] == "write" {
      try writeFile(path, text.utf8)
    }
    #expect(text == (try readText(path)))
  }

  @Test("every file has a scene")
  func files() throws {
    let names = OutputScene.all.map { "\($0.name).txt" }
    #expect(Set(names).count == names.count)
    let files = try namesInFolder(BuiltProduct.fixture("output")).filter { $0 != "README.md" }
    #expect(files == names.sorted())
  }
}
