/// Objects of a list that have new numbers, the next ones, and wait to be copied in this order.
///
/// PERF: memory of its own, as with `ObjectNumbers`.
struct WaitingObjects: ~Copyable {
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

  /// - Precondition: one waits.
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
