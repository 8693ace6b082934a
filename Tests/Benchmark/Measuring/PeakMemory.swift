internal import TestSupport

/// The peak of a program's resident set, with the pages of its libraries.
///
/// Of the program and the processes that read for it, the largest counts.
enum PeakMemory {
  static let argument = "--peak"

  /// Measures through a process in between.
  ///
  /// A program counts as at least as large as the process that started it, and the benchmark is
  /// larger than what it measures.
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
