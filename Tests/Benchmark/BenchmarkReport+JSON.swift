internal import System

extension BenchmarkReport {
  static func now() -> BenchmarkReport {
    BenchmarkReport(machine: .this, date: Date().formatted(.iso8601))
  }

  init(json: [UInt8]) throws {
    self = try JSONDecoder().decode(BenchmarkReport.self, from: Data(json))
  }

  /// Sorts the keys, so that two reports can be compared as text.
  func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(self), as: UTF8.self)
  }
}
