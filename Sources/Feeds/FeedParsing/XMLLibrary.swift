internal import CLibXML2
internal import Decompression
package import System

package enum XMLLibrary {
  package static var compressionFault: LibraryFault? { Decompressor.fault }

  /// The version of libxml2, such as `2.9.14`.
  ///
  /// - Throws: the reason that it cannot be loaded.
  package static func version() throws(LibraryFault) -> String {
    if let fault { throw fault }
    // The number is `20914`, and what a distributor adds behind it.
    let number = String(cString: clibxml2_version()).prefix { $0.isNumber }
    guard let version = Int(number) else { return String(number) }
    return [version / 10_000, version / 100 % 100, version % 100].map(String.init)
      .joined(separator: ".")
  }

  /// Loads the library before it is needed; whoever needs it hears why that failed.
  package static func prepare() {
    _ = clibxml2_load()
  }

  static func load() throws(FeedParsingError) {
    if let fault { throw .library(fault) }
  }

  private static var fault: LibraryFault? { LibraryFault(.xml2, loading: clibxml2_load()) }
}
