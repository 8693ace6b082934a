package final class BlockingQueue<Element: Sendable>: @unchecked Sendable {
  private let condition = ThreadCondition()
  /// The entries before `first` are taken, and nil.
  private var elements: [Element?] = []
  private var first = 0
  private var waiting = 0
  private var isClosed = false

  package init() {}

  /// Appends an element; false where too few threads wait for all that is queued.
  @discardableResult
  package func push(_ element: Element) -> Bool {
    condition.locked {
      elements.append(element)
      condition.wakeOne()
      return elements.count - first <= waiting
    }
  }

  /// Takes the first element, waiting for one; nil when the queue is closed and empty.
  package func pop() -> Element? {
    condition.locked {
      waiting += 1
      condition.wait { elements.isEmpty && !isClosed }
      waiting -= 1
      return takeFirst()
    }
  }

  package func popAvailable() -> Element? {
    condition.locked(takeFirst)
  }

  /// Ends all waiting; elements that are left can still be taken.
  package func close() {
    condition.locked {
      isClosed = true
      condition.wakeAll()
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
}
