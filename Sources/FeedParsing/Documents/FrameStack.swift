/// The elements that are open, and where each of them is in the feed.
struct FrameStack: ~Copyable {
  typealias Scope = FeedDocumentHandler.Scope
  typealias Frame = FeedDocumentHandler.Frame

  private(set) var count = 0
  private let capacity: Int
  private let frames: UnsafeMutablePointer<Frame>

  /// - Parameter capacity: The parser's limit of elements inside one another.
  init(capacity: Int) {
    self.capacity = capacity
    frames = .allocate(capacity: capacity)
  }

  deinit {
    // Frames are trivial: nothing in them has to be destroyed.
    frames.deallocate()
  }

  /// Where the parser is.
  @inline(__always)
  var scope: Scope { count > 0 ? frames[count &- 1].scope : .document }

  subscript(index: Int) -> Frame {
    precondition(0..<count ~= index)
    return frames[index]
  }

  @inline(__always)
  mutating func push(_ frame: Frame) {
    precondition(count < capacity, "the parser's limit of nesting is the stack's capacity")
    frames[count] = frame
    count &+= 1
  }

  @inline(__always)
  mutating func pop() -> Frame? {
    guard count > 0 else { return nil }
    count &-= 1
    return frames[count]
  }

  /// Makes of all elements above one something that means nothing, in its scope.
  mutating func neutralize(after index: Int, scope: Scope) {
    for later in stride(from: index + 1, to: count, by: 1) {
      frames[later].scope = scope
      frames[later].element = .unknown
    }
  }
}
