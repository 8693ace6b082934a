import System

/// Writes a file piece by piece, from the first large one on by a thread of its own: the next piece
/// is made while one is written.
///
/// PERF: a third of what the last phase of a first fetch took, which one thread did alone.
final class PieceWriter {
  private let file: OpenFile
  private var size = 0
  /// Nil before its thread is needed, and where that cannot be had.
  private var pending: PendingPieces?
  private var isWithoutThread = false

  private static let largePiece = 128 << 10
  /// More than it needs; the megabytes that threads get unasked count as memory in use.
  private static let stackBytes = 256 << 10

  init(_ file: OpenFile) {
    self.file = file
  }

  deinit {
    end()
  }

  /// Takes a piece; an error may be that of an earlier one.
  func write(_ piece: UnsafeRawBufferPointer) throws(StorageError) {
    if pending == nil, !isWithoutThread, piece.count >= Self.largePiece {
      let pending = PendingPieces(file, from: size)
      isWithoutThread = !POSIX.startThread(stackBytes: Self.stackBytes) { pending.run() }
      if !isWithoutThread { self.pending = pending }
    }
    size += piece.count
    guard let pending else { return try file.write(piece) }
    try pending.put(piece)
  }

  func finish() throws(StorageError) {
    end()
    if let failure = pending?.failure { throw failure }
  }

  /// Waits for what was taken; nothing is to be written after that.
  func end() {
    pending?.end()
  }
}

extension PieceWriter {
  /// The pieces on their way to the thread.
  ///
  /// Sendable: the variables are touched under the mutex alone, and the file by the thread alone
  /// until it is done.
  private final class PendingPieces: @unchecked Sendable {
    private let file: OpenFile
    private let start: Int
    /// Waits to be written; empty when none does.
    private var piece: [UInt8] = []
    private var spare: [UInt8] = []
    private var isEnded = false
    private var isDone = false
    private var firstFailure: StorageError?
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    init(_ file: OpenFile, from start: Int) {
      self.file = file
      self.start = start
      pthread_mutex_init(mutex, nil)
      pthread_cond_init(changed, nil)
    }

    deinit {
      pthread_cond_destroy(changed)
      pthread_mutex_destroy(mutex)
      changed.deallocate()
      mutex.deallocate()
    }

    var failure: StorageError? { locked { firstFailure } }

    func put(_ bytes: UnsafeRawBufferPointer) throws(StorageError) {
      var copy = locked { exchange(&spare, with: []) }
      copy.removeAll(keepingCapacity: true)
      copy.append(contentsOf: bytes)
      locked {
        while !piece.isEmpty { pthread_cond_wait(changed, mutex) }
        piece = copy
        pthread_cond_broadcast(changed)
      }
      if let failure { throw failure }
    }

    func end() {
      locked {
        isEnded = true
        pthread_cond_broadcast(changed)
        while !isDone { pthread_cond_wait(changed, mutex) }
      }
    }

    func run() {
      var position = start
      while let piece = next() {
        let failure = failure ?? write(piece, at: position)
        position += piece.count
        locked {
          spare = piece
          firstFailure = failure
        }
      }
      locked {
        isDone = true
        pthread_cond_broadcast(changed)
      }
    }

    private func write(_ piece: [UInt8], at position: Int) -> StorageError? {
      do throws(StorageError) {
        try file.write(piece)
        // The disk is at work while the next piece is made.
        POSIX.startWriting(file.number, position..<position + piece.count)
        return nil
      } catch {
        return error
      }
    }

    private func next() -> [UInt8]? {
      locked {
        while piece.isEmpty, !isEnded { pthread_cond_wait(changed, mutex) }
        pthread_cond_broadcast(changed)
        return piece.isEmpty ? nil : exchange(&piece, with: [])
      }
    }

    private func exchange(_ bytes: inout [UInt8], with other: [UInt8]) -> [UInt8] {
      defer { bytes = other }
      return bytes
    }

    private func locked<R>(_ body: () -> R) -> R {
      pthread_mutex_lock(mutex)
      defer { pthread_mutex_unlock(mutex) }
      return body()
    }
  }
}
