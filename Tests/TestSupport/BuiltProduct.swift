package enum BuiltProduct {
  /// Returns the path of an executable that `swift build` put beside the tests.
  package static func path(_ name: String) throws -> String {
    var folder = try executablePath()
    while let slash = folder.lastIndex(of: "/") {
      folder = String(folder[..<slash])
      let candidate = "\(folder)/\(name)"
      if access(candidate, X_OK) == 0 { return candidate }
    }
    errno = ENOENT
    throw POSIXFailure("find", name)
  }

  package static func fixture(_ name: String) -> String {
    root + "/Fixtures/" + name
  }

  /// Returns the folder of the real servers that tests talk to, or nil if there is none.
  ///
  /// It lies beside the repository or where `NEWS_TEST_SERVERS` says.
  package static func servers() -> String? { beside("servers", "NEWS_TEST_SERVERS", "freshrss") }

  /// Returns the folder of the tests that readers of HTML share (html5lib-tests), or nil if there
  /// is none.
  ///
  /// It lies beside the repository or where `NEWS_TEST_HTML` says.
  package static func htmlTests() -> String? {
    beside("html5lib-tests", "NEWS_TEST_HTML", "tree-construction.json")
  }

  private static func beside(_ name: String, _ variable: String, _ file: String) -> String? {
    let named = getenv(variable).map { String(cString: $0) }
    let folder = named ?? root + "/../shared/" + name
    return access(folder + "/" + file, R_OK) == 0 ? folder : nil
  }

  private static let root = #filePath.split(separator: "/", omittingEmptySubsequences: false)
    .dropLast(3).joined(separator: "/")

  private static func executablePath() throws -> String {
    var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let length = readlink("/proc/self/exe", &buffer, buffer.count)
    guard length > 0 else { throw POSIXFailure("readlink", "/proc/self/exe") }
    return String(decoding: buffer[..<length], as: UTF8.self)
  }
}
