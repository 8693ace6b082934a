internal import PropertyLists
internal import System

package enum StorageError: Error, Hashable, Sendable, CustomStringConvertible {
  case system(action: String, path: String, reason: String)
  case notAFile(path: String, kind: String)
  /// A file that cannot be understood; it is left as it is.
  case damaged(path: String, reason: String)
  case newerVersion(path: String, version: Int, supported: Int)
  case tooLarge(path: String, limit: Int)
  case locked(path: String, holder: String, seconds: Int)
  case refused(String)

  /// One safe line, since names of files and their contents come from outside.
  package var description: String { SafeText.line(text) }

  private var text: String {
    switch self {
    case .system(let action, let path, let reason): "cannot \(action) \(path): \(reason)"
    case .notAFile(let path, let kind): "\(path) is \(kind), not a file"
    case .damaged(let path, let reason): "\(path) cannot be read and was left as it is: \(reason)"
    case .newerVersion(let path, let version, let supported):
      "\(path) was written by a newer news (version \(version), this one knows \(supported))"
    case .tooLarge(let path, let limit): "\(path) is larger than \(limit) bytes"
    case .locked(let path, let holder, let seconds):
      "another news is writing (\(holder)): waited \(seconds) s for \(path)"
    case .refused(let reason): reason
    }
  }

  static func failed(_ action: String, _ path: String, _ code: Int32 = errno) -> StorageError {
    .system(action: action, path: path, reason: POSIX.errorMessage(code))
  }

  /// Turns a fault of a property list into one of the store's file.
  ///
  /// PERF: not inlined, each call copies what its closure reads from, with all that this refers to.
  @inline(__always)
  static func translating<R>(_ path: String, _ body: () throws -> R) throws -> R {
    let result: R
    do {
      result = try body()
    } catch let error as PropertyListError {
      throw failure(error, path)
    }
    guard !MappedFiles.isCutShort(path) else { throw cutShort(path) }
    return result
  }

  static func failure(_ error: PropertyListError, _ path: String) -> StorageError {
    MappedFiles.isCutShort(path)
      ? cutShort(path) : .damaged(path: path, reason: error.description)
  }

  static func cutShort(_ path: String) -> StorageError {
    .damaged(path: path, reason: "another program cut it short meanwhile")
  }
}
