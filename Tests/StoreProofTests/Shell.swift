import TestSupport

/// Scripts for the shell, with the programs of the system's administrator in PATH.
enum Shell {
  /// Runs a script, which gets words as `$0`, `$1` and so on.
  ///
  /// - Returns: its output.
  /// - Throws: its complaint when it failed.
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
