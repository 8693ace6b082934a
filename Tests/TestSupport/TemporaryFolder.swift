/// A folder of its own for one test, gone with the last reference to it, or with the process.
package final class TemporaryFolder: Sendable {
  package let path: String

  package init() throws {
    let parent = try TemporaryRoot.path.get()
    var template = Array("\(parent)/XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw POSIXFailure("mkdtemp", parent) }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    removeTree(path)
  }

  package func path(_ name: String) -> String {
    "\(path)/\(name)"
  }

  @discardableResult
  package func write(_ bytes: some Sequence<UInt8>, to name: String) throws -> String {
    try writeFile(path(name), bytes)
    return path(name)
  }

  @discardableResult
  package func write(_ text: String, to name: String) throws -> String {
    try write(text.utf8, to: name)
  }
}

package struct POSIXFailure: Error, CustomStringConvertible {
  package let description: String

  package init(_ call: String, _ subject: String) {
    description = "\(call) \(subject): \(String(cString: strerror(errno)))"
  }
}

package func readFile(_ path: String) throws -> [UInt8] {
  guard let file = fopen(path, "rb") else { throw POSIXFailure("fopen", path) }
  defer { fclose(file) }
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 65_536)
  while true {
    let count = fread(&chunk, 1, chunk.count, file)
    if count == 0 { return bytes }
    bytes += chunk[..<count]
  }
}

package func readText(_ path: String) throws -> String {
  String(decoding: try readFile(path), as: UTF8.self)
}

package func writeFile(_ path: String, _ bytes: some Sequence<UInt8>) throws {
  guard let file = fopen(path, "wb") else { throw POSIXFailure("fopen", path) }
  let all = Array(bytes)
  let written = fwrite(all, 1, all.count, file)
  guard fclose(file) == 0, written == all.count else { throw POSIXFailure("fwrite", path) }
}

package func namesInFolder(_ path: String) throws -> [String] {
  guard let folder = opendir(path) else { throw POSIXFailure("opendir", path) }
  defer { closedir(folder) }
  var names: [String] = []
  while let entry = readdir(folder) {
    let name = withUnsafePointer(to: &entry.pointee.d_name) {
      $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
    }
    if name != ".", name != ".." { names.append(name) }
  }
  return names.sorted()
}

package func removeTree(_ path: String) {
  var status = stat()
  guard lstat(path, &status) == 0 else { return }
  guard status.st_mode & S_IFMT == S_IFDIR else {
    unlink(path)
    return
  }
  for name in (try? namesInFolder(path)) ?? [] { removeTree("\(path)/\(name)") }
  rmdir(path)
}
