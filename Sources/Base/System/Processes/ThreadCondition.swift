/// A mutex and a condition variable (pthread_cond_wait(3)).
package final class ThreadCondition: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

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

  package func locked<Result>(_ body: () -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body()
  }

  /// Waits as long as `holds` is true; only a thread inside `locked` may call it or wake others.
  package func wait(while holds: () -> Bool) {
    while holds() { pthread_cond_wait(changed, mutex) }
  }

  package func wakeOne() { pthread_cond_signal(changed) }

  package func wakeAll() { pthread_cond_broadcast(changed) }
}
