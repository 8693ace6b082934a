internal import TestSupport

struct Footprint {
  /// The most memory, in bytes.
  var bytes: Double?
  /// The pages that were brought in; nil for work in this process.
  var faults: Int?
}

/// The peak of a program's resident set, with the pages of its libraries, and its page faults.
///
/// Of the program and the processes that read for it, the largest counts; the faults are of all.
enum PeakMemory {
  static let argument = "--peak"

  /// Measures through a process in between.
  ///
  /// A program counts as at least as large as the process that started it, and the benchmark is
  /// larger than what it measures.
  static func footprint(of command: [String], folder: String? = nil) throws -> Footprint {
    let result = try Subprocess.run(
      [try BuiltProduct.path("NewsBenchmark"), argument] + command,
      folder: folder,
    )
    let numbers = result.text.split(separator: "\n").compactMap { Int($0) }
    guard result.status == 0, numbers.count == 2 else {
      throw UnexpectedOutput(text: result.text + result.errorText)
    }
    return Footprint(bytes: Double(numbers[0]), faults: numbers[1])
  }

  static func print(_ command: [String]) throws {
    let result = try Subprocess.run(command)
    guard result.status == 0 else { throw UnexpectedOutput(text: result.errorText) }
    var usage = rusage()
    #if canImport(Glibc)
    getrusage(RUSAGE_CHILDREN.rawValue, &usage)
    Swift.print(usage.ru_maxrss * 1_024, usage.ru_minflt, separator: "\n")
    #else
    getrusage(RUSAGE_CHILDREN, &usage)
    Swift.print(usage.ru_maxrss, usage.ru_minflt, separator: "\n")
    #endif
  }
}
