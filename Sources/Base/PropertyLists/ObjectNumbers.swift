/// The new numbers of a list's objects, by their old ones.
///
/// PERF: memory of its own; as an array, each look at it was checked twice.
struct ObjectNumbers: ~Copyable {
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

/// Objects that have new numbers, the next ones, and wait to be copied in this order.
///
/// PERF: memory of its own, as with `ObjectNumbers`.
struct CopyQueue: ~Copyable {
  private var objects: UnsafeMutablePointer<RawObject>
  private var capacity = 64
  private var first = 0
  private var end = 0

  init() {
    objects = .allocate(capacity: capacity)
  }

  deinit {
    objects.deallocate()
  }

  var count: Int { end - first }
  var isEmpty: Bool { first == end }

  @inline(__always)
  mutating func append(_ object: RawObject) {
    if end == capacity { grow() }
    (objects + end).initialize(to: object)
    end += 1
  }

  @inline(__always)
  mutating func takeFirst() -> RawObject {
    precondition(first < end)
    let object = objects[first]
    first += 1
    if first == end { (first, end) = (0, 0) }
    return object
  }

  private mutating func grow() {
    capacity *= 2
    let larger = UnsafeMutablePointer<RawObject>.allocate(capacity: capacity)
    larger.initialize(from: objects + first, count: count)
    objects.deallocate()
    objects = larger
    (first, end) = (0, count)
  }
}
