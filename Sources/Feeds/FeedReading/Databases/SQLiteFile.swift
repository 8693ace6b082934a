internal import CSQLite
internal import FeedParsing
package import System

extension LibraryFault {
  package static var sqlite: LibraryFault? { LibraryFault(.sqlite, loading: csqlite_load()) }
}

struct SQLiteFault: Error {
  let reason: String

  init(_ reason: String) { self.reason = reason }
}

/// Another program's SQLite database, read as the hostile file that it may be.
final class SQLiteFile {
  /// The limit of a row, and of any value in it.
  private static let maximumBytes = 64 << 20

  private let database: UnsafeMutableRawPointer

  init(_ path: String) throws(SQLiteFault) {
    if let fault = LibraryFault.sqlite { throw SQLiteFault(fault.sentence) }
    // Even a reader makes files beside a database with a log, unless it opens it as immutable or alone.
    // Without a log that waits, nobody is writing to it.
    let log = FileStatus(at: path + "-wal")?.size ?? 0
    let way = !Self.isLogged(path) ? "" : log == 0 ? "&immutable=1" : "&vfs=unix-none"
    let uri = LocalPath.fileURL(path) + "?mode=ro" + way
    guard let database = csqlite_open(uri, Int32(Self.maximumBytes)) else {
      throw SQLiteFault("out of memory")
    }
    self.database = database
  }

  deinit {
    csqlite_close(database)
  }

  /// Returns true for a database in WAL mode (sqlite.org/fileformat2.html §1.3.2).
  private static func isLogged(_ path: String) -> Bool {
    let descriptor = POSIX.openForReading(path)
    guard descriptor >= 0 else { return false }
    defer { _ = close(descriptor) }
    var header = [UInt8](repeating: 0, count: 20)
    let count = header.withUnsafeMutableBytes { POSIX.readPart(of: descriptor, into: $0) }
    return count == header.count && header[19] == 2
  }

  /// Returns false for views and for tables that are computed or have computed columns: those may
  /// be of any size.
  func hasTable(_ table: String) throws(SQLiteFault) -> Bool {
    let tables = try query("SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0")
    while try tables.next() {
      guard tables.text("name") == table else { continue }
      let columns = try query("PRAGMA table_xinfo(\(table))")
      while try columns.next() {
        if columns.integer("hidden") != 0 { return false }
      }
      return true
    }
    return false
  }

  func query(_ sql: String) throws(SQLiteFault) -> SQLiteQuery {
    guard let statement = csqlite_prepare(database, sql) else {
      throw failure(Int(csqlite_code(database)))
    }
    return SQLiteQuery(self, statement)
  }

  fileprivate func failure(_ code: Int) -> SQLiteFault {
    let words = SafeText.prefix(
      SafeText.line(String(cString: csqlite_message(database))),
      maximumCharacters: 200,
    )
    let reason =
      switch code {
      case CSQLITE_BUSY: "another program has locked it; end that, or import a copy"
      case CSQLITE_TOOBIG: "refused: a row over \(Self.maximumBytes) bytes"
      case CSQLITE_NOTADB: "not an SQLite database"
      case CSQLITE_CORRUPT: "damaged: \(words)"
      default: words
      }
    return SQLiteFault(reason)
  }
}

final class SQLiteQuery {
  /// The file, kept open for as long as its queries live.
  private let file: SQLiteFile
  private let statement: UnsafeMutableRawPointer
  private var columns: [String: Int32] = [:]

  fileprivate init(_ file: SQLiteFile, _ statement: UnsafeMutableRawPointer) {
    (self.file, self.statement) = (file, statement)
    for column in 0..<csqlite_column_count(statement) {
      let name = csqlite_column_name(statement, column).map { String(cString: $0) } ?? ""
      if columns[name] == nil { columns[name] = column }
    }
  }

  deinit {
    csqlite_finalize(statement)
  }

  func start(with value: Int) {
    csqlite_start(statement, Int64(value))
  }

  func next() throws(SQLiteFault) -> Bool {
    switch Int(csqlite_step(statement)) {
    case CSQLITE_ROW: return true
    case CSQLITE_DONE: return false
    case let code: throw file.failure(code)
    }
  }

  /// Returns nil for NULL, an empty text and a column that the table does not have.
  ///
  /// A text is cut at the limit of a story's text.
  func text(_ column: String) -> String? {
    guard let column = columns[column], let start = csqlite_text(statement, column) else {
      return nil
    }
    let size = min(Int(csqlite_text_size(statement, column)), ForeignStory.maximumText)
    let bytes = UnsafeBufferPointer(start: start, count: size)
    return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
  }

  /// Returns 0 for anything that is not a number, and for a missing column.
  func integer(_ column: String) -> Int {
    columns[column].map { Int(csqlite_integer(statement, $0)) } ?? 0
  }
}
