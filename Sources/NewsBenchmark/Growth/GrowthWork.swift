internal import TestSupport

/// One kind of work, to be done by processes at several sizes.
struct GrowthWork {
  let name: String
  /// The largest of five, each twice the one before.
  let largest: Int
  let prepared: (_ size: Int) throws -> PreparedWork

  /// The five sizes, made smaller by a factor.
  func sizes(by share: Int) -> [Int] {
    (0..<5).reversed().map { max((largest / share) >> $0, 2) }
  }

  /// A quarter of the smallest: tells what the work takes that does not grow.
  func base(by share: Int) -> Int {
    max((largest / share) >> 6, 1)
  }
}

/// Work of one size, to be done as often as wanted.
struct PreparedWork {
  /// The process that does it.
  let words: [String]
  /// The same process without the work; nil where it does nothing else.
  var without: [String]?
  /// A status of 1 is no failure: so `doctor` says that something is wrong.
  var mayFail = false
  /// What the process prints about itself, in place of what is measured from outside.
  var isMeasuredInside = false
  /// Brings back what an earlier process has changed.
  var reset: () throws -> Void = {}

  /// The least time of processors, of several runs.
  func seconds() throws -> Double {
    try reset()
    let result = try Self.run(isMeasuredInside ? words : quietly(words))
    return isMeasuredInside ? try Self.figures(result.text)[0] : result.processorTime / .seconds(1)
  }

  /// The peak of memory in bytes.
  func bytes() throws -> Double {
    try reset()
    guard isMeasuredInside else { return Double(try PeakMemory.bytes(of: quietly(words))) }
    return try Self.figures(try Self.run(words).text)[1]
  }

  private static func run(_ words: [String]) throws -> Subprocess.Result {
    let result = try Subprocess.run(words)
    guard result.status == 0 else { throw UnexpectedOutput(text: result.text + result.errorText) }
    return result
  }

  /// Without its output.
  private func quietly(_ words: [String]) -> [String] {
    ["sh", "-c", "\"$@\" > /dev/null" + (mayFail ? " || test $? = 1" : ""), "sh"] + words
  }

  private static func figures(_ text: String) throws -> [Double] {
    let numbers = text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
    guard numbers.count == 2 else { throw UnexpectedOutput(text: text) }
    return numbers
  }
}
