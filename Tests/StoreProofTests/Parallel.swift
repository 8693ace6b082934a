import Synchronization
import TestSupport

enum Parallel {
  /// Returns the results in the order of the elements.
  ///
  /// - Parameters:
  ///   - elements: the elements to work on.
  ///   - workers: makes the worker of each thread.
  ///   - body: the work on one element.
  /// - Returns: the result of `body` for each element.
  /// - Throws: the first error of any thread.
  static func map<Element: Sendable, Worker, Value: Sendable>(
    _ elements: [Element],
    workers: @escaping @Sendable () throws -> Worker,
    _ body: @escaping @Sendable (Worker, Element) throws -> Value,
  ) throws -> [Value] {
    let work = Work<Value>(count: elements.count)
    let threads = try (0..<3).map { _ in
      try TestThread {
        work.perform {
          let worker = try workers()
          while let index = work.next() { work.finish(index, try body(worker, elements[index])) }
        }
      }
    }
    for thread in threads { thread.join() }
    return try work.results()
  }

  private final class Work<Value: Sendable>: Sendable {
    private struct State {
      var next = 0
      var values: [Value?]
      var error: (any Error)?
    }

    private let state: Mutex<State>

    init(count: Int) {
      state = Mutex(State(values: Array(repeating: nil, count: count)))
    }

    func next() -> Int? {
      state.withLock { state in
        guard state.next < state.values.count, state.error == nil else { return nil }
        state.next += 1
        return state.next - 1
      }
    }

    func finish(_ index: Int, _ value: Value) {
      state.withLock { $0.values[index] = value }
    }

    func perform(_ body: () throws -> Void) {
      do {
        try body()
      } catch {
        state.withLock { $0.error = $0.error ?? error }
      }
    }

    func results() throws -> [Value] {
      try state.withLock { state in
        if let error = state.error { throw error }
        return state.values.compactMap(\.self)
      }
    }
  }
}
