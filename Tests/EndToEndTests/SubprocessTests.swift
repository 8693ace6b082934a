import TestSupport
import Testing

@Suite("A program that a test starts")
struct SubprocessTests {
  @Test("is given its folder, its input and its environment, and tells what it printed")
  func conversation() throws {
    let folder = try TemporaryFolder()
    let result = try Subprocess.run(
      ["/bin/sh", "-c", "pwd; cat; echo $NEWS_TEST >&2; exit 3"],
      environment: ["NEWS_TEST": "yes"],
      folder: folder.path,
      input: "in\n",
    )
    #expect(result.text == folder.path + "\nin\n")
    #expect(result.errorText == "yes\n")
    #expect(result.status == 3)
  }

  @Test("is given no descriptor that another test has open")
  func descriptors() throws {
    // The shell does not use such a high number itself.
    let other = fcntl(0, F_DUPFD, 200)
    defer { close(other) }
    #expect(other >= 200)
    let result = try Subprocess.run(["/bin/sh", "-c", "echo /proc/$$/fd/*"])
    #expect(result.text.contains("/fd/0 ") && !result.text.contains("/fd/\(other)"))
  }

  @Test("is found beside the tests when this package built it")
  func product() throws {
    #expect(try BuiltProduct.path("news").hasSuffix("/news"))
  }
}
