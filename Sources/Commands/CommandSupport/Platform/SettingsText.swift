/// A file that the reader writes, line by line: the defaults, or the keys of the table view.
package struct SettingsText {
  private static let maximumBytes = 65_536

  package let isThere: Bool
  package private(set) var lines: [Substring] = []
  /// The reason to leave the whole file out; nil where all can be read, and where no file is.
  package private(set) var refusal: String?

  package init(at path: String) {
    // For the variable that names the file, a usual word for none.
    guard path != "/dev/null" else {
      isThere = false
      return
    }
    guard let status = FileStatus(at: path) else {
      let code = errno
      let isMissing = code == ENOENT || code == ENOTDIR
      let isLink = FileStatus(at: path, followingLinks: false)?.kind == .link
      isThere = !isMissing || isLink
      refusal = !isMissing ? POSIX.errorMessage(code) : isLink ? "it is a link to no file" : nil
      return
    }
    isThere = true
    guard status.kind == .file else {
      refusal = "it is \(status.kind.rawValue), not a file"
      return
    }
    // A line can have a program run: `fetch --on-new` does, and so does a key.
    refusal = FileTrust.refusal(path)
    guard refusal == nil else { return }
    do {
      let bytes = try POSIX.readFile(path, maximumBytes: Self.maximumBytes)
      guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else {
        refusal = "it is no text (UTF-8)"
        return
      }
      // Editors of Windows begin a file with a byte order mark.
      let start = text.hasPrefix("\u{feff}") ? text.index(after: text.startIndex) : text.startIndex
      lines = text[start...].split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    } catch {
      refusal = "\(error)"
    }
  }
}
