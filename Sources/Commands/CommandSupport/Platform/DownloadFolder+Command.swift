import CommandLine
package import FeedStorage

extension CommandContext {
  /// Returns the folder of `--to`, else the usual one; creates it.
  ///
  /// Whatever saves a file goes by the defaults of `download`.
  package func downloadFolder() throws -> DownloadFolder {
    let path = try downloadPath()
    return try DownloadFolder(path, of: try store())
  }

  package func downloadPath() throws -> String {
    guard let word = arguments.value("to") ?? defaultFolder else {
      return try DownloadsFolder.folder(environment.variable, isMacOS: environment.isMacOS)
    }
    guard !word.isEmpty, let path = LocalPath.absolute(word, in: environment.currentFolder())
    else { throw usage("--to needs a folder: --to DIR") }
    return path
  }

  private var defaultFolder: String? {
    environment.program.withDefaults(["download"] + passedOn, environment).value("to")
      .flatMap { $0.isEmpty ? nil : $0 }
  }
}
