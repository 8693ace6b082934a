/// What threads hand to others, which wait for it: first in, first out.
package final class BlockingQueue<Element: Sendable>: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  /// Those before `first` are taken.
  private var elements: [Element?] = []
  private var first = 0
  private var waiting = 0
  private var isClosed = false

  package init() {
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(changed, nil)
  }

  deinit {
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(mutex)
    changed.deallocate()
    mutex.deallocate()
  }

  /// Adds an element; false where no thread waits that will take it.
  @discardableResult
  package func push(_ element: Element) -> Bool {
    locked {
      elements.append(element)
      pthread_cond_signal(changed)
      return elements.count - first <= waiting
    }
  }

  /// Takes the first element, and waits for one; nil when it is closed and empty.
  package func pop() -> Element? {
    locked {
      waiting += 1
      while elements.isEmpty, !isClosed { pthread_cond_wait(changed, mutex) }
      waiting -= 1
      return takeFirst()
    }
  }

  /// Takes the first element, where there is one.
  package func popAvailable() -> Element? {
    locked(takeFirst)
  }

  /// Has nobody wait for more.
  package func close() {
    locked {
      isClosed = true
      pthread_cond_broadcast(changed)
    }
  }

  private func takeFirst() -> Element? {
    guard !elements.isEmpty else { return nil }
    defer {
      elements[first] = nil
      first += 1
      if first == elements.count { (elements, first) = ([], 0) }
    }
    return elements[first]
  }

  private func locked<Result>(_ body: () -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body()
  }
}
