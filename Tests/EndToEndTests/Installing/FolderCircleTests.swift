import TestSupport
import Testing

/// Whoever reads a folder of a target needs the folders that it uses, and none that use it.
///
/// Files in the target's own folder belong to all of them.
@Suite("The folders of a target")
struct FolderCircleTests {
  private static let sources = BuiltProduct.fixture("../Sources")

  private static func lines(_ script: String, in folder: String) throws -> [String] {
    let result = try Subprocess.run(["sh", "-c", script], folder: folder)
    return result.text.split(separator: "\n").map(String.init)
  }

  static func targets() throws -> [String] { try lines("ls -d */*/", in: sources) }

  private func declared(in folder: String) throws -> [String] {
    let modifiers = "((package|public|internal|final|indirect) )*"
    let kinds = "(struct|enum|class|protocol|actor|typealias)"
    let script = "grep -hoE '^\(modifiers)\(kinds) [A-Z][A-Za-z0-9]+' *.swift"
    return try Self.lines(script, in: folder).compactMap {
      $0.split(separator: " ").last.map(String.init)
    }
  }

  private func words(in folder: String) throws -> [String] {
    let code = #"sed -E 's://.*::; s/"([^"\\]|\\.)*"//g' *.swift"#
    return try Self.lines(
      "\(code) | grep -oE '[A-Za-z0-9_]+' | grep '^[A-Z]' | sort -u",
      in: folder,
    )
  }

  @Test("use each other without a circle", arguments: try targets())
  func circles(_ target: String) throws {
    let root = "\(Self.sources)/\(target)"
    let folders = try Self.lines(
      "find . -mindepth 2 -name '*.swift' -printf '%h\n' | sort -u",
      in: root,
    )
    var owners: [String: String] = [:]
    for folder in folders {
      for name in try declared(in: "\(root)/\(folder)") { owners[name] = folder }
    }
    var uses: [String: Set<String>] = [:]
    for folder in folders {
      let used = try words(in: "\(root)/\(folder)").compactMap { owners[$0] }
      uses[folder] = Set(used).subtracting([folder])
    }
    while let last = uses.first(where: { $0.value.isDisjoint(with: uses.keys) }) {
      uses[last.key] = nil
    }
    #expect(uses.isEmpty, "each uses one of the others")
  }
}
