/// The new numbers of a list's objects, by their old ones.
///
/// PERF: memory of its own; as an array, each look at it was checked twice.
struct ObjectNumbers: ~Copyable {
  /// The number of objects.
  let count: Int
  /// One more than the new number; zero where there is none yet.
  private let numbers: UnsafeMutablePointer<UInt32>

  init(count: Int) {
    self.count = count
    numbers = .allocate(capacity: count)
    numbers.initialize(repeating: 0, count: count)
  }

  deinit {
    numbers.deallocate()
  }

  /// The new number of an object; nil where there is none, or no such object.
  @inline(__always)
  func number(of index: Int) -> UInt32? {
    guard UInt(bitPattern: index) < UInt(count), numbers[index] != 0 else { return nil }
    return numbers[index] - 1
  }

  @inline(__always)
  mutating func set(_ number: UInt32, of index: Int) {
    precondition(UInt(bitPattern: index) < UInt(count))
    numbers[index] = number + 1
  }
}
