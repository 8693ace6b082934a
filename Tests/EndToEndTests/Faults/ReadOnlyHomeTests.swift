import TestSupport
import Testing

@Suite(
  "A home on a disk that is read only",
  .enabled(if: NetworkNamespace.isAllowed, "mounts of the test's own need root"),
)
struct ReadOnlyHomeTests {
  @Test(
    "a list has no numbers that the next command would take for those of an older list",
    arguments: [([], "\t"), (["--csv"], "\"\","), (["--json"], #"{"n":null,"#)],
  )
  func unnumbered(_ form: [String], _ start: String) throws {
    let news = try News()
    _ = try news.run("subscribe", BuiltProduct.fixture("reuters/technology.xml"))
    let older = try news.run("list")
    #expect(older.text.hasPrefix("1\t"))
    let script =
      "mount --bind home home && mount -o remount,ro,bind home && exec \"$@\" list --reverse -n 2 "
    let list = try Subprocess.run(
      ["unshare", "--mount", "sh", "-c", script + form.joined(separator: " "), "sh", news.program],
      environment: news.settings,
      folder: news.folder.path,
    )
    let lines = list.text.split(whereSeparator: \.isNewline).count { $0.hasPrefix(start) }
    #expect(lines == 2, "\(list.text)")
    #expect(list.errorText.contains("could not save the numbers of this list"))
    #expect(list.status == 0)
  }
}
