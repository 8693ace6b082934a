/// A mutex with something that threads wait for while they hold it (pthread_cond_wait(3)).
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

  /// Waits as long as something holds; to be called by whoever holds the mutex, as those below are.
  package func wait(while holds: () -> Bool) {
    while holds() { pthread_cond_wait(changed, mutex) }
  }

  /// Has one of those who wait look again.
  package func wakeOne() { pthread_cond_signal(changed) }

  /// Has all who wait look again.
  package func wakeAll() { pthread_cond_broadcast(changed) }
}
