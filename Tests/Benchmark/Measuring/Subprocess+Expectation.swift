internal import TestSupport

extension Subprocess {
  static func isInstalled(_ program: String) throws -> Bool {
    try run(["sh", "-c", "command -v \"$0\" > /dev/null", program]).status == 0
  }

  static func expectSuccess(
    _ words: [String],
    environment: [String: String?] = [:],
    folder: String? = nil,
  ) throws {
    let result = try run(words, environment: environment, folder: folder)
    guard result.status == 0 else { throw UnexpectedOutput(text: result.text + result.errorText) }
  }
}

struct UnexpectedOutput: Error {
  let text: String
}
