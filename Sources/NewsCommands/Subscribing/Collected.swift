import Synchronization

/// Values that threads hand in, each with its place.
final class Collected<Value: Sendable>: Sendable {
  private let values = Mutex<[Int: Value]>([:])

  func add(_ value: Value, at place: Int) {
    values.withLock { $0[place] = value }
  }

  /// What came, in the order of the places.
  var inOrder: [Value] {
    values.withLock { values in values.sorted { $0.key < $1.key }.map(\.value) }
  }
}
