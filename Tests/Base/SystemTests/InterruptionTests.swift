import Testing

@testable import System

@Suite("An interruption")
struct InterruptionTests {
  @Test("wakes an event that nobody else keeps any more, and so no file with its descriptor")
  func event() throws {
    defer {
      POSIX.noteInterruptions(waking: nil)
      for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] { _ = signal(number, SIG_DFL) }
    }
    weak let event = try noted()
    #expect(POSIX.interruption() == nil)
    raiseUnblocked(SIGTERM)
    #expect(POSIX.interruption() == SIGTERM)
    #expect(try #require(event).hasHappened)
  }

  /// Raises a signal in a thread that takes it: those of tasks block all signals.
  private func raiseUnblocked(_ number: Int32) {
    var (signals, before) = (sigset_t(), sigset_t())
    sigemptyset(&signals)
    sigaddset(&signals, number)
    pthread_sigmask(SIG_UNBLOCK, &signals, &before)
    raise(number)
    pthread_sigmask(SIG_SETMASK, &before, nil)
  }

  private func noted() throws -> SystemEvent {
    let event = try #require(SystemEvent())
    POSIX.noteInterruptions(waking: event)
    return event
  }
}
