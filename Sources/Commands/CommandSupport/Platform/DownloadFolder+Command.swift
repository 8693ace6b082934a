import CommandLine
package import FeedStorage

extension CommandContext {
  /// Returns the folder of `--to`, else the usual one; creates it.
  package func downloadFolder() throws -> DownloadFolder {
    let path = try downloadPath()
    return try DownloadFolder(path, of: try store())
  }

  package func downloadPath() throws -> String {
    guard let word = arguments.value("to") else {
      return try DownloadsFolder.folder(environment.variable, isMacOS: environment.isMacOS)
    }
    guard !word.isEmpty, let path = LocalPath.absolute(word, in: environment.currentFolder())
    else { throw usage("--to needs a folder: --to DIR") }
    return path
  }
}
