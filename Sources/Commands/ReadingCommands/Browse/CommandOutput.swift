import CommandLine
import Synchronization

struct CommandResult: Hashable, Sendable {
  let lines: [String]
  var hasFailed = false
  /// True if it has printed more than messages.
  var isReport = true
}

/// Collects what a command prints on both streams; errors go on to `progress` as well.
final class PrintedLines: Sendable {
  private let bytes = Mutex<[UInt8]>([])
  private let printed = Mutex(false)
  private let progress: TextOutput

  init(progress: TextOutput) {
    self.progress = progress
  }

  var output: TextOutput {
    TextOutput(capacity: 0) { bytes in
      let new = Array(bytes)
      self.bytes.withLock { $0 += new }
      self.printed.withLock { $0 = true }
      return 0
    }
  }

  var isReport: Bool { printed.withLock { $0 } }

  var errorOutput: TextOutput {
    TextOutput(capacity: 0) { bytes in
      let new = Array(bytes)
      self.bytes.withLock { $0 += new }
      self.progress.print(String(decoding: new, as: UTF8.self))
      return 0
    }
  }

  var lines: [String] {
    let text = bytes.withLock { String(decoding: $0, as: UTF8.self) }
    let parts = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    var lines = parts.map { line in
      let shown = line.split(separator: "\r").last ?? ""
      return String(shown.hasPrefix("\u{1b}[K") ? shown.dropFirst(3) : shown)
    }
    while lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }
}

/// Keeps the last line that commands print, in place of standard error.
final class LastLine: Sendable {
  private let text = Mutex("")

  var stream: TextOutput {
    TextOutput(capacity: 0) { bytes in
      let lines = String(decoding: bytes, as: UTF8.self)
        .split { $0.isNewline || $0 == "\u{1b}" }
        .map { $0.hasPrefix("[K") ? $0.dropFirst(2) : $0 }
      if let last = lines.last(where: { !$0.isEmpty }) { self.text.withLock { $0 = String(last) } }
      return 0
    }
  }

  func take() -> String? {
    let line = text.withLock { text in
      defer { text = "" }
      return text
    }
    return line.isEmpty ? nil : line
  }
}
