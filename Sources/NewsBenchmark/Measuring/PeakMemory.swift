internal import System
internal import TestSupport

/// How much memory a program has at its peak: the resident set, with the pages of its libraries; of the
/// processes that read for it and itself the largest.
enum PeakMemory {
  /// The argument by which the benchmark runs one program, and prints its peak.
  static let argument = "--peak"

  /// In bytes.
  ///
  /// Through a process in between: a program counts as at least as large as the process that
  /// started it, and the benchmark is larger than what it measures.
  static func bytes(of command: [String], folder: String? = nil) throws -> Int {
    let result = try Subprocess.run(
      [try BuiltProduct.path("NewsBenchmark"), argument] + command,
      folder: folder,
    )
    guard result.status == 0, let bytes = Int(result.text.prefix { $0 != "\n" }) else {
      throw UnexpectedOutput(text: result.text + result.errorText)
    }
    return bytes
  }

  /// Runs the program and prints its peak in bytes.
  static func print(_ command: [String]) throws {
    let result = try Subprocess.run(command)
    guard result.status == 0 else { throw UnexpectedOutput(text: result.errorText) }
    Swift.print(ofChildren)
  }

  /// The largest resident set of the programs that have ended, in bytes.
  private static var ofChildren: Int {
    var usage = rusage()
    #if canImport(Glibc)
    getrusage(RUSAGE_CHILDREN.rawValue, &usage)
    return usage.ru_maxrss * 1_024
    #else
    getrusage(RUSAGE_CHILDREN, &usage)
    return usage.ru_maxrss
    #endif
  }
}
