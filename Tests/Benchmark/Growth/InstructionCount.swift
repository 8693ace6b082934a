internal import TestSupport

struct InstructionCount {
  let folder: String

  init(folder: String) throws {
    self.folder = folder
    guard try Subprocess.isInstalled("valgrind") else {
      throw UnexpectedOutput(text: "counting instructions needs valgrind")
    }
  }

  /// Returns the instructions of the work alone, where the process can leave it out.
  func instructions(of work: PreparedWork) throws -> Double {
    try work.reset()
    let all = try count(work.words)
    guard let without = work.without else { return all }
    return all - (try count(without))
  }

  private func count(_ words: [String]) throws -> Double {
    let program = try stripped(words[0])
    let script = """
      SWIFT_DETERMINISTIC_HASHING=1 valgrind --tool=callgrind --callgrind-out-file=/dev/null "$@" \
      2>&1 > /dev/null | awk '/Collected/ { print $NF }'
      """
    let result = try Subprocess.run(["sh", "-c", script, "sh", program] + words.dropFirst())
    guard let count = Double(result.text.prefix { $0 != "\n" }) else {
      throw UnexpectedOutput(text: result.text + result.errorText)
    }
    return count
  }

  /// valgrind 3.19 gives up at Swift's debugging information.
  private func stripped(_ program: String) throws -> String {
    let copy = "\(folder)/stripped-" + (program.split(separator: "/").last ?? "")
    try Subprocess.expectSuccess(
      ["sh", "-c", "test -e \"$1\" || strip -g -o \"$1\" \"$0\"", program, copy]
    )
    return copy
  }
}
