internal import System
internal import TestSupport

/// How much memory a program has at its peak, with the processes that read for it: their resident sets,
/// in which pages that they share are counted once for each.
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
    inheritProcesses()
    let result = try Subprocess.run(command)
    guard result.status == 0 else { throw UnexpectedOutput(text: result.errorText) }
    Swift.print(result.peakMemory + ofOrphans())
  }

  /// Has the processes that a program leaves behind become children of this one.
  private static func inheritProcesses() {
    // Swift cannot call what takes any number of arguments.
    guard let symbol = dlsym(nil, "prctl") else { return }
    typealias Call = @convention(c) (Int32, UInt, UInt, UInt, UInt) -> Int32
    let becomeSubreaper: Int32 = 36
    _ = unsafeBitCast(symbol, to: Call.self)(becomeSubreaper, 1, 0, 0, 0)
  }

  /// Waits for what the program left behind.
  private static func ofOrphans() -> Int {
    var (status, usage, bytes) = (Int32(0), rusage(), 0)
    while wait4(-1, &status, 0, &usage) > 0 { bytes += Subprocess.peakMemory(usage) }
    return bytes
  }
}
