/// Elements that threads hand to others, which wait for them: first in, first out.
package final class BlockingQueue<Element: Sendable>: @unchecked Sendable {
  private let condition = ThreadCondition()
  /// The elements; those before `first` are taken.
  private var elements: [Element?] = []
  private var first = 0
  private var waiting = 0
  private var isClosed = false

  package init() {}

  /// Adds an element; false where no thread waits that will take it.
  @discardableResult
  package func push(_ element: Element) -> Bool {
    condition.locked {
      elements.append(element)
      condition.wakeOne()
      return elements.count - first <= waiting
    }
  }

  /// Takes the first element, and waits for one; nil when it is closed and empty.
  package func pop() -> Element? {
    condition.locked {
      waiting += 1
      condition.wait { elements.isEmpty && !isClosed }
      waiting -= 1
      return takeFirst()
    }
  }

  /// Takes the first element, where there is one.
  package func popAvailable() -> Element? {
    condition.locked(takeFirst)
  }

  /// Has nobody wait for more.
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
