internal import TestSupport

struct GrowthWork {
  let name: String
  /// The largest of five sizes, each twice the one before.
  let largest: Int
  let prepared: (_ size: Int) throws -> PreparedWork

  func sizes(by share: Int) -> [Int] {
    (0..<5).reversed().map { max((largest / share) >> $0, 2) }
  }

  /// Returns a quarter of the smallest size, for the constant part of the work.
  func base(by share: Int) -> Int {
    max((largest / share) >> 6, 1)
  }
}

struct PreparedWork {
  let words: [String]
  /// The command of the same process without the work; nil where it does nothing else.
  var without: [String]?
  /// Allows a status of 1, with which `doctor` says that something is wrong.
  var mayFail = false
  /// True where the process prints its own seconds and bytes.
  var isMeasuredInside = false
  /// Undoes the changes of an earlier run.
  var reset: () throws -> Void = {}

  func seconds() throws -> Double {
    try reset()
    let result = try Self.run(isMeasuredInside ? words : quietly(words))
    return isMeasuredInside ? try Self.figures(result.text)[0] : result.processorTime / .seconds(1)
  }

  func bytes() throws -> Double {
    try reset()
    guard isMeasuredInside else {
      return try PeakMemory.footprint(of: quietly(words)).bytes ?? 0
    }
    return try Self.figures(try Self.run(words).text)[1]
  }

  private static func run(_ words: [String]) throws -> Subprocess.Result {
    let result = try Subprocess.run(words)
    guard result.status == 0 else { throw UnexpectedOutput(text: result.text + result.errorText) }
    return result
  }

  private func quietly(_ words: [String]) -> [String] {
    ["sh", "-c", "\"$@\" > /dev/null" + (mayFail ? " || test $? = 1" : ""), "sh"] + words
  }

  private static func figures(_ text: String) throws -> [Double] {
    let numbers = text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
    guard numbers.count == 2 else { throw UnexpectedOutput(text: text) }
    return numbers
  }
}
