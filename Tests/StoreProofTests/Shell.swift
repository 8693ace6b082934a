import TestSupport

/// Lines for the shell, with the programs of the system's administrator in reach.
enum Shell {
  /// Runs a script, which is given words as `$0`, `$1` and so on.
  ///
  /// - Returns: what it printed.
  /// - Throws: what it complained of when it failed.
  @discardableResult
  static func run(_ script: String, _ words: [String]) throws -> String {
    let path = "PATH=$PATH:/usr/sbin:/sbin\n"
    let result = try Subprocess.run(["/bin/sh", "-c", path + script] + words)
    guard result.status == 0 else {
      throw Failure(description: "\(script): status \(result.status), \(result.errorText)")
    }
    return result.text
  }

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }
}
